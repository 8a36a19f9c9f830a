"""A backup that was restored: a series goes on in it, and ratings come to the same integers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from services.container import Services
from services.runtime.settings import Settings
from services.store import schema
from services.store.talk import Room
from services.talk.chat import Speaker
from tests.services.conftest import Clock
from tests.services.matches.test_series import on, shown, statuses
from tests.services.people import Table, table
from tests.services.ratings.test_rated_matches import everything, faults, rate
from tests.support.games import test_games
from tests.support.postgres import PostgresServer
from tests.web.api.resources.test_events_restored import restored


def begun(house: Services) -> Table:
    """Play two matches of a rated series, of which the first has been rated; return the first."""
    first = table(house).start(series={"length": 5}, rated=True)
    resigned(first)
    assert rate(house) == 1
    resigned(on(first))
    house.chat.say(first.first, first.match, "players", "You fool!")
    house.moderation.report(first.second, Room(first.match, "players"), 1, "As ada said.")
    house.chat.delete(Speaker(first.first), first.match, "players", 1)
    return first


def resigned(there: Table) -> None:
    there.play({"steps": 1}, {"steps": 1})
    there.act(1, "resign")


@pytest.fixture
def copy(
    house: Services, migrated_url: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Table, str]]:
    """Give a series, and the URL of a database into which a backup was restored."""
    there = begun(house)
    if house.database.sqlite:
        path = tmp_path / "backup.sqlite3"
        with closing(sqlite3.connect(migrated_url)) as connection:
            connection.execute("VACUUM INTO ?", [str(path)])
        yield there, str(path)
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    yield there, restored(server, migrated_url, server, tmp_path / "dump", "restored")
    server.drop_database("restored")


def test_in_a_restored_backup_a_series_goes_on_and_ratings_are_the_same(
    house: Services, clock: Clock, copy: tuple[Table, str]
) -> None:
    there, url = copy
    again = Services(Settings(database_url=url), games=test_games(), now=clock)
    try:
        here = Table(again, there.first, there.second, there.match)
        assert shown(here) == shown(there)
        for one in (there, here):
            assert rate(one.house) == 1
            resigned(on(one))
            assert rate(one.house) == 1
            assert statuses(one, one.match) == ["finished"] * 3 + ["active"]
            assert one.house.audits.verify(on(one).match).holds
            assert sum(part.changed for part in one.house.rebuilding.run(anew=True)) == 0
            assert faults(one.house) == []
        assert integers(again) == integers(house)
    finally:
        again.close()


def test_in_a_restored_backup_the_log_of_moderation_is_the_same_and_goes_on(
    house: Services, clock: Clock, copy: tuple[Table, str]
) -> None:
    there, url = copy
    again = Services(Settings(database_url=url), games=test_games(), now=clock)
    try:
        [entry] = again.moderation.list_entries(None, 9).listed
        assert [entry] == house.moderation.list_entries(None, 9).listed
        assert entry.said is not None
        assert (entry.row.reason, entry.said.text) == ("As ada said.", "You fool!")
        for attack in ("UPDATE moderation SET reason = 'None.'", "DELETE FROM moderation"):
            with pytest.raises(DBAPIError), again.database.write() as connection:
                connection.execute(text(attack))
        again.moderation.suspend(there.second, "ada", "Threats.")
        assert [one.row.number for one in again.moderation.list_entries(None, 9).listed] == [2, 1]
        assert schema.list_differences(again.database) == []
    finally:
        again.close()


def integers(house: Services) -> list[object]:
    """Return all that ratings are, but for the ids of matches, which the next one draws anew."""
    now, changes = everything(house)
    return [now, [one._replace(match="") for one in changes]]
