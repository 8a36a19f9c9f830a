"""The tests of the room `domain/rating`."""
