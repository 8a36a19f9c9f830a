"""The room game."""
