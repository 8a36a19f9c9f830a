"""(b) A whole move command, and (f) a late move against an early one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from statistics import median
from time import perf_counter

from services.matches.requests import Request
from services.store.log import events as log
from tests.bench.databases import Bed
from tests.bench.matches import play, start, two_players
from tests.bench.rounds import Ratio, compared

MOVES = 100
LATE = 1_000


def command(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure a whole move command against a raw INSERT of the same bytes."""
    players = two_players(bed.house)
    match = start(bed.house, "marathon", {"length": 10_000})
    with bed.house.database.read() as connection:
        last = log.load(connection, match)[-1]
    move = mover(bed, match, players, last.version)

    def ours() -> None:
        for _ in range(MOVES):
            move()

    def raw() -> None:
        for _ in range(MOVES):
            bed.insert(last)

    ratio, floor, own = compared(raw, ours, rounds=rounds)
    detail = f"{own / MOVES * 1e6:.0f} µs against {floor / MOVES * 1e6:.0f} µs"
    goal = 0.3 if bed.name == "SQLite" else None
    yield Ratio(f"move command, {bed.name}", ratio, goal, detail)


def mover(bed: Bed, match: str, players: tuple[str, str], version: int) -> Callable[[], None]:
    """Return what makes the next move of a match that is at ``version``."""
    seats, at = cycle(players), version

    def move() -> None:
        nonlocal at
        done = bed.house.matches.play(Request(next(seats), at), match, {"strides": 1})
        at = done.shown.view.version

    return move


def late(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure moves late in a long match against moves at the start of one."""
    players = two_players(bed.house)
    old = start(bed.house, "marathon", {"length": 10_000})
    for number in range(LATE):
        play(bed.house, old, {"strides": 1 + number % 3})
    ratios = []
    late_move = mover(bed, old, players, version(bed, old))
    for _ in range(rounds * 2):
        young = start(bed.house, "marathon", {"length": 10_000})
        early_move = mover(bed, young, players, version(bed, young))
        early_times, late_times = [], []
        for _ in range(40):
            early_times.append(timed(early_move))
            late_times.append(timed(late_move))
        ratios.append(median(late_times) / median(early_times))
    detail = f"moves {LATE} and on against the first 40 of a match"
    yield Ratio(f"late move, {bed.name}", median(ratios), 1.3, detail, at_most=True)


def version(bed: Bed, match: str) -> int:
    """Return the version that a match is at."""
    with bed.house.database.read() as connection:
        head = log.head(connection, match)
    return head.version if head else 0


def timed(work: Callable[[], None]) -> float:
    """Return the seconds that something takes."""
    began = perf_counter()
    work()
    return perf_counter() - began
