"""The room db."""
