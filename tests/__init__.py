"""The tests, in the order of the rooms.

`tests/<room>/` mirrors a room. What more than one room's tests need is in `tests/support`,
and is imported by its name from the root: `from tests.support.ports import free_port`.
"""
