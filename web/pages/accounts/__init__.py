"""Pages about players: signing up and in, one's own account, anybody's profile."""
