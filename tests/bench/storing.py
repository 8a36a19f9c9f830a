"""Appending, loading and folding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from secrets import token_hex

import orjson

from domain.json_types import JsonObject
from domain.log import event_format
from domain.match.events import Event, MoveMade, Proposal, chained
from domain.match.fold import Folding
from services.matches.repository import Repository
from services.store.log import events as log
from tests.bench.databases import Bed
from tests.bench.matches import play, play_long, start
from tests.bench.rounds import Ratio, compared

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
    stream = _events(token_hex(8))
    database = bed.house.database

    def ours() -> None:
        for _ in range(APPENDS):
            event = next(stream)
            with database.write() as connection:
                log.append(connection, [event])

    raw_stream = _events(token_hex(8))

    def raw() -> None:
        for _ in range(APPENDS):
            bed.insert(next(raw_stream))

    ratio, floor, own = compared(raw, ours, rounds=rounds)
    goal = 0.65 if bed.name == "SQLite" else 0.45
    detail = f"{own / APPENDS * 1e6:.0f} µs against {floor / APPENDS * 1e6:.0f} µs"
    yield Ratio(f"append, {bed.name}", ratio, goal, detail)


def _events(match: str) -> Iterator[Event]:
    previous = event_format.GENESIS
    for version in count():
        fact = MoveMade(1 + version % 2, version, {"strides": 1 + version % 3}, "player")
        [event] = chained(
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
    long = start(bed.house, "marathon", {"length": 10_000})
    for number in range(LONG):
        play(bed.house, long, {"strides": 1 + number % 3})
    yield _folded(bed, f"fold {LONG} events of marathon", long, rounds, 0.4)
    yield _loaded(bed, f"load {LONG} events of marathon", long, rounds)
    for game, options in LONGEST_OF_OURS:
        match = start(bed.house, game, options)
        events = play_long(bed.house, match)
        yield _loaded(bed, f"load {events} events of {game}", match, rounds)
        goal = None if bed.house.games.get(game).secrets else 0.4
        yield _folded(bed, f"fold {events} events of {game}", match, rounds, goal)


def _folded(bed: Bed, name: str, match: str, rounds: int, goal: float | None) -> Ratio:
    database, games = bed.house.database, bed.house.games

    def once() -> None:
        folding = Folding(games)
        with database.read() as connection:
            log.fold(connection, match, folding)
        assert folding.result().ply

    return _against_a_trivial_fold(bed, name, match, rounds, once)._replace(goal=goal)


def _loaded(bed: Bed, name: str, match: str, rounds: int) -> Ratio:
    house = bed.house

    def once() -> None:
        fresh = Repository(house.games, house.now, house.matches.entropy)
        with house.database.read() as connection:
            assert fresh.load(connection, match) is not None

    return _against_a_trivial_fold(bed, name, match, rounds, once)


def _against_a_trivial_fold(
    bed: Bed, name: str, match: str, rounds: int, once: Callable[[], None]
) -> Ratio:
    times = max(1, 2_000 // len(bed.select(match)))

    def ours() -> None:
        for _ in range(times):
            once()

    def raw() -> None:
        for _ in range(times):
            plies = 0
            for row in bed.select(match):
                event = orjson.loads(row[0])
                if event["kind"] == "move-made":
                    plies = event["data"]["ply"]
            assert plies

    ratio, floor, own = compared(raw, ours, rounds=rounds * 2)
    detail = f"{own / times * 1e3:.2f} ms against {floor / times * 1e3:.2f} ms"
    return Ratio(f"{name}, {bed.name}", ratio, 0.4, detail)
