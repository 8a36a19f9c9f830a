"""The room commands."""
