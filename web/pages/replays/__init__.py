"""Replays on pages: step by step, as data for a script, what if, and what can be taken along."""
