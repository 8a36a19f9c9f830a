"""Conditional moves: what was planned, and its execution after an answer."""
