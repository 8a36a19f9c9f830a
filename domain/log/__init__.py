"""The room log."""
