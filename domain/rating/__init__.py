"""Ratings: how strong players are, by what they have won. Pure, as all of ``domain``."""
