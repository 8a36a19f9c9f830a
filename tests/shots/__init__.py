"""Every page and each game in every phase, as screenshots that a reviewer pages through."""
