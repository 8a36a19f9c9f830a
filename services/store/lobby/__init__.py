"""Tables and lists of the lobby: what is listed, practice, records, statistics."""
