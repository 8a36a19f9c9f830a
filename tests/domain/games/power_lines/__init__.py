"""Tests of Power Lines, the card game."""
