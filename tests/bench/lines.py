"""A move while conditional moves are stored that it does not fulfil, against one without any."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random
from statistics import median
from time import perf_counter

from services.matches.conditional_moves.plans import ConditionalMovesChange
from services.matches.requests import ChangeRequest
from tests.bench.databases import Bed
from tests.bench.moving import start
from tests.bench.rounds import Ratio
from tests.services.matches.test_conditional_execution_costs import LINES, PLAYED, others

MOVES, QUICK = 2000, 200


def lines(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure moves in turns with 0, 1 and 90 lines; yields the most unequal of the medians.

    The matches of a turn are made ready before any of their moves is timed: what storing 90 lines
    leaves behind, in the caches of the processor and of the database, then slows all of them alike.
    """
    times: dict[int, list[float]] = {number: [] for number in LINES}
    order = Random(1)
    for _ in range(MOVES if rounds > 3 else QUICK):
        ready = [(number, *_ready(bed, number)) for number in order.sample(LINES, len(LINES))]
        for number, request, match, _ in order.sample(ready, len(ready)):
            gc.collect(0)
            began = perf_counter()
            bed.house.matches.play(request, match, PLAYED)
            times[number].append(perf_counter() - began)
        for _, _, match, author in ready:
            # What became of them is written by now, and keeps the next one from nothing.
            bed.house.conditional_moves.show(author, match)
    medians = {number: median(some) for number, some in times.items()}
    told = ", ".join(f"{number}: {1e3 * value:.3f} ms" for number, value in medians.items())
    value = max(medians.values()) / min(medians.values())
    yield Ratio(f"move against lines, {bed.name}", value, 1.05, told, at_most=True)


def _ready(bed: Bed, number: int) -> tuple[ChangeRequest, str, str]:
    """Start a match with so many lines; return the request of a move, it, and their author."""
    match, (first, second), version = start(bed.house, "grid-power", {})
    if number:
        bed.house.conditional_moves.replace(
            ConditionalMovesChange(second, 0, version), match, others(number)
        )
    return ChangeRequest(first, version), match, second
