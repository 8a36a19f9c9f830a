"""Offers, takebacks and clocks in sentences. Seats are P1 and P2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import agreements
from domain.agreements import Agreement
from domain.evolution import VACATION
from domain.offers import get
from domain.pace import DAY, HOUR, SECOND
from domain.views import MatchView

MINUTE = 60 * SECOND

_UNITS = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second"))

_DECLINED = {
    agreements.DrawDeclined: ("draw", "the draw"),
    agreements.TakebackDeclined: ("takeback", "the takeback"),
    agreements.PauseDeclined: ("pause", "the pause"),
    agreements.ResumeDeclined: ("resume", "the earlier end of the pause"),
    agreements.AbortDeclined: ("abort", "aborting the match"),
}


def span_words(span: int) -> str:
    """Say a span of microseconds by its two largest units.

    >>> span_words(2 * DAY + 5 * HOUR + 59 * MINUTE)
    '2 days 5 hours'
    >>> span_words(999_999)
    'less than a second'
    """
    for index, (unit, name) in enumerate(_UNITS):
        if span >= unit:
            smaller = _UNITS[index + 1 : index + 2]
            rest = [(span % unit // below, word) for below, word in smaller]
            parts = [(span // unit, name), *(one for one in rest if one[0])]
            return " ".join(f"{many} {word}{'' if many == 1 else 's'}" for many, word in parts)
    return "less than a second"


def tell_agreement(before: MatchView, fact: Agreement) -> str:
    """Tell an offer, an answer to one, or what it does to the clocks."""
    kind = type(fact)
    if kind in _DECLINED:
        return _declined(before, fact)
    return _TELLERS[kind](fact)


def _declined(before: MatchView, fact: Agreement) -> str:
    kind, words = _DECLINED[type(fact)]
    offer = get(before.offers, kind)
    withdrawn = offer is not None and offer.seat == fact.seat
    return f"P{fact.seat} {'withdraws the offer of' if withdrawn else 'declines'} {words}."


def _clock_paused(fact: agreements.ClockPaused) -> str:
    length = span_words(fact.amount * SECOND)
    if fact.reason == VACATION:
        return f"P{fact.seat} is on vacation; that clock stands for {length}."
    return f"P{fact.seat} agrees to the pause; both clocks stand for {length}."


def _clock_resumed(fact: agreements.ClockResumed) -> str:
    early = span_words(fact.amount * SECOND)
    if fact.reason == VACATION:
        return f"P{fact.seat} is back from vacation, {early} early."
    return f"P{fact.seat} agrees to end the pause, {early} early."


def _takeback_accepted(fact: agreements.TakebackAccepted) -> str:
    return f"P{fact.seat} accepts: the game goes back to where it was after event {fact.version}."


def _time_given(fact: agreements.TimeGiven) -> str:
    return f"P{3 - fact.seat} gives P{fact.seat} {span_words(fact.amount * SECOND)} more."


_TELLERS: dict[type, Callable[[Any], str]] = {
    agreements.DrawOffered: lambda fact: f"P{fact.seat} offers a draw.",
    agreements.TakebackOffered: lambda fact: (
        f"P{fact.seat} asks to take back what followed on event {fact.version}."
    ),
    agreements.TakebackAccepted: _takeback_accepted,
    agreements.PauseOffered: lambda fact: (
        f"P{fact.seat} proposes a pause of {span_words(fact.amount * SECOND)}."
    ),
    agreements.ResumeOffered: lambda fact: f"P{fact.seat} proposes to end the pause now.",
    agreements.AbortOffered: lambda fact: f"P{fact.seat} proposes to abort the match.",
    agreements.ClockPaused: _clock_paused,
    agreements.ClockResumed: _clock_resumed,
    agreements.TimeGiven: _time_given,
}
