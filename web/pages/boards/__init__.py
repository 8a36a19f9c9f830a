"""Boards on pages: pictures, small cards of matches, entering a move."""
