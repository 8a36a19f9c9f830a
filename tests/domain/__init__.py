"""The tests of the room `domain`: pure functions, without a store or a clock."""
