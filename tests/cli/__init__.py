"""The terminal: boards as text, and commands as people call them."""
