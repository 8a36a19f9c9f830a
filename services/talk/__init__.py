"""The room talk."""
