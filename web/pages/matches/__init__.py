"""The page of a match, and all that is sent from it."""
