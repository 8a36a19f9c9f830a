"""``plybook play``: two people at one terminal, with their matches in a database beside it."""
