"""The room http."""
