"""The room replay."""
