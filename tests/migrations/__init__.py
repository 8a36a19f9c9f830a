"""The migrations, step by step, on both databases."""
