"""The room matches."""
