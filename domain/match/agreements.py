"""The facts of what seats agree on besides moves: offers, takebacks, and what stops a clock.

They are events as those of ``domain.match.events`` are. Versions are versions of events, amounts
whole seconds.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class DrawOffered(NamedTuple):
    """A seat offers a draw; ``version``: that of the position on which it does."""

    seat: int
    version: int


class DrawDeclined(NamedTuple):
    """A draw offer is turned down, or withdrawn by the seat that made it."""

    seat: int
    version: int


class TakebackOffered(NamedTuple):
    """A seat asks to go back to what stood right after the event ``version``."""

    seat: int
    version: int


class TakebackDeclined(NamedTuple):
    """A takeback is turned down, or withdrawn by the seat that asked for it."""

    seat: int
    version: int


class TakebackAccepted(NamedTuple):
    """The game goes back to what stood right after the event ``version``."""

    seat: int
    version: int


class PauseOffered(NamedTuple):
    """A seat proposes that both clocks stand for ``amount`` seconds."""

    seat: int
    amount: int


class PauseDeclined(NamedTuple):
    """A pause is turned down, or withdrawn by the seat that proposed it."""

    seat: int


class ResumeOffered(NamedTuple):
    """A seat proposes to end a pause that both agreed to before its time."""

    seat: int


class ResumeDeclined(NamedTuple):
    """The earlier end of a pause is turned down, or withdrawn by the seat that proposed it."""

    seat: int


class AbortOffered(NamedTuple):
    """A seat proposes to abort the match."""

    seat: int


class AbortDeclined(NamedTuple):
    """Aborting is turned down, or withdrawn by the seat that proposed it."""

    seat: int


class ClockPaused(NamedTuple):
    """Clocks stand for ``amount`` seconds from now on, and then run by themselves.

    Reason ``agreement``: both, and ``seat`` agreed. Reason ``vacation``: that of ``seat``.
    """

    seat: int
    reason: str
    amount: int


class ClockResumed(NamedTuple):
    """Clocks that stand run again, ``amount`` seconds early; seat and reason as above."""

    seat: int
    reason: str
    amount: int


class TimeGiven(NamedTuple):
    """``seat`` has ``amount`` seconds more.

    Reason ``gift``: from the other seat. Reason ``downtime``: its clock ran for so long while the
    service was away, and that does not count.
    """

    seat: int
    reason: str
    amount: int


Agreement: TypeAlias = (
    DrawOffered
    | DrawDeclined
    | TakebackOffered
    | TakebackDeclined
    | TakebackAccepted
    | PauseOffered
    | PauseDeclined
    | ResumeOffered
    | ResumeDeclined
    | AbortOffered
    | AbortDeclined
    | ClockPaused
    | ClockResumed
    | TimeGiven
)
