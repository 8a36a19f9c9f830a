"""The room replays."""
