"""What happened, told in a sentence, as one viewer may know it. Seats are P1 and P2."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.game.game import Viewer
from domain.i18n import N_, join_texts, say, say_many
from domain.match import events
from domain.match.clock import DAY, HOUR, SECOND
from domain.match.events import Agreement, Event
from domain.match.evolve import DOWNTIME, VACATION
from domain.match.kinds import DECLINED
from domain.match.state import FINISHED, find_offer
from domain.match.views import MatchView

MINUTE = 60 * SECOND

_UNITS: tuple[tuple[int, Callable[[int], str]], ...] = (
    (DAY, lambda number: say_many("{number} day", "{number} days", number)),
    (HOUR, lambda number: say_many("{number} hour", "{number} hours", number)),
    (MINUTE, lambda number: say_many("{number} minute", "{number} minutes", number)),
    (SECOND, lambda number: say_many("{number} second", "{number} seconds", number)),
)


def format_span(span: int) -> str:
    """Say a span of microseconds by its two largest units.

    >>> format_span(2 * DAY + 5 * HOUR + 59 * MINUTE)
    '2 days 5 hours'
    >>> format_span(999_999)
    'less than a second'

    What is less than nothing, which a damaged log may say, is no time.
    """
    counts: list[str] = []
    span = max(0, span)
    for unit, tell_count in _UNITS:
        number, span = divmod(span, unit)
        if number:
            counts.append(tell_count(number))
        if counts and (not number or len(counts) == 2):  # noqa: PLR2004 - two units
            break
    return join_texts(counts) if counts else say("less than a second")


def _tell_agreement(  # noqa: C901, PLR0911 - one return for each kind of event
    before: MatchView, fact: Agreement, plies: Mapping[int, int]
) -> str:
    match fact:
        case events.DrawOffered(seat=seat):
            return say("P{seat} offers a draw.", seat=seat)
        case events.TakebackOffered(seat=seat, version=version):
            return _tell_takeback_offered(seat, plies.get(version, 0))
        case events.PauseOffered(seat=seat, amount=amount):
            return say(
                "P{seat} proposes a pause of {span}.", seat=seat, span=format_span(amount * SECOND)
            )
        case events.ResumeOffered(seat=seat):
            return say("P{seat} proposes to end the pause now.", seat=seat)
        case events.AbortOffered(seat=seat):
            return say("P{seat} proposes to abort the match.", seat=seat)
        case (
            events.DrawDeclined()
            | events.TakebackDeclined()
            | events.PauseDeclined()
            | events.ResumeDeclined()
            | events.AbortDeclined()
        ):
            return _tell_declined(before, fact)
        case events.TakebackAccepted():
            return _tell_takeback_accepted(fact.seat, plies.get(fact.version, 0))
        case events.ClockPaused():
            return _tell_clock_paused(fact)
        case events.ClockResumed():
            return _tell_clock_resumed(fact)
        case events.TimeGiven():
            return _tell_time_given(fact)


def _tell_declined(before: MatchView, fact: Agreement) -> str:
    kind = DECLINED[type(fact)]
    offer = find_offer(before.offers, kind)
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


def _tell_clock_paused(fact: events.ClockPaused) -> str:
    length = format_span(fact.amount * SECOND)
    if fact.reason == VACATION:
        return say(
            "P{seat} is on vacation; that clock stands for {span}.", seat=fact.seat, span=length
        )
    return say(
        "P{seat} agrees to the pause; both clocks stand for {span}.", seat=fact.seat, span=length
    )


def _tell_clock_resumed(fact: events.ClockResumed) -> str:
    early = format_span(fact.amount * SECOND)
    if fact.reason == VACATION:
        return say("P{seat} is back from vacation, {span} early.", seat=fact.seat, span=early)
    return say("P{seat} agrees to end the pause, {span} early.", seat=fact.seat, span=early)


def _tell_takeback_offered(seat: int, ply: int) -> str:
    if not ply:
        return say("P{seat} asks to take back all moves.", seat=seat)
    return say("P{seat} asks to take back what followed on move {number}.", seat=seat, number=ply)


def _tell_takeback_accepted(seat: int, ply: int) -> str:
    if not ply:
        return say("P{seat} accepts: the game goes back to its beginning.", seat=seat)
    return say(
        "P{seat} accepts: the game goes back to where it was after move {number}.",
        seat=seat,
        number=ply,
    )


def _tell_time_given(fact: events.TimeGiven) -> str:
    more = format_span(fact.amount * SECOND)
    if fact.reason == DOWNTIME:
        return say("The service was away: P{seat} gets {span} back.", seat=fact.seat, span=more)
    return say(
        "P{giver} gives P{seat} {span} more.", giver=3 - fact.seat, seat=fact.seat, span=more
    )


ABORTS = {
    "aborted": say("The match is aborted and counts for nobody."),
    "agreement": say("Both players agree to abort the match."),
    "declined": say("The challenge is declined."),
    "withdrawn": say("The challenge is withdrawn."),
    "lapsed": say("Nobody has joined in time; the match is aborted."),
    "administrator": say("An administrator aborts the match."),
}
"""Reasons of ``match-aborted`` and what they say."""

BEFORE_THE_FIRST_MOVE = say("The position before the first move.")


def tell(before: MatchView, event: Event, after: MatchView, plies: Mapping[int, int]) -> str:
    """Tell one event, given the views before and after it of the viewer who reads it.

    ``plies``: how many moves stood after the versions to which takebacks can lead, unless it is 0.
    What there is before the first move is told by ``BEFORE_THE_FIRST_MOVE``, and event by event
    it is nothing.
    """
    fact = event.fact
    if isinstance(fact, Agreement):
        return _tell_agreement(before, fact, plies)
    return _tell(before, event, fact, after)


def _tell(before: MatchView, event: Event, fact: events.Course, after: MatchView) -> str:
    match fact:
        case (
            events.MatchCreated()
            | events.SeatTaken()
            | events.SeatKept()
            | events.DiceContributed()
            | events.MatchStarted()
        ):
            return ""
        case events.ChanceDrawn() as drawn:
            return _tell_chance_drawn(drawn, event, after)
        case events.MoveMade():
            return _tell_move_made(before, after)
        case events.TurnPassed(seat=seat):
            return say("P{seat} has no legal move and is passed over.", seat=seat)
        case events.MatchEnded():
            return _tell_match_ended(fact)
        case events.MatchAborted(reason=reason):
            return ABORTS.get(reason, ABORTS["aborted"])


def _tell_move_made(before: MatchView, after: MatchView) -> str:
    if before.sight is None or after.sight is None or after.last is None:
        return ""
    return after.game.tell(before.sight, after.sight, after.last)


def _tell_chance_drawn(drawn: events.ChanceDrawn, event: Event, after: MatchView) -> str:
    # Who begins was drawn before there was a position; a damaged log may say it again.
    if drawn.draw == 0 or after.sight is None:
        return ""
    outcome = drawn.outcome
    if event.sealed and (after.status == FINISHED or after.viewer is Viewer.SERVER):
        outcome = event.sealed[0].value
    return after.game.tell_draw(after.sight, drawn.purpose, drawn.seat, outcome)


def _tell_match_ended(fact: events.MatchEnded) -> str:
    winner, reason = fact.winner, fact.reason
    if winner is None:
        return say("The match ends in a draw ({reason}).", reason=format_reason(reason))
    told: dict[str, object] = {"winner": winner, "other": 3 - winner}
    if fact.forfeits and reason == "resignation":
        return say("P{other} leaves the series; P{winner} wins.", **told)
    if fact.forfeits:
        return say(
            "P{other} has run out of time without a move, and forfeits the rest of the series; "
            "P{winner} wins.",
            **told,
        )
    if reason == "resignation":
        return say("P{other} resigns; P{winner} wins.", **told)
    if reason == "timeout":
        return say("P{other} has run out of time; P{winner} wins.", **told)
    return say("P{winner} wins ({reason}).", reason=format_reason(reason), **told)


REASONS = {
    "agreement": say("agreement"),
    "resignation": say("resignation"),
    "timeout": say("timeout"),
}
"""Reasons of ends that no game gives, in words."""


def format_reason(reason: str) -> str:
    """Return a reason's name as words; those of a game are its ``endings``.

    >>> format_reason("base-dominated")
    'base dominated'
    """
    return REASONS.get(reason) or say(reason.replace("-", " "))
