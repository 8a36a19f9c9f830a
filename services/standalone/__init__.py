"""What is given away with exports and runs by itself, with nothing of ours beside it."""
