"""What an audit says."""

from __future__ import annotations

from typing import NamedTuple

CHAIN, SEALS, DECISIONS, CACHES = "chain", "seals", "decisions", "caches"
HEADER, CHECKPOINT = "header", "checkpoint"


class Fault(NamedTuple):
    """Something that does not hold. ``check``: one of the names above."""

    version: int | None
    check: str
    detail: str


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
