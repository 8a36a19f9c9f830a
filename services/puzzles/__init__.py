"""Puzzles: positions with one right move, found in matches that are over, and tried by anybody."""
