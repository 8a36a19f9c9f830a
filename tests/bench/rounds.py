"""Taking turns, and the ratios that come of it."""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import NamedTuple


class Ratio(NamedTuple):
    """A measured ratio. ``goal``: at least that much (``at_most``: at most)."""

    name: str
    value: float
    goal: float | None
    detail: str
    at_most: bool = False

    @property
    def reached(self) -> bool:
        """Whether the goal, if there is one, is reached."""
        if self.goal is None:
            return True
        return self.value <= self.goal if self.at_most else self.value >= self.goal


class Sides(NamedTuple):
    """A floor, and what is measured against it.

    ``times``: how often each is done in a round. ``pieces``: of how many things it is the work.
    """

    floor: Callable[[], object]
    ours: Callable[[], object]
    times: int = 1
    pieces: int = 1


def measured(name: str, goal: float | None, sides: Sides, rounds: int) -> Ratio:
    """Do both in turns; return the median ratio of rates, above 1 where ours is the faster."""
    pairs = []
    for number in range(rounds + 1):
        works = [sides.floor, sides.ours][:: 1 if number % 2 else -1]
        taken = {work: _seconds(work, sides.times) for work in works}
        if number:  # the first round only warms up
            pairs.append((taken[sides.floor], taken[sides.ours]))
    scale = 1e6 / sides.times / sides.pieces
    floor, own = (median(side) * scale for side in zip(*pairs, strict=True))
    detail = f"{own:.1f} µs against {floor:.1f} µs, or {1e6 / own:,.0f} a second"
    return Ratio(name, median(floor / own for floor, own in pairs), goal, detail)


def _seconds(work: Callable[[], object], times: int) -> float:
    gc.collect()
    began = perf_counter()
    for _ in range(times):
        work()
    return perf_counter() - began
