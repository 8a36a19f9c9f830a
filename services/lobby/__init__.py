"""The room lobby."""
