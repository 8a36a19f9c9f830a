"""What a move pays for a sequencer that signs every second, at worst: in the same process."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from threading import Event

from services.checkpoints.sequencing import LOOK_EVERY, Follower
from services.worker import Chore, Worker
from tests.bench.databases import Bed
from tests.bench.matches import start, two_players
from tests.bench.moving import mover, timed, version
from tests.bench.rounds import Ratio

MOVES = 1_000
INTERVAL = 1.0
"""Seconds: sixty times as often as it is set by default."""


def signing(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure moves while checkpoints are signed against moves while none are."""
    _moves(bed)  # warms up
    bed.house.sequencer.run()
    whole, halves, signed = [], [], 0
    for _ in range(rounds):
        without = _moves(bed)
        before = bed.house.checkpoints.latest().size
        worker = Worker(bed.house.database, [_signing(bed)], Event())
        worker.start()
        beside = _moves(bed)
        worker.end()
        bed.house.sequencer.run()
        signed += bed.house.checkpoints.latest().size - before
        whole.append(sum(beside) / sum(without))
        halves.append(median(beside) / median(without))
    detail = f"{rounds} times {MOVES} moves beside it, {signed} heads signed"
    yield Ratio(f"moves beside checkpoints, {bed.name}", median(whole), 1.1, detail, at_most=True)
    yield Ratio(f"the median of them, {bed.name}", median(halves), 1.1, detail, at_most=True)


def _signing(bed: Bed) -> Chore:
    follower = Follower(bed.house.sequencer, INTERVAL)
    return Chore("checkpoints", LOOK_EVERY, lambda: {"signed": follower.look() or 0}, alone=True)


def _moves(bed: Bed) -> list[float]:
    players = two_players(bed.house)
    match = start(bed.house, "marathon", {"length": 10_000})
    move = mover(bed, match, players, version(bed, match))
    return [timed(move) for _ in range(MOVES)]
