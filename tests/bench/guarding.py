"""What a move pays, in a match without conditional moves, for not missing any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from unittest.mock import patch

from services.store import matches as readmodels
from tests.bench.databases import Bed
from tests.bench.matches import start, two_players
from tests.bench.moving import mover, timed, version
from tests.bench.rounds import Ratio

MOVES = 40


def guard(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure moves that look for lines against moves that do not, in turns."""
    players = two_players(bed.house)
    match = start(bed.house, "marathon", {"length": 10_000})
    move = mover(bed, match, players, version(bed, match))
    plain: list[float] = []
    guarded: list[float] = []
    for _ in range(rounds):
        for _ in range(MOVES):
            guarded.append(timed(move))
            with _unguarded():
                plain.append(timed(move))
    ratio = median(guarded) / median(plain)
    detail = f"{median(guarded) * 1e6:.0f} µs against {median(plain) * 1e6:.0f} µs"
    yield Ratio(f"guarded move, {bed.name}", ratio, 1.05, detail, at_most=True)


@contextmanager
def _unguarded() -> Iterator[None]:
    with (
        patch.object(readmodels, "save_guarded", lambda _: readmodels.SAVE),
        patch.object(readmodels, "guarded", lambda row: row),
    ):
        yield
