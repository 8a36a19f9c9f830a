"""Offers, takebacks and clocks in sentences. Seats are P1 and P2."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.i18n import N_, joined, say, say_many
from domain.match import agreements
from domain.match.agreements import Agreement
from domain.match.evolve import DOWNTIME, VACATION
from domain.match.kinds import DECLINED
from domain.match.offers import get
from domain.match.pace import DAY, HOUR, SECOND
from domain.match.views import MatchView

MINUTE = 60 * SECOND

_UNITS: tuple[tuple[int, Callable[[int], str]], ...] = (
    (DAY, lambda number: say_many("{number} day", "{number} days", number)),
    (HOUR, lambda number: say_many("{number} hour", "{number} hours", number)),
    (MINUTE, lambda number: say_many("{number} minute", "{number} minutes", number)),
    (SECOND, lambda number: say_many("{number} second", "{number} seconds", number)),
)


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


def tell_agreement(  # noqa: C901, PLR0911 - one return for each kind of event
    before: MatchView, fact: Agreement
) -> str:
    """Tell an offer, an answer to one, or what it does to the clocks."""
    match fact:
        case agreements.DrawOffered(seat=seat):
            return say("P{seat} offers a draw.", seat=seat)
        case agreements.TakebackOffered(seat=seat, version=version):
            return say(
                "P{seat} asks to take back what followed on event {version}.",
                seat=seat,
                version=version,
            )
        case agreements.PauseOffered(seat=seat, amount=amount):
            return say(
                "P{seat} proposes a pause of {span}.", seat=seat, span=span_words(amount * SECOND)
            )
        case agreements.ResumeOffered(seat=seat):
            return say("P{seat} proposes to end the pause now.", seat=seat)
        case agreements.AbortOffered(seat=seat):
            return say("P{seat} proposes to abort the match.", seat=seat)
        case (
            agreements.DrawDeclined()
            | agreements.TakebackDeclined()
            | agreements.PauseDeclined()
            | agreements.ResumeDeclined()
            | agreements.AbortDeclined()
        ):
            return _declined(before, fact)
        case agreements.TakebackAccepted():
            return _takeback_accepted(fact)
        case agreements.ClockPaused():
            return _clock_paused(fact)
        case agreements.ClockResumed():
            return _clock_resumed(fact)
        case agreements.TimeGiven():
            return _time_given(fact)


def _declined(before: MatchView, fact: Agreement) -> str:
    kind = DECLINED[type(fact)]
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
