"""The event store: what is appended is read back, and every version is somebody's once."""

import threading
from collections.abc import Callable

import orjson
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from domain.match.events import Event, Proposal, TakebackAccepted, chain_events, format_actor
from services.store.db.engine import MOST_ROWS, Database
from services.store.log import events as log
from tests.services.store.streams import AT, MATCH, moves, of_one_match

OTHER = "fedcba9876543210"


def append(database: Database, events: list[Event]) -> None:
    with database.write() as connection:
        log.append(connection, of_one_match(events))


def stored(database: Database, match: str = MATCH) -> list[Event]:
    with database.read() as connection:
        return log.load(connection, match)


def test_what_is_appended_is_read_back_with_its_seals(database: Database) -> None:
    events = moves(3)
    append(database, events)
    assert stored(database) == events


def test_the_stored_bytes_are_those_that_were_hashed(database: Database) -> None:
    [event] = moves(1)
    append(database, [event])
    with database.read() as connection:
        row = connection.execute(text("SELECT body, hash, kind, at, openings FROM events")).one()
    assert (bytes(row.body), row.hash, row.kind, row.at) == (
        event.body,
        event.hash,
        "move-made",
        AT,
    )
    [seal] = event.sealed
    assert orjson.loads(row.openings) == [[seal.salt, seal.value]]


def test_events_are_read_from_a_version_to_a_version_and_so_many(database: Database) -> None:
    events = moves(9)
    append(database, events)
    with database.read() as connection:
        assert log.load(connection, MATCH, after=3, upto=6) == events[3:6]
        assert log.load(connection, MATCH, after=3, limit=2) == events[3:5]
        assert log.load(connection, MATCH, after=9) == []
        assert log.load(connection, OTHER) == []


def test_the_head_is_the_last_event(database: Database) -> None:
    events = moves(4)
    append(database, events)
    with database.read() as connection:
        assert log.find_head(connection, MATCH) == (4, events[-1].hash, AT)
        assert log.find_head(connection, OTHER) is None


def test_heads_of_more_matches_than_one_statement_takes_are_all_found(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MOST_ROWS", 2)
    heads = {}
    for match in ("a", "b", "c", "d", "e"):
        events = moves(2, match=match)
        append(database, events)
        heads[match] = events[-1].hash
    with database.read() as connection:
        assert log.find_heads(connection, [*heads, OTHER]) == heads


def test_takebacks_are_those_of_one_match(database: Database) -> None:
    for match, to in ((MATCH, 1), (OTHER, 2)):
        events = moves(2, match=match)
        taken = Proposal(TakebackAccepted(1, to), format_actor(1))
        following = chain_events(
            [taken], match=match, version=2, previous=events[-1].hash, at=AT, salt=str
        )
        append(database, [*events, *following])
    with database.read() as connection:
        assert log.list_takebacks(connection, MATCH) == [(3, 1)]


def test_many_events_are_appended_at_once(database: Database) -> None:
    events = moves(2 * MOST_ROWS + 1)
    append(database, events)
    assert stored(database) == events


def test_a_version_that_is_taken_is_refused_and_nothing_is_stored(database: Database) -> None:
    events = moves(3)
    append(database, events)
    rival = moves(4, after=events[1])
    with pytest.raises(log.VersionTaken, match=rf"^match {MATCH} has gone on$"):
        append(database, rival)
    assert stored(database) == events


def test_of_two_first_events_one_is_refused(database: Database) -> None:
    append(database, moves(1))
    with pytest.raises(log.VersionTaken):
        append(database, moves(1))


def test_a_version_left_out_is_a_mistake_and_no_conflict(database: Database) -> None:
    events = moves(3)
    append(database, events[:1])
    with pytest.raises(IntegrityError, match=r"gap"):
        append(database, events[2:])
    assert stored(database) == events[:1]


def test_a_first_event_is_version_one(database: Database) -> None:
    with pytest.raises(IntegrityError, match=r"gap"):
        append(database, moves(2)[1:])


def test_versions_of_one_match_are_no_concern_of_another(database: Database) -> None:
    append(database, moves(3))
    append(database, moves(2, match=OTHER))
    assert [event.version for event in stored(database, OTHER)] == [1, 2]


def test_an_exception_in_the_block_undoes_what_was_appended(database: Database) -> None:
    def fail() -> None:
        with database.write() as connection:
            log.append(connection, of_one_match(moves(2)))
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert stored(database) == []


def in_threads(number: int, work: Callable[[int], None]) -> list[Exception]:
    errors: list[Exception] = []

    def run(one: int) -> None:
        try:
            work(one)
        except Exception as error:  # noqa: BLE001 - whatever it is, the test wants to see it
            errors.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return errors


def test_of_eight_writers_exactly_one_wins_each_version(database: Database) -> None:
    wins: list[tuple[int, int]] = []
    rounds = 12

    def play(one: int) -> None:
        while True:
            with database.read() as connection:
                seen = log.load(connection, MATCH)
            if len(seen) >= rounds:
                return
            [event] = moves(1, after=seen[-1] if seen else None)
            try:
                append(database, [event])
            except log.VersionTaken:
                continue
            wins.append((event.version, one))

    assert in_threads(8, play) == []
    assert sorted(version for version, _ in wins) == list(range(1, len(wins) + 1))
    assert [event.version for event in stored(database)] == list(range(1, len(wins) + 1))


def test_writers_that_read_first_and_write_later_never_fail_for_it(database: Database) -> None:
    def play(one: int) -> None:
        match = f"{one:016}"
        for _ in range(10):
            with database.write() as connection:
                seen = log.load(connection, match)
                log.append(
                    connection,
                    of_one_match(moves(1, match=match, after=seen[-1] if seen else None)),
                )

    assert in_threads(8, play) == []
    assert all(len(stored(database, f"{one:016}")) == 10 for one in range(8))
