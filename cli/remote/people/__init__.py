"""One's own account at a service elsewhere: logging in, and who is told of what happens."""
