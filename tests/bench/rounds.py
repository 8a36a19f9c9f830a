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


def seconds(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes."""
    gc.collect()
    began = perf_counter()
    work()
    return perf_counter() - began


def compared(
    floor: Callable[[], object], ours: Callable[[], object], *, rounds: int
) -> tuple[float, float, float]:
    """Run both in turns; return the median ratio of rates, and both medians in seconds.

    Above 1, ours is the faster of the two.
    """
    pairs = []
    for number in range(rounds + 1):
        first, second = (floor, ours) if number % 2 else (ours, floor)
        times = {first: seconds(first), second: seconds(second)}
        if number:  # the first round only warms up
            pairs.append((times[floor], times[ours]))
    ratio = median(raw / own for raw, own in pairs)
    return ratio, median(raw for raw, _ in pairs), median(own for _, own in pairs)
