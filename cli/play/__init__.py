"""``plybook play``: two people at one terminal."""
