"""(a) Appending, (c) loading and folding, (d) verifying the chain."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from secrets import token_hex

import orjson

from domain import chain
from domain.events import Event, MoveMade, Proposal
from domain.json_types import JsonObject
from domain.match import fold
from domain.sealing import chained
from services.audits import chain_faults
from services.store import events as log
from tests.bench.databases import Bed
from tests.bench.matches import play, play_randomly, start
from tests.bench.rounds import Ratio, compared

APPENDS = 100
LONG = 1_000
LONGEST_OF_OURS: tuple[tuple[str, JsonObject], ...] = (
    ("power-line", {"length": 21, "nodes": 21, "energy": 99}),
    ("energy-capture", {}),
    ("grid-power", {}),
    ("path-capture", {"length": 41}),
)


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
    previous = chain.GENESIS
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
    """Measure load and fold against a raw SELECT with orjson and a trivial fold."""
    long = start(bed.house, "marathon", {"length": 10_000})
    for number in range(LONG):
        play(bed.house, long, {"strides": 1 + number % 3})
    yield _folded(bed, f"load and fold {LONG} events", long, rounds)
    for game, options in LONGEST_OF_OURS:
        match = start(bed.house, game, options)
        events = play_randomly(bed.house, match)
        yield _folded(bed, f"load and fold {game} ({events} events)", match, rounds)


def _folded(bed: Bed, name: str, match: str, rounds: int) -> Ratio:
    database, games = bed.house.database, bed.house.games
    times = max(1, 2_000 // len(bed.select(match)))

    def ours() -> None:
        for _ in range(times):
            with database.read() as connection:
                fold(log.each(connection, match), games)

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


def verify_chain(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure the check of a chain against raw SHA-256 over the stored bytes."""
    match = start(bed.house, "marathon", {"length": 10_000})
    for number in range(LONG):
        play(bed.house, match, {"strides": 1 + number % 3})
    with bed.house.database.read() as connection:
        stream = log.load(connection, match)
    bodies = [event.body for event in stream]

    def ours() -> None:
        for _ in range(10):
            assert not list(chain_faults(stream, match))

    def raw() -> None:
        for _ in range(10):
            for body in bodies:
                sha256(body).hexdigest()

    ratio, floor, own = compared(raw, ours, rounds=rounds * 2)
    per_event = len(stream) * 10 / 1e6
    detail = f"{own / per_event:.2f} µs an event against {floor / per_event:.2f} µs"
    yield Ratio(f"verify a chain, {bed.name}", ratio, 0.5, detail)
