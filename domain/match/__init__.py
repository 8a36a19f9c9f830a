"""The room match."""
