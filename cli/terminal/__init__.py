"""The room terminal."""
