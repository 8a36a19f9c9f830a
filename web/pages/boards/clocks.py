"""The clocks of a match as a page shows them: who has how much time, and until when."""

from __future__ import annotations

from typing import NamedTuple

from domain.match.clock import left_at, pace_words
from domain.match.clock import span as span_between
from domain.match.narration import span_words
from services.matches.showing import Shown


class Until(NamedTuple):
    """An instant, and how far it is away in words."""

    at: str
    left: str


class SeatClock(NamedTuple):
    """A seat's clock. ``until``: when its time is up, if it runs or will run when breaks end.

    ``away``: until when its player is on vacation, or None.
    """

    seat: int
    left: str
    running: bool
    until: str | None
    away: str | None


class Clocks(NamedTuple):
    """All of it. ``deadline``: of the seat to act; ``paused``: until when both stand, or None."""

    pace: str
    seats: list[SeatClock]
    deadline: Until | None
    paused: str | None
    is_up: bool


def clocks(shown: Shown) -> Clocks | None:
    """Return the clocks of a match that has some and has begun, None otherwise."""
    view, now = shown.view, shown.at
    clock = view.clock
    if clock is None:
        return None
    deadline = view.deadline
    seats = [
        SeatClock(
            seat,
            span_words(left),
            clock.running == seat,
            deadline if clock.running == seat else None,
            away if away > now else None,
        )
        for seat, left, away in zip((1, 2), left_at(clock, now), clock.away_until, strict=True)
    ]
    return Clocks(
        pace_words(view.pace),
        seats,
        None if deadline is None else Until(deadline, span_words(span_between(now, deadline))),
        clock.paused_until if clock.paused_until > now and clock.running else None,
        deadline is not None and deadline <= now,
    )
