"""Pages of puzzles: their list, and one to be tried on its board."""
