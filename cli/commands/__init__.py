"""Commands that do one thing with a database and end."""
