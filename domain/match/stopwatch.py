"""The time that each move took, from the instants of events."""

from __future__ import annotations

from domain.match.agreements import TakebackAccepted, TimeGiven
from domain.match.clock import ran
from domain.match.events import ChanceDrawn, Event, MatchStarted, MoveMade, TurnPassed
from domain.match.evolve import DOWNTIME
from domain.match.pace import SECOND
from domain.match.views import MatchView

_BEGIN_ANEW = (ChanceDrawn, MatchStarted, TakebackAccepted, TurnPassed)
"""Facts after which whoever is to act begins to think."""


class Stopwatch:
    """Runs while a seat thinks; stands while its clock stands. See every event, in order."""

    def __init__(self) -> None:
        self._so_far = 0

    def used(self, before: MatchView, event: Event) -> int | None:
        """Return the microseconds that a move took, None of other events.

        ``before``: the match right before the event.
        """
        if before.to_act is not None:
            self._so_far += ran(before.clock, before.to_act, before.updated_at, event.at)
        if isinstance(event.fact, MoveMade):
            used, self._so_far = self._so_far, 0
            return used
        if isinstance(event.fact, TimeGiven) and event.fact.reason == DOWNTIME:
            self._so_far = max(0, self._so_far - event.fact.amount * SECOND)
        if isinstance(event.fact, _BEGIN_ANEW):
            self._so_far = 0
        return None
