"""The use cases, and the store below them."""
