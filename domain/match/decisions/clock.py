"""Decisions about clocks: time-outs, vacations, giving time, time given back after a downtime.

Pauses that both seats agree on are offers: see ``domain.match.decisions.offers``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from domain import errors
from domain.i18n import say
from domain.match import clock as clocks
from domain.match import commands, events
from domain.match.clock import DAY, HOUR, SECOND, Clock, compute_time_left
from domain.match.decisions.draft import Draft, must_be_active
from domain.match.events import SERVER, format_actor
from domain.match.evolve import DOWNTIME, VACATION
from domain.match.state import ACTIVE, Match, is_due

MAY_BE_LATE = (commands.TimeOut, commands.LapseMatch, commands.GiveBackTime)
"""Commands that may come after the time of a match is up."""

LONGEST_PAUSE = 30 * DAY
PAUSES_IN_ALL = 90 * DAY
"""How long the clocks of a match may stand by agreement: at a time, and in all."""

SMALLEST_GIFT, LARGEST_GIFT = HOUR, 30 * DAY
MOST_TIME = 365 * DAY
"""Nobody can be given more time than that."""

GIFT = "gift"
"""The reason of time that the other seat gives."""


def must_have_clock(match: Match) -> Clock:
    """Return the clocks of a running match. Raises ``MatchNotActive``, ``ClockForbids``."""
    must_be_active(match)
    if match.clock is None:
        raise errors.ClockForbids(say("This match has no clock."))
    return match.clock


def must_allow_pause(match: Match, length: int) -> None:
    """Refuse a pause, in microseconds, that the pace or a limit does not allow."""
    clock = must_have_clock(match)
    if not clock.pace.pause:
        raise errors.ClockForbids(say("The pace of this match allows no pause."))
    if not SECOND <= length <= LONGEST_PAUSE:
        raise errors.ClockForbids(
            say("A pause has at most {days} days.", days=LONGEST_PAUSE // DAY)
        )
    if clock.pauses + length > PAUSES_IN_ALL:
        left = max(0, PAUSES_IN_ALL - clock.pauses) // DAY
        raise errors.ClockForbids(
            say(
                "The clocks of a match stand by agreement for {days} days in all; {left} days of "
                "that are left.",
                days=PAUSES_IN_ALL // DAY,
                left=left,
            )
        )


def _time_out(draft: Draft) -> None:
    match, clock = draft.match, must_have_clock(draft.match)
    if clock.running is None or not is_due(match, draft.at):
        raise errors.ClockForbids(say("The seat to act has time left."))
    # Who does not even begin a match of a series will not begin the next one either.
    gone = match.series is not None and not match.moved[clock.running - 1]
    draft.add(events.MatchEnded(3 - clock.running, "timeout", gone or None), SERVER)


def _give_time(draft: Draft, command: commands.GiveTime) -> None:
    clock, seat = must_have_clock(draft.match), 3 - command.seat
    amount = command.seconds * SECOND
    if not SMALLEST_GIFT <= amount <= LARGEST_GIFT:
        raise errors.ClockForbids(say("You can give from one hour to thirty days at a time."))
    if compute_time_left(clock, draft.at)[seat - 1] + amount > MOST_TIME:
        raise errors.ClockForbids(
            say("Nobody can have more than {days} days.", days=MOST_TIME // DAY)
        )
    draft.add(events.TimeGiven(seat, GIFT, command.seconds), format_actor(command.seat))


def _give_back_time(draft: Draft, command: commands.GiveBackTime) -> None:
    clock, seat = must_have_clock(draft.match), command.seat
    ran = clocks.measure_run(clock, seat, clock.mark, draft.at) if clock.running == seat else 0
    if not 0 < command.seconds * SECOND < ran + SECOND:
        raise errors.ClockForbids(say("That clock has not run for so long since its last change."))
    draft.add(events.TimeGiven(seat, DOWNTIME, command.seconds), SERVER)


def find_lost_time(
    match: Match, away: Sequence[clocks.Instants], at: str
) -> commands.GiveBackTime | None:
    """Return what gives back the time that a clock has lost while the service was ``away``.

    ``away``: from when to when, in order. None: no clock has run then. Whole seconds, rounded up.
    """
    clock = match.clock
    if not away or match.status != ACTIVE or clock is None or clock.running is None:
        return None
    lost = clocks.measure_run_within(clock, away, at)
    return commands.GiveBackTime(clock.running, -(-lost // SECOND)) if lost else None


def add_lost_time(match: Match, away: Sequence[clocks.Instants], at: str) -> Match:
    """Return a match as it is shown where ``find_lost_time`` will be given back, but is not yet.

    Its deadline is what it will be then.
    """
    lost = find_lost_time(match, away, at)
    if lost is None or match.clock is None:
        return match
    given = clocks.add_time(match.clock, lost.seat, lost.seconds * SECOND)
    return replace(match, clock=given)


def _go_away(draft: Draft, command: commands.GoAway) -> None:
    clock = must_have_clock(draft.match)
    if not clock.pace.vacation:
        raise errors.ClockForbids(say("The pace of this match allows no vacation."))
    if clock.away_until[command.seat - 1] >= clocks.add_span(draft.at, command.seconds * SECOND):
        raise errors.ClockForbids(say("The clock stands for a vacation already."))
    draft.add(
        events.ClockPaused(command.seat, VACATION, command.seconds), format_actor(command.seat)
    )


def _come_back(draft: Draft, command: commands.ComeBack) -> None:
    clock = must_have_clock(draft.match)
    until = clock.away_until[command.seat - 1]
    if until <= draft.at:
        raise errors.ClockForbids(say("The clock does not stand for a vacation."))
    early = clocks.measure_span(draft.at, until) // SECOND
    draft.add(events.ClockResumed(command.seat, VACATION, early), format_actor(command.seat))


def is_away(match: Match, seat: int, at: str) -> bool:
    """Whether the clock of ``seat`` stands for its vacation."""
    return match.clock is not None and match.clock.away_until[seat - 1] > at


def allows_vacation(match: Match) -> bool:
    """Whether clocks of this match stand while their players are away."""
    return match.status == ACTIVE and match.clock is not None and match.clock.pace.vacation


def decide(draft: Draft, command: commands.ClockCommand) -> None:
    """Decide what a command leads to, as ``decide.decide`` does for all. Raises a ``Refusal``."""
    match command:
        case commands.TimeOut():
            _time_out(draft)
        case commands.GiveTime():
            _give_time(draft, command)
        case commands.GiveBackTime():
            _give_back_time(draft, command)
        case commands.GoAway():
            _go_away(draft, command)
        case commands.ComeBack():
            _come_back(draft, command)
