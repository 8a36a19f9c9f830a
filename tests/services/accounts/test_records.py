"""Sums of results: a record is the same whether its matches were counted, are being, or wait."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.engine.interfaces import DBAPICursor

from services.accounts import profiles
from services.accounts.profiles import Results
from services.container import Services
from services.store import imports, matches
from services.store.db import engine
from services.store.db.engine import Database, run
from services.store.imports import ImportedRow
from services.store.lobby import records
from tests.services.people import table, together

GAME = "path-capture"


def sums(house: Services) -> set[tuple[object, ...]]:
    with house.database.read() as connection:
        return {tuple(row) for row in connection.execute(text("SELECT * FROM records"))}


def test_a_record_is_the_same_before_and_after_its_matches_are_counted(house: Services) -> None:
    there = table(house)
    there.start().act(1, "resign")
    drawn = there.start("grid-power")
    drawn.act(1, "offer_draw")
    drawn.act(2, "accept_draw")
    there.start()
    before = [house.profiles.get_by_name(name) for name in ("ada", "brook")]
    assert (house.profiles.count_results(), house.profiles.count_results()) == (2, 0)
    assert [house.profiles.get_by_name(name) for name in ("ada", "brook")] == before
    assert sums(house) == {
        *((there.first, GAME, 0, 1, 0), (there.first, "grid-power", 0, 0, 1)),
        *((there.second, GAME, 1, 0, 0), (there.second, "grid-power", 0, 0, 1)),
    }
    # The one that went on ends behind it, and is added to what is there.
    there.act(2, "resign")
    assert house.profiles.get_by_name("ada").records[1] == Results(GAME, won=1, lost=1)
    assert house.profiles.count_results() == 1
    assert (there.first, GAME, 1, 1, 0) in sums(house)


def test_two_who_count_at_once_count_each_match_once(
    houses: tuple[Services, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = houses
    monkeypatch.setattr(profiles, "AT_ONCE", 2)
    there = table(one)
    for _ in range(8):
        there.start().act(1, "resign")
    found = together(one.profiles.count_results, other.profiles.count_results)
    assert sum(number for number in found if isinstance(number, int)) == 8
    assert sums(one) == {(there.first, GAME, 0, 8, 0), (there.second, GAME, 8, 0, 0)}


@pytest.mark.parametrize(
    "migrated_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)
def test_a_match_that_somebody_holds_is_counted_later(house: Services) -> None:
    """Else whoever makes the lists anew and whoever counts could wait for each other."""
    there = table(house).start()
    there.act(1, "resign")
    with house.database.write() as connection:
        assert matches.find(connection, there.match, lock=True)
        assert house.profiles.count_results() == 0
    assert house.profiles.count_results() == 1


def test_an_imported_match_waits_for_nobody_and_is_in_no_sum(house: Services) -> None:
    there = table(house).start()
    there.act(1, "resign")
    with house.database.write() as connection:
        imports.insert(connection, [ImportedRow(there.match, "2026", {})])
    assert house.profiles.get_by_name("ada").records == []
    assert (house.profiles.count_results(), house.profiles.count_results()) == (1, 0)
    assert sums(house) == set()


WRONG = {
    "a sum": "UPDATE records SET won = won + 1",
    "no sums": "DELETE FROM records",
    "a sum of nothing": "INSERT INTO records VALUES ('p_nobody', 'path-capture', 0, 0, 7)",
    "nothing is said to be counted": "UPDATE matches SET counted = false",
    "another winner": "UPDATE matches SET winner = 3 - winner",
    "no rows": "DELETE FROM matches",
    "all is said to be counted": "UPDATE matches SET counted = true",
}


def test_a_record_that_disagrees_with_the_log_is_told_and_put_right(house: Services) -> None:
    there = table(house)
    for seat in (1, 2, 2):
        there.start().act(seat, "resign")
    house.profiles.count_results()
    there.start()
    going_on = there.match
    for how, sql in WRONG.items():
        with house.database.write() as connection:
            connection.execute(text(sql))
        assert list(house.rebuilding.iter_differences()), how
        for _ in house.rebuilding.run(anew=True):
            pass
        assert list(house.rebuilding.iter_differences()) == [], how
        assert house.profiles.get_by_name("ada").records == [Results(GAME, won=2, lost=1)], how
        assert house.profiles.count_results() in (0, 3)
        assert house.profiles.get_by_name("ada").records == [Results(GAME, won=2, lost=1)], how
    there.match = going_on
    there.act(2, "resign")
    assert house.profiles.get_by_name("ada").records == [Results(GAME, won=3, lost=1)]


def test_what_is_not_counted_yet_is_found_by_indexes_of_its_own(
    migrated_sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of all matches of a player would go through as many as were counted, too."""
    plans: list[str] = []

    def planned(
        connection: Connection, sql: str, values: Sequence[object], **how: bool
    ) -> DBAPICursor:
        plan = run(connection, f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
        plans.extend(row[-1] for row in plan)
        return run(connection, sql, values, **how)

    monkeypatch.setattr(engine, "run", planned)
    with Database(migrated_sqlite_url).read() as connection:
        for players in (["p_1"], ["p_1", "p_2"]):
            assert records.list_by_players(connection, players) == []
        assert records.list_waiting(connection, 9) == []
    read = [one for one in plans if "matches" in one and "imported" not in one]
    assert len(read) == 5
    assert all("ix_matches_uncounted_seat_" in one for one in read), read
