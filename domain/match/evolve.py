"""What each fact does to the state of a match. Nothing is judged here (law 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from domain.errors import Corruption
from domain.game.registry import Games
from domain.json_types import Json
from domain.match import clock as clocks
from domain.match import events
from domain.match.clock import SECOND, Clock, read_pace
from domain.match.events import Fact
from domain.match.kinds import DECLINED, ENDED, OFFERED
from domain.match.state import ACTIVE, NO_OFFERS, Match, Offer, Pair, keep_offers

StateBefore: TypeAlias = Callable[[int], Match]
"""Gives the state right after an earlier version, to which a takeback leads."""

VACATION = "vacation"
"""The reason of a clock that stands for one seat alone."""

DOWNTIME = "downtime"
"""The reason of time that is given back, since the service was away."""


def refuse_past(version: int) -> Match:
    """Stand for a past that nobody knows. Raises ``Corruption``."""
    raise Corruption(f"a takeback to version {version} without what was there")


def begin_match(match: str, fact: Fact, values: Sequence[Json], games: Games) -> Match:
    """Return the state that a first event begins; ``values`` are the sealed values."""
    if not isinstance(fact, events.MatchCreated):
        raise Corruption(f"match {match} begins with {events.KIND_NAMES[type(fact)]}")
    return Match(
        id=match,
        game=games.get(fact.game, fact.rules_version),
        options=fact.options,
        visibility=fact.visibility,
        pace=fact.pace,
        rated=fact.rated,
        creator=fact.creator,
        opponent=fact.opponent,
        series=fact.series,
        secret=values[0]["secret"] if values and values[0] else "",
    )


def remember_state(then: Match) -> StateBefore:
    """Return the past of somebody who knows one state of it. Raises ``Corruption``."""
    return lambda version: then if version == then.version else refuse_past(version)


def apply(  # noqa: C901, PLR0912 - one case for each kind of event
    match: Match, fact: Fact, values: Sequence[Json], at: str = "", past: StateBefore = refuse_past
) -> None:
    """Apply one fact to a private copy of the state; ``values`` are its sealed values.

    ``at``: when it happened, needed where there is a clock. ``past`` is needed by takebacks.
    """
    match fact:  # the kinds that most events are of come first
        case events.MoveMade():
            _apply_move_made(match, fact, values)
        case events.ChanceDrawn():
            _apply_chance_drawn(match, fact, values)
        case events.TurnPassed():
            _apply_turn_passed(match, fact, at)
        case events.TakebackAccepted():
            _apply_takeback_accepted(match, fact.version, at, past)
        case events.MatchCreated():
            raise Corruption(f"match {match.id} is created twice")
        case events.SeatTaken():
            _apply_seat_taken(match, fact, values)
        case events.SeatKept():
            match.waits = fact.amount * SECOND
        case events.DiceContributed():
            match.contributions = _replace_at(match.contributions, fact.seat, fact.contribution)
        case events.MatchStarted():
            _apply_match_started(match, at)
        case events.MatchEnded():
            _apply_match_ended(match, fact)
        case events.MatchAborted():
            _apply_match_aborted(match, fact)
        case events.ClockPaused():
            _apply_clock_paused(match, fact, at)
        case events.ClockResumed():
            _apply_clock_resumed(match, fact, at)
        case events.TimeGiven():
            _apply_time_given(match, fact, at)
        case (
            events.DrawOffered()
            | events.TakebackOffered()
            | events.PauseOffered()
            | events.ResumeOffered()
            | events.AbortOffered()
        ):
            _apply_offered(match, fact)
        case (
            events.DrawDeclined()
            | events.TakebackDeclined()
            | events.PauseDeclined()
            | events.ResumeDeclined()
            | events.AbortDeclined()
        ):
            match.offers = match.offers._replace(**{DECLINED[type(fact)]: None})
    if match.clock is not None:
        _turn_clock(match, match.clock, at)


def _turn_clock(match: Match, clock: Clock, at: str) -> None:
    """Let the clock of whoever is to act run, and none at the end."""
    if match.status != ACTIVE:
        match.clock = clocks.stop(clock, at)
    elif (seat := match.to_act) is not None:
        match.clock = clocks.turn_to(clock, seat, at)


def _apply_seat_taken(match: Match, fact: events.SeatTaken, values: Sequence[Json]) -> None:
    match.seats = _replace_at(match.seats, fact.seat, fact.player)
    match.settings = _replace_at(match.settings, fact.seat, values[0] if values else {})


def _apply_match_started(match: Match, at: str) -> None:
    match.status = ACTIVE
    match.position = match.game.set_up(match.options, match.settings)
    pace = read_pace(match.pace)
    match.clock = None if pace is None else clocks.start(pace, at)


def _apply_chance_drawn(match: Match, fact: events.ChanceDrawn, values: Sequence[Json]) -> None:
    if fact.draw == 0:
        return
    outcome = values[0] if values else fact.outcome
    match.position = match.game.draw(match.started, fact.purpose, fact.seat, outcome)
    match.next_draw = fact.draw + 1


def _apply_move_made(match: Match, fact: events.MoveMade, values: Sequence[Json]) -> None:
    seat, ply, move, _, _ = fact
    whole = values[0] if values else move
    game = match.game
    recalled = (game.recall or game.parse_move)(whole)
    match.position = game.play(match.started, recalled)
    match.last = (seat, whole, move)
    match.ply = ply
    match.moves_made += 1
    # Not by an index: what is stored may say 1.0, which a fold takes and an audit finds.
    match.moved = _replace_at(match.moved, seat, match.moved[0 if seat == 1 else 1] + 1)
    match.offers = keep_offers(match.offers, seat)


def _apply_turn_passed(match: Match, fact: events.TurnPassed, at: str) -> None:
    match.position = match.game.forfeit(match.started)
    if match.clock is not None:
        match.clock = clocks.turn_to(match.clock, fact.seat, at)


def _apply_match_ended(match: Match, fact: events.MatchEnded) -> None:
    match.status = ENDED[type(fact)]
    match.offers = NO_OFFERS
    match.winner = fact.winner
    match.reason = fact.reason
    match.forfeits = fact.forfeits is True


def _apply_match_aborted(match: Match, fact: events.MatchAborted) -> None:
    match.status = ENDED[type(fact)]
    match.offers = NO_OFFERS
    match.reason = fact.reason


def _apply_offered(match: Match, fact: Any) -> None:  # noqa: ANN401 - of five kinds
    about = fact[1] if len(fact) > 1 else 0
    match.offers = match.offers._replace(**{OFFERED[type(fact)]: Offer(fact.seat, about)})


def _apply_clock_paused(match: Match, fact: events.ClockPaused, at: str) -> None:
    if fact.reason != VACATION:
        match.offers = match.offers._replace(pause=None)
    if match.clock is None:
        return
    length = fact.amount * SECOND
    if fact.reason == VACATION:
        match.clock = clocks.set_away(match.clock, fact.seat, length, at)
    else:
        match.clock = clocks.pause(match.clock, length, at)


def _apply_clock_resumed(match: Match, fact: events.ClockResumed, at: str) -> None:
    if fact.reason != VACATION:
        match.offers = match.offers._replace(resume=None)
    if match.clock is None:
        return
    if fact.reason == VACATION:
        match.clock = clocks.set_away(match.clock, fact.seat, 0, at)
    else:
        match.clock = clocks.resume(match.clock, at)


def _apply_time_given(match: Match, fact: events.TimeGiven, at: str) -> None:
    if match.clock is not None:
        match.clock = clocks.give_time(match.clock, fact.seat, fact.amount * SECOND, at)


def _apply_takeback_accepted(match: Match, version: int, at: str, past: StateBefore) -> None:
    """Bring back the position, its last move and its ply; what counts all that happened goes on."""
    then = past(version)
    match.position, match.last, match.ply = then.position, then.last, then.ply
    match.offers = NO_OFFERS
    seat = match.to_act
    if match.clock is not None and then.clock is not None and seat is not None:
        match.clock = clocks.take_back(match.clock, then.clock, then.updated_at, seat, at)


def _replace_at(pair: Pair, seat: int, value: Json) -> Pair:
    return (value, pair[1]) if seat == 1 else (pair[0], value)
