"""Conditional moves: stored, fired, lapsed, and told of to their author alone; both databases."""
