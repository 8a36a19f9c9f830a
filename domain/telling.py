"""Offers, takebacks and clocks in sentences. Seats are P1 and P2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from domain import agreements
from domain.agreements import Agreement
from domain.evolution import DOWNTIME, VACATION
from domain.offers import get
from domain.pace import DAY, HOUR, SECOND
from domain.saying import N_, joined, say, say_many
from domain.views import MatchView

MINUTE = 60 * SECOND

_UNITS: tuple[tuple[int, Callable[[int], str]], ...] = (
    (DAY, lambda number: say_many("{number} day", "{number} days", number)),
    (HOUR, lambda number: say_many("{number} hour", "{number} hours", number)),
    (MINUTE, lambda number: say_many("{number} minute", "{number} minutes", number)),
    (SECOND, lambda number: say_many("{number} second", "{number} seconds", number)),
)


_DECLINED = {
    agreements.DrawDeclined: "draw",
    agreements.TakebackDeclined: "takeback",
    agreements.PauseDeclined: "pause",
    agreements.ResumeDeclined: "resume",
    agreements.AbortDeclined: "abort",
}


def span_words(span: int) -> str:
    """Say a span of microseconds by its two largest units.

    >>> span_words(2 * DAY + 5 * HOUR + 59 * MINUTE)
    '2 days 5 hours'
    >>> span_words(999_999)
    'less than a second'
    """
    for index, (unit, _) in enumerate(_UNITS):
        if span >= unit:
            return joined(_counted(span, index))
    return say("less than a second")


def _counted(span: int, index: int) -> Iterator[str]:
    """Count a unit, and if something is left the one below it."""
    unit, counted = _UNITS[index]
    yield counted(span // unit)
    for smaller, counted_below in _UNITS[index + 1 : index + 2]:
        if rest := span % unit // smaller:
            yield counted_below(rest)


def tell_agreement(before: MatchView, fact: Agreement) -> str:
    """Tell an offer, an answer to one, or what it does to the clocks."""
    kind = type(fact)
    if kind in _DECLINED:
        return _declined(before, fact)
    return _TELLERS[kind](fact)


def _declined(before: MatchView, fact: Agreement) -> str:
    kind = _DECLINED[type(fact)]
    offer = get(before.offers, kind)
    withdrawn = offer is not None and offer.seat == fact.seat
    return say((_WITHDRAWS if withdrawn else _DECLINES)[kind], seat=fact.seat)


_WITHDRAWS = {
    "draw": N_("P{seat} withdraws the offer of the draw."),
    "takeback": N_("P{seat} withdraws the offer of the takeback."),
    "pause": N_("P{seat} withdraws the offer of the pause."),
    "resume": N_("P{seat} withdraws the offer of the earlier end of the pause."),
    "abort": N_("P{seat} withdraws the offer of aborting the match."),
}

_DECLINES = {
    "draw": N_("P{seat} declines the draw."),
    "takeback": N_("P{seat} declines the takeback."),
    "pause": N_("P{seat} declines the pause."),
    "resume": N_("P{seat} declines the earlier end of the pause."),
    "abort": N_("P{seat} declines aborting the match."),
}


def _clock_paused(fact: agreements.ClockPaused) -> str:
    length = span_words(fact.amount * SECOND)
    if fact.reason == VACATION:
        return say(
            "P{seat} is on vacation; that clock stands for {span}.", seat=fact.seat, span=length
        )
    return say(
        "P{seat} agrees to the pause; both clocks stand for {span}.", seat=fact.seat, span=length
    )


def _clock_resumed(fact: agreements.ClockResumed) -> str:
    early = span_words(fact.amount * SECOND)
    if fact.reason == VACATION:
        return say("P{seat} is back from vacation, {span} early.", seat=fact.seat, span=early)
    return say("P{seat} agrees to end the pause, {span} early.", seat=fact.seat, span=early)


def _takeback_accepted(fact: agreements.TakebackAccepted) -> str:
    return say(
        "P{seat} accepts: the game goes back to where it was after event {version}.",
        seat=fact.seat,
        version=fact.version,
    )


def _time_given(fact: agreements.TimeGiven) -> str:
    more = span_words(fact.amount * SECOND)
    if fact.reason == DOWNTIME:
        return say("The service was away: P{seat} gets {span} back.", seat=fact.seat, span=more)
    return say(
        "P{giver} gives P{seat} {span} more.", giver=3 - fact.seat, seat=fact.seat, span=more
    )


_TELLERS: dict[type, Callable[[Any], str]] = {
    agreements.DrawOffered: lambda fact: say("P{seat} offers a draw.", seat=fact.seat),
    agreements.TakebackOffered: lambda fact: say(
        "P{seat} asks to take back what followed on event {version}.",
        seat=fact.seat,
        version=fact.version,
    ),
    agreements.TakebackAccepted: _takeback_accepted,
    agreements.PauseOffered: lambda fact: say(
        "P{seat} proposes a pause of {span}.", seat=fact.seat, span=span_words(fact.amount * SECOND)
    ),
    agreements.ResumeOffered: lambda fact: say(
        "P{seat} proposes to end the pause now.", seat=fact.seat
    ),
    agreements.AbortOffered: lambda fact: say(
        "P{seat} proposes to abort the match.", seat=fact.seat
    ),
    agreements.ClockPaused: _clock_paused,
    agreements.ClockResumed: _clock_resumed,
    agreements.TimeGiven: _time_given,
}
