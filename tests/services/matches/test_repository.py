"""Caches are compared with the log, dropped when they differ, and never missed."""

import orjson
import pytest
from sqlalchemy import Connection

from domain.errors import Corruption
from domain.match.fold import Fold, fold
from domain.match.state import Match, dump, format_of
from services.container import Services
from services.matches.repository import SNAPSHOT_EVERY, Repository
from services.store import matches as readmodels
from services.store.log import codec, events, snapshots
from services.store.log.codec import to_openings
from tests.services.people import Table, chosen, table


def _fresh(house: Services) -> Repository:
    """Return a repository that remembers nothing."""
    return Repository(house.games, house.now, house.matches.repository.randomness)


def _latest(house: Services, connection: Connection, match: str) -> snapshots.Snapshot:
    formats = [format_of(game) for game in house.games]
    kept = snapshots.find_latest(connection, match, formats)
    assert kept is not None
    return kept


def _long(house: Services) -> Table:
    return table(house).start("marathon", {"length": 1_000})


def _run(there: Table, moves: int) -> None:
    there.play(*[{"strides": 1 + number % 3} for number in range(moves)])


def test_a_state_from_memory_a_snapshot_and_the_whole_stream_is_the_same(house: Services) -> None:
    there = _long(house)
    _run(there, SNAPSHOT_EVERY + 10)
    with house.database.read() as connection:
        assert _latest(house, connection, there.match).version == SNAPSHOT_EVERY
        remembered = house.matches.repository.load(connection, there.match)
        from_snapshot = _fresh(house).load(connection, there.match)
    with house.database.write() as connection:
        snapshots.delete(connection)
    with house.database.read() as connection:
        from_events = _fresh(house).load(connection, there.match)
    assert remembered == from_snapshot == from_events


def test_a_snapshot_that_is_not_of_this_stream_is_dropped(house: Services) -> None:
    there = _long(house)
    _run(there, SNAPSHOT_EVERY)
    with house.database.write() as connection:
        kept = _latest(house, connection, there.match)
        snapshots.save(connection, kept._replace(head="f" * 64))
        state = orjson.loads(kept.state)
        state.update(head="f" * 64, ply=999)
        forged = orjson.dumps(state)
        snapshots.save(connection, kept._replace(head="f" * 64, state=forged))
    with house.database.read() as connection:
        loaded = _fresh(house).load(connection, there.match)
    assert loaded is not None
    assert loaded.ply == SNAPSHOT_EVERY


def test_a_snapshot_that_cannot_be_read_is_dropped(house: Services) -> None:
    there = _long(house)
    _run(there, SNAPSHOT_EVERY)
    with house.database.write() as connection:
        kept = _latest(house, connection, there.match)
        snapshots.save(connection, kept._replace(state=b'{"game": "none"}'))
    with house.database.read() as connection:
        loaded = _fresh(house).load(connection, there.match)
    assert loaded is not None
    assert loaded.ply == SNAPSHOT_EVERY


def test_a_state_in_memory_that_is_not_of_this_stream_is_dropped(house: Services) -> None:
    there = _long(house)
    _run(there, 5)
    repository = house.matches.repository
    with house.database.read() as connection:
        good = repository.load(connection, there.match)
    assert good is not None
    state = dump(good)
    state.update(head="e" * 64, ply=77)
    from domain.match.state import load

    repository.remember(load(orjson.loads(orjson.dumps(state)), house.games))
    with house.database.read() as connection:
        assert repository.load(connection, there.match) == good


def test_a_process_that_remembers_an_older_state_catches_up(house: Services) -> None:
    there = _long(house)
    _run(there, 3)
    other = _fresh(house)
    with house.database.read() as connection:
        before = other.load(connection, there.match)
    _run(there, 4)
    with house.database.read() as connection:
        after = other.load(connection, there.match)
    assert before is not None
    assert after is not None
    assert (before.ply, after.ply) == (3, 7)


def test_a_read_model_that_was_removed_is_there_again_after_the_next_move(house: Services) -> None:
    there = _long(house)
    with house.database.write() as connection:
        readmodels.delete(connection)
    _run(there, 1)
    with house.database.read() as connection:
        row = readmodels.find(connection, there.match)
    assert row is not None
    assert (row.ply, row.to_act_player) == (1, there.second)


def test_an_instant_never_goes_back_though_the_clock_does(
    house: Services, request: pytest.FixtureRequest
) -> None:
    there = _long(house)
    _run(there, 1)
    before = there.shown().view.updated_at
    request.getfixturevalue("clock").advance(hours=-3)
    _run(there, 1)
    assert there.shown().view.updated_at == before


@pytest.mark.parametrize("game", ["whisper", "energy-capture", "marathon", "power-line"])
def test_a_fold_straight_from_the_rows_is_the_fold_of_their_events(
    house: Services, game: str
) -> None:
    there = table(house).start(game)
    for _ in range(9):
        seat = there.shown().view.to_act
        if seat is None:
            break
        there.play(chosen(house, there.match, lambda _: -1))
    with house.database.read() as connection:
        stream = events.load(connection, there.match)
        for upto in range(1, len(stream) + 1):
            folding = Fold(house.games)
            events.fold(connection, there.match, folding, upto=upto)
            assert folding.get_state() == fold(stream[:upto], house.games)


def _rows(house: Services) -> list[tuple[bytes, str, bytes | None]]:
    there = table(house).start("marathon")
    _run(there, 5)
    with house.database.read() as connection:
        return [
            (event.body, event.hash, to_openings(event.sealed))
            for event in events.load(connection, there.match)
        ]


def _straight(house: Services, rows: list[tuple[bytes, str, bytes | None]]) -> Match:
    folding = Fold(house.games)
    for event in codec.iter_events(rows):
        folding.add(event)
    return folding.get_state()


@pytest.mark.parametrize("gone", [1, 2])
def test_a_move_that_is_missing_among_others_stops_a_fold(house: Services, gone: int) -> None:
    rows = _rows(house)
    del rows[-gone - 1]
    with pytest.raises(Corruption, match="goes on with version"):
        _straight(house, rows)
