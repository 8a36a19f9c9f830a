"""Whoever goes on with an export by its cursor gets all that is new, whatever instant it is of."""

from io import BytesIO
from threading import Thread

import pytest
from sqlalchemy import text

from services.container import Services
from services.errors import CursorGone, InvalidRequest
from services.exchange.exports import Exported, ExportFilter
from services.runtime.settings import Settings
from services.store.db.engine import Database
from services.store.log.exports import ExportSelection, choose
from tests.services.conftest import Clock
from tests.services.exchange.matches import LOCAL, finished, lines
from tests.services.people import table
from tests.support.games import test_games

PLAYERS, MATCHES = 5, 6


def since(house: Services, cursor: str | None) -> list[Exported]:
    return list(house.exports.export_many(LOCAL, ExportFilter(cursor=cursor)))


def ids(found: list[Exported]) -> list[str]:
    return [one.subject.match for one in found]


def test_what_ends_while_the_clock_is_set_back_is_new(house: Services, clock: Clock) -> None:
    first = finished(house)
    [one] = since(house, None)
    clock.advance(hours=-1)
    second = finished(house)
    clock.advance(hours=-1)
    third = finished(house)
    assert ids(since(house, one.cursor)) == [second.match, third.match]
    assert ids(since(house, None)) == [first.match, second.match, third.match]


def test_a_match_of_long_ago_that_is_imported_is_new(
    house: Services, elsewhere: Services, clock: Clock
) -> None:
    old = finished(elsewhere)
    file = b"".join(b"".join(one.chunks) for one in since(elsewhere, None))
    clock.advance(days=3)
    finished(house)
    [one] = since(house, None)
    assert [told.outcome.value for told in house.imports.read(BytesIO(file))] == ["imported"]
    [new] = since(house, one.cursor)
    assert (new.subject.match, b"".join(new.chunks)) == (old.match, file)
    assert since(house, new.cursor) == []


def test_a_match_that_goes_on_comes_again_behind_the_cursor(house: Services) -> None:
    running, other = table(house).start(), table(house).start()
    found = since(house, None)
    assert ids(found) == [running.match, other.match]
    running.act(1, "resign")
    [new] = since(house, found[-1].cursor)
    assert (new.subject.match, new.subject.status) == (running.match, "finished")
    # The event that the first cursor is behind is not the match's last one any more.
    assert ids(since(house, found[0].cursor)) == [other.match, running.match]


def test_who_asks_beside_players_misses_no_match_that_ends(house: Services) -> None:
    players = [Thread(target=_play, args=(house,)) for _ in range(PLAYERS)]
    for player in players:
        player.start()
    cursor, ended = None, {}
    while True:
        playing = any(player.is_alive() for player in players)
        for one in since(house, cursor):
            cursor = one.cursor
            header, *events = lines(b"".join(one.chunks))
            if header["status"] == "finished":
                assert one.subject.match not in ended
                ended[one.subject.match] = events[-1]["hash"]
        if not playing:
            break
    with house.database.read() as connection:
        rows = connection.execute(text("SELECT id, head FROM matches WHERE status = 'finished'"))
        assert ended == {row[0]: row[1] for row in rows}
    assert len(ended) == PLAYERS * MATCHES


def _play(house: Services) -> None:
    for _ in range(MATCHES):
        table(house).start().act(1, "resign")


@pytest.mark.postgres
def test_what_a_transaction_stores_that_commits_late_is_not_missed(
    migrated_postgres_url: str, clock: Clock
) -> None:
    house = Services(Settings(database_url=migrated_postgres_url), games=test_games(), now=clock)
    there = table(house).start()
    cursor = since(house, None)[-1].cursor
    other = Database(migrated_postgres_url)
    with other.write() as late:
        # Whoever writes has a number from here on, and may store something under it.
        late.execute(text("SELECT pg_current_xact_id()"))
        there.act(1, "resign")
        assert since(house, cursor) == []
        assert ids(since(house, None)) == []
    assert ids(since(house, cursor)) == [there.match]
    other.dispose()
    house.close()


def test_a_cursor_of_another_history_is_refused(house: Services) -> None:
    there = finished(house)
    [one] = since(house, None)
    match, version, head = one.cursor.split(",")
    assert match == there.match
    for gone in (
        f"{match},{version},{head[::-1]}",
        f"{match},{int(version) + 1},{head}",
        f"{match[::-1]},{version},{head}",
        "2026-11-27T22:00:00.000000Z,0123456789abcdef",
    ):
        with pytest.raises(CursorGone):
            since(house, gone)
    for none in ("", "x", f"{match},{version}", f"{match},0,{head}", f"{match},{version},{head}\n"):
        with pytest.raises(InvalidRequest):
            since(house, none)


def test_a_match_whose_last_event_is_missing_is_left_out_of_no_page(house: Services) -> None:
    """What the log does not have is for whoever reads the match to find."""
    whole, damaged = finished(house), finished(house)
    with house.database.write() as connection:
        connection.execute(
            text("UPDATE matches SET version = version + 1 WHERE id = :id"), {"id": damaged.match}
        )
    everything, found = ExportSelection(everything=True), []
    after = None
    with house.database.read() as connection:
        while page := choose(connection, everything, after, 1):
            found += [line.id for line in page]
            after = page[-1].place
    assert found == [damaged.match, whole.match]
