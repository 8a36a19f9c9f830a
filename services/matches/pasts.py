"""States that takebacks lead to: each folded from the nearest base, and none from within another.

What is wanted may itself lie behind takebacks, whose states are needed first, and so on. They are
made one after the other, so that a match of nothing but takebacks is no deeper than any other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

from domain.match.evolve import Past
from domain.match.state import Match

Base = Callable[[int], Match | None]
"""Gives the newest state at hand that is not behind a version, or None."""

Making = Callable[[int, Match | None, Past], Match]
"""Folds up to a version, from a base on, with the past that this needs."""

Takebacks = Callable[[], list[tuple[int, int]]]
"""Gives the version of each takeback of a match, and the one to which it led, in order."""


class Pasts:
    """The past of one match; nothing is read before one asks."""

    def __init__(self, takebacks: Takebacks, base: Base, make: Making) -> None:
        self._read = takebacks
        self._takebacks: list[tuple[int, int]] | None = None
        self._base = base
        self._make = make
        self._known: dict[int, Match] = {}

    def __call__(self, version: int) -> Match:
        """Return the state right after an earlier version. Raises ``Corruption``."""
        waiting = [version]
        while waiting:
            wanted = waiting[-1]
            if wanted in self._known:
                waiting.pop()
                continue
            base = self._nearest(wanted)
            missing = list(self._missing(0 if base is None else base.version, wanted))
            if missing:
                # The earliest on top: those after it begin where it ends.
                waiting += sorted(missing, reverse=True)
                continue
            self._known[wanted] = self._make(wanted, base, self._known.__getitem__)
        return self._known[version]

    def _nearest(self, version: int) -> Match | None:
        nearest = max((one for one in self._known if one <= version), default=None)
        return self._base(version) if nearest is None else self._known[nearest]

    def _missing(self, after: int, upto: int) -> Iterator[int]:
        """Yield where takebacks in a span lead to, as far as that is not known."""
        if self._takebacks is None:
            self._takebacks = self._read()
        first = bisect_right(self._takebacks, (after, upto))
        for at, back in self._takebacks[first:]:
            if at > upto:
                return
            # One that leads nowhere is for the fold to refuse.
            if 0 < back < at and back not in self._known:
                yield back
