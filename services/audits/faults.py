"""What an audit says."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

CHAIN, SEALS, DECISIONS, CACHES = "chain", "seals", "decisions", "caches"
HEADER, CHECKPOINT = "header", "checkpoint"


class Fault(NamedTuple):
    """Something that does not hold. ``check``: one of the names above."""

    version: int | None
    check: str
    detail: str


MOST_TOLD = 100
"""Faults of one match that are told: nobody reads more, and each event may have some."""


def told(faults: Iterable[Fault]) -> list[Fault]:
    """Return the first of many faults, and that there are more."""
    found = [*islice(faults, MOST_TOLD + 1)]
    if len(found) > MOST_TOLD:
        found[-1] = Fault(None, found[-1].check, "There are more faults, which are not told.")
    return found


class Verdict(NamedTuple):
    """What an audit of one match found.

    ``unchecked``: what could not be looked at, and why. ``undecided``: what was asked for, and
    could not be found out with what is at hand.
    """

    match: str
    events: int
    faults: list[Fault]
    unchecked: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether something does not hold."""
        return bool(self.faults)

    @property
    def holds(self) -> bool:
        """Whether everything that was looked at holds, and nothing is undecided."""
        return not self.faults and not self.undecided
