"""How players find matches, and matches players: lists, challenges, practice, what waits."""
