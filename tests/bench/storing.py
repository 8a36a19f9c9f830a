"""Appending, loading and folding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from secrets import token_hex

import orjson

from domain.json_types import JsonObject
from domain.log.event_format import GENESIS
from domain.match.events import Event, MoveMade, Proposal, chain_events
from domain.match.fold import Fold
from services.matches.repository import Repository
from services.store.log import events as log
from tests.bench.databases import Bed, Raw, insert
from tests.bench.moving import marathon, play_long
from tests.bench.rounds import Ratio, Sides, measured

APPENDS = 100
LONG = 1_000
LONGEST_OF_OURS: tuple[tuple[str, JsonObject], ...] = (
    ("power-line", {"length": 21, "nodes": 21, "energy": 99}),
    ("path-capture", {"length": 41}),
    ("power-lines", {}),
)
"""The games whose matches get longest, with the options that make them so."""


def append(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure the append of one event against a raw INSERT of the same bytes."""
    stream, others = _events(token_hex(8)), _events(token_hex(8))

    def ours() -> None:
        with bed.house.database.write() as connection:
            log.append(connection, log.NewEvents([log.row_of(next(stream))]))

    goal = 0.6 if bed.name == "SQLite" else 0.4
    sides = Sides(insert(bed.raw, lambda: next(others)), ours, APPENDS)
    yield measured(f"append, {bed.name}", goal, sides, rounds)


def _events(match: str) -> Iterator[Event]:
    previous = GENESIS
    for version in count():
        fact = MoveMade(1 + version % 2, version, {"strides": 1 + version % 3}, "player")
        [event] = chain_events(
            [Proposal(fact, "seat-1")],
            match=match,
            version=version,
            previous=previous,
            at="2026-11-27T22:03:11.482913Z",
            salt=str,
        )
        previous = event.hash
        yield event


def load_and_fold(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure load and fold against a raw SELECT of all events with orjson and a trivial fold.

    ``fold``: every event there is. ``load``: what a command does in a process that has not
    seen the match, from the newest snapshot on. What is sealed and drawn in the card game is no
    trivial fold: what keeps its loads quick is the snapshot, and its whole fold has no goal.
    """
    house = bed.house
    long, move = marathon(house)
    for _ in range(LONG):
        move()
    matches = [(game, play_long(house, game, options)) for game, options in LONGEST_OF_OURS]

    def fold(match: str) -> None:
        folding = Fold(house.games)
        with house.database.read() as connection:
            log.fold(connection, match, folding)
        assert folding.get_state().ply

    def load(match: str) -> None:
        fresh = Repository(house.games, house.now, house.matches.repository.randomness)
        with house.database.read() as connection:
            assert fresh.load(connection, match) is not None

    for game, match in [("marathon", long), *matches]:
        floor, events = _trivial_fold(bed.raw, match)
        name = f"{events} events of {game}, {bed.name}"
        times = max(1, 2_000 // events)
        for what, work, goal in (("load", load, 0.4), ("fold", fold, 0.2)):
            unbound = what == "fold" and house.games.get(game).secrets
            sides = Sides(floor, partial(work, match), times)
            yield measured(f"{what} {name}", None if unbound else goal, sides, rounds * 2)


def _trivial_fold(bare: Raw, match: str) -> tuple[Callable[[], None], int]:
    """Return what reads all events of a match and counts its moves, and how many events."""
    sql = f'SELECT body FROM events WHERE "match" = {bare.mark} ORDER BY version'

    def fold() -> None:
        plies = 0
        for row in bare.execute(sql, (match,)).fetchall():
            event = orjson.loads(row[0])
            if event["kind"] == "move-made":
                plies = event["data"]["ply"]
        assert plies

    return fold, len(bare.execute(sql, (match,)).fetchall())
