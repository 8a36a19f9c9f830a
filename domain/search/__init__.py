"""What a house player thinks: search over any game, by counted positions and a given seed."""
