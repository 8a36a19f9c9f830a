"""How lists are read: in their order, by an index that begins with what is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import pytest

from services.store import matches as readmodels
from services.store.db.engine import Database
from services.store.lobby.filters import RowFilters, iter_match_ids, list_matches, select_in_order
from services.store.matches import SORTS, ListKey, MatchRow
from tests.services.store.streams import ADA, BOB, EVE, ROW

SEATS = ("seat_1_{}_at_id", "seat_2_{}_at_id")
ABORTED = ("aborted_seat_1_{}_at", "aborted_seat_2_{}_at")
OF_SERIES = ("series_seat_1", "series_seat_2")


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    """Give SQLite: PostgreSQL goes by statistics, of which there are none here."""
    return sqlite_database


def indexes(database: Database, filters: RowFilters, sort: str) -> list[str]:
    """Return by which indexes a list is read; none of them is read to be sorted afterwards."""
    asked = select_in_order(filters, sort=sort, limit=9, after=ListKey("2026", "x"))
    with database.read() as connection:
        made = asked.compile(connection)
        values = tuple(made.params[name] for name in made.positiontup or ())
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {made}", values).all()
    steps = [str(row[-1]) for row in plan]
    found = [one for one in steps if re.match(r"(SEARCH|SCAN) matches", one)]
    sorted_later = sum("ORDER BY" in one for one in steps) - sum(
        "SCAN anon" in one for one in steps
    )
    few = ("ix_matches_opponent_status", "ix_matches_open_creator")
    assert sorted_later <= 0 or any(one in str(found) for one in few), steps
    return [one.partition("ix_matches_")[2].partition(" ")[0] for one in found]


READ_BY: list[tuple[RowFilters, Sequence[str]]] = [
    (RowFilters(), ["{}_at_id"]),
    (RowFilters(rated=True, pace="bank"), ["{}_at_id"]),
    (RowFilters(status="finished"), ["status_{}_at_id"]),
    (RowFilters(game="grid-power"), ["game_{}_at_id"]),
    (RowFilters(game="grid-power", status="open"), ["status_{}_at_id"]),
    (RowFilters(game="grid-power", status="finished"), ["game_{}_at_id"]),
    (RowFilters(unreserved_at="2026"), ["status_{}_at_id"]),
    (RowFilters(player=ADA), SEATS),
    (RowFilters(player=ADA, status="finished", game="grid-power", rated=False), SEATS),
    (RowFilters(player=ADA, mine=BOB), SEATS),
    (RowFilters(mine=ADA, status="active"), (*SEATS, "opponent_status")),
    (RowFilters(mine=ADA, not_to_act=ADA), (*SEATS, "opponent_status")),
    (RowFilters(made_to=ADA), ["opponent_status"]),
    (RowFilters(made_by=ADA), ["open_creator"]),
    (RowFilters(player=ADA, unreserved_at="2026"), ["open_creator"]),
    (RowFilters(player=ADA, status="aborted"), ABORTED),
    (RowFilters(mine=ADA, status="aborted"), (*ABORTED, "opponent_status")),
    (RowFilters(mine=ADA, status="open"), ["open_creator", "opponent_status"]),
]
"""What is asked for, and by which indexes it is read, in either order."""

SERIES_READ_BY: list[tuple[RowFilters, Sequence[str]]] = [
    (RowFilters(), ["series_created_at"]),
    (RowFilters(series_status="active"), ["series_status"]),
    (RowFilters(series_status="finished", game="grid-power"), ["series_game_status"]),
    (RowFilters(game="grid-power"), ["series_game"]),
    (RowFilters(player=ADA, series_status="active"), OF_SERIES),
    (RowFilters(mine=ADA), (*OF_SERIES, "opponent_status")),
]


def test_a_list_is_read_by_the_index_of_what_is_asked_for(database: Database) -> None:
    for filters, expected in READ_BY:
        for sort in SORTS:
            assert indexes(database, filters, sort) == [one.format(sort) for one in expected]


def test_so_is_a_list_of_series(database: Database) -> None:
    for filters, expected in SERIES_READ_BY:
        assert indexes(database, filters._replace(series=True), "created") == [*expected]


def at(second: int) -> str:
    return f"2026-11-27T22:00:{second:02}.000000Z"


STATUSES = ("open", "active", "finished", "aborted")


def crowd() -> list[MatchRow]:
    """Return matches of three players in every seat and status, some of one instant."""
    pairs = [(ADA, BOB), (BOB, ADA), (BOB, EVE), (EVE, ADA)]
    kinds = product(pairs, STATUSES, ("public", "private"))
    return [
        ROW._replace(
            id=f"m{number:02}",
            seat_1=first,
            seat_2=None if status == "open" else second,
            opponent=second,
            creator=first,
            status=status,
            visibility=visibility,
            created_at=at(number // 2),
            updated_at=at(50 - number // 3),
        )
        for number, ((first, second), status, visibility) in enumerate(kinds)
    ]


def wanted(row: MatchRow, filters: RowFilters) -> bool:
    seated = filters.player is None or filters.player in (row.seat_1, row.seat_2)
    own = ADA in (row.seat_1, row.seat_2) or (row.opponent == ADA and row.status == "open")
    seen = own if filters.mine else row.visibility == "public"
    return seated and seen and filters.status in (None, row.status)


def read_by_twos(database: Database, filters: RowFilters, sort: str) -> list[MatchRow]:
    found: list[MatchRow] = []
    while True:
        after = readmodels.place_of(found[-1], sort) if found else None
        with database.read() as connection:
            page = list_matches(connection, filters, sort=sort, limit=2, after=after)
        found += page
        if not page:
            return found


def test_what_is_read_seat_by_seat_has_each_match_once_in_order(database: Database) -> None:
    rows, who = crowd(), ((ADA, None), (None, ADA), (BOB, ADA))
    with database.write() as connection:
        for row in rows:
            readmodels.save(connection, row)
    for status, (player, mine), sort in product((None, *STATUSES), who, SORTS):
        filters = RowFilters(status=status, player=player, mine=mine)
        expected = sorted(
            (row for row in rows if wanted(row, filters)),
            key=lambda row: readmodels.place_of(row, sort),
            reverse=True,
        )
        found = read_by_twos(database, filters, sort)
        assert found == expected, (filters, sort)
        assert len(found) > (0 if status in ("open", "aborted") else 1), filters
        if sort == "created":
            assert list(iter_match_ids(database, filters)) == [row.id for row in expected], filters
