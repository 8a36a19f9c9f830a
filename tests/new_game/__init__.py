"""`./dev new-game NAME` lays out a game: the pattern, and the tool that copies it."""
