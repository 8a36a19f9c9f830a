"""Players and what is theirs: names, passwords, tokens, log-ins, profiles, closing an account."""
