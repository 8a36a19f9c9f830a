"""Scenes as text: one renderer for every game, on terminals and in transcripts."""
