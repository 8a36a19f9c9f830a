"""The tests of the room `domain/search`."""
