"""The room boards."""
