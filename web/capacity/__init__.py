"""The room capacity."""
