"""What happened, told in a sentence, as one viewer may know it. Seats are P1 and P2."""

from __future__ import annotations

from domain.game.viewer import Viewer
from domain.i18n import say
from domain.match import events as facts
from domain.match.agreements import Agreement
from domain.match.events import Event
from domain.match.pace import SECOND
from domain.match.state import FINISHED
from domain.match.telling import span_words, tell_agreement
from domain.match.views import MatchView

ABORTS = {
    "aborted": say("The match is aborted and counts for nobody."),
    "agreement": say("Both seats agree to abort the match."),
    "declined": say("The challenge is declined."),
    "withdrawn": say("The challenge is withdrawn."),
    "lapsed": say("Nobody has joined in time; the match is aborted."),
    "administrator": say("An administrator aborts the match."),
}
"""Reasons of ``match-aborted`` and what they say."""

BEFORE_THE_FIRST_MOVE = say("The position before the first move.")


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
            return say("The match is created.")
        case facts.SeatTaken(seat=seat):
            return say("Seat {seat} is taken.", seat=seat)
        case facts.SeatKept(amount=amount):
            return say("The challenge waits for {span}.", span=span_words(amount * SECOND))
        case facts.DiceContributed(seat=seat):
            return say("P{seat} contributes to the dice.", seat=seat)
        case facts.MatchStarted():
            return say("The match starts.")
        case facts.ChanceDrawn() as drawn:
            return _chance_drawn(drawn, event, after)
        case facts.MoveMade():
            return _move_made(before, after)
        case facts.TurnPassed(seat=seat):
            return say("P{seat} has no legal move and is passed over.", seat=seat)
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
        return say("Chance gives the creator seat {seat}.", seat=drawn.outcome)
    outcome = drawn.outcome
    if event.sealed and (after.status == FINISHED or after.viewer is Viewer.SERVER):
        outcome = event.sealed[0].value
    return after.game.tell_draw(after.sight, drawn.purpose, drawn.seat, outcome)


def _match_ended(winner: int | None, reason: str) -> str:
    if winner is None:
        return say("The match ends in a draw ({reason}).", reason=words(reason))
    told: dict[str, object] = {"winner": winner, "other": 3 - winner}
    if reason == "resignation":
        return say("P{other} resigns; P{winner} wins.", **told)
    if reason == "timeout":
        return say("P{other} has run out of time; P{winner} wins.", **told)
    return say("P{winner} wins ({reason}).", reason=words(reason), **told)


REASONS = {
    "agreement": say("agreement"),
    "resignation": say("resignation"),
    "timeout": say("timeout"),
}
"""Reasons of ends that no game gives, in words."""


def words(reason: str) -> str:
    """Return a reason's name as words; those of a game are its ``endings``.

    >>> words("base-dominated")
    'base dominated'
    """
    return REASONS.get(reason) or say(reason.replace("-", " "))
