"""Looks back: replays step by step, search, statistics, and what would have happened if."""
