"""Statement after statement on one connection: all rows, in order, and nothing left behind."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError

from services.container import House
from services.store.db.ahead import in_turn
from services.store.db.sql import rows


def test_rows_of_many_statements_come_in_the_order_of_the_statements(house: House) -> None:
    asked = [
        ("SELECT ? + number FROM (SELECT 1 AS number UNION SELECT 2) AS two", [10 * one])
        for one in range(4)
    ]
    with house.database.read() as connection:
        found = [row[0] for row in in_turn(connection, asked)]
    assert sorted(found) == [1, 2, 11, 12, 21, 22, 31, 32]
    assert [one // 10 for one in found] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_whoever_stops_midway_leaves_a_connection_that_answers(house: House) -> None:
    with house.database.read() as connection:
        found = in_turn(connection, [("SELECT 1", []), ("SELECT 2", []), ("SELECT 3", [])])
        assert next(found)[0] == 1
        found.close()
        assert rows(connection, "SELECT 4", [])[0][0] == 4


def test_a_statement_that_fails_raises_what_it_raises_by_itself(house: House) -> None:
    with house.database.read() as connection:
        found = in_turn(connection, [("SELECT 1", []), ("SELECT nothing_of_this_name", [])])
        with pytest.raises(DBAPIError):
            list(found)
    with house.database.read() as connection:
        assert rows(connection, "SELECT 4", [])[0][0] == 4
