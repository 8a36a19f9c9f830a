"""What happened, told in a sentence, as one viewer may know it. Seats are P1 and P2."""

from __future__ import annotations

from domain import events as facts
from domain.agreements import Agreement
from domain.events import Event
from domain.match import FINISHED
from domain.pace import SECOND
from domain.telling import span_words, tell_agreement
from domain.viewer import Viewer
from domain.views import MatchView

ABORTS = {
    "aborted": "The match is aborted and counts for nobody.",
    "agreement": "Both seats agree to abort the match.",
    "declined": "The challenge is declined.",
    "withdrawn": "The challenge is withdrawn.",
    "lapsed": "Nobody has joined in time; the match is aborted.",
    "administrator": "An administrator aborts the match.",
}
"""Reasons of ``match-aborted`` and what they say."""

BEFORE_THE_FIRST_MOVE = "The position before the first move."


def tell(before: MatchView, event: Event, after: MatchView) -> str:
    """Tell one event, given the views before and after it of the viewer who reads it."""
    fact = event.fact
    if isinstance(fact, Agreement):
        return tell_agreement(before, fact)
    return _tell(before, event, fact, after)


def _tell(  # noqa: C901, PLR0911 - one return for each kind of event
    before: MatchView, event: Event, fact: facts.Course, after: MatchView
) -> str:
    match fact:
        case facts.MatchCreated():
            return "The match is created."
        case facts.SeatTaken(seat=seat):
            return f"Seat {seat} is taken."
        case facts.SeatKept(amount=amount):
            return f"The challenge waits for {span_words(amount * SECOND)}."
        case facts.DiceContributed(seat=seat):
            return f"P{seat} contributes to the dice."
        case facts.MatchStarted():
            return "The match starts."
        case facts.ChanceDrawn() as drawn:
            return _chance_drawn(drawn, event, after)
        case facts.MoveMade():
            return _move_made(before, after)
        case facts.TurnPassed(seat=seat):
            return f"P{seat} has no legal move and is passed over."
        case facts.MatchEnded(winner=winner, reason=reason):
            return _match_ended(winner, reason)
        case facts.MatchAborted(reason=reason):
            return ABORTS.get(reason, ABORTS["aborted"])


def _move_made(before: MatchView, after: MatchView) -> str:
    if before.sight is None or after.sight is None or after.last is None:
        return ""
    return after.game.tell(before.sight, after.sight, after.last)


def _chance_drawn(drawn: facts.ChanceDrawn, event: Event, after: MatchView) -> str:
    if drawn.draw == 0 or after.sight is None:
        return f"Chance gives the creator seat {drawn.outcome}."
    outcome = drawn.outcome
    if event.sealed and (after.status == FINISHED or after.viewer is Viewer.SERVER):
        outcome = event.sealed[0].value
    return after.game.tell_draw(after.sight, drawn.purpose, drawn.seat, outcome)


def _match_ended(winner: int | None, reason: str) -> str:
    if winner is None:
        return f"The match ends in a draw ({words(reason)})."
    if reason == "resignation":
        return f"P{3 - winner} resigns; P{winner} wins."
    if reason == "timeout":
        return f"P{3 - winner} has run out of time; P{winner} wins."
    return f"P{winner} wins ({words(reason)})."


def words(reason: str) -> str:
    """Return a reason's name as words.

    >>> words("base-dominated")
    'base dominated'
    """
    return reason.replace("-", " ")
