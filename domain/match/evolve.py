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
from domain.match.state import ACTIVE, NO_OFFERS, Match, Offer, Pair, keep_offers, replace_offer

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
        raise Corruption(f"match {match} begins with {events.KINDS[type(fact)]}")
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


def apply(
    match: Match, fact: Fact, values: Sequence[Json], at: str = "", past: StateBefore = refuse_past
) -> None:
    """Apply one fact to a private copy of the state; ``values`` are its sealed values.

    ``at``: when it happened, needed where there is a clock. ``past`` is needed by takebacks.
    """
    if isinstance(fact, events.TakebackAccepted):
        _apply_takeback_accepted(match, fact.version, at, past)
        return
    applier = _APPLIERS.get(type(fact))
    if applier is None:
        raise Corruption(f"match {match.id} is created twice")
    applier(match, fact, values)
    if match.pace is not None:
        _keep_time(match, fact, at)


def _keep_time(match: Match, fact: Fact, at: str) -> None:
    """Bring the clocks to where they are after a fact."""
    clock = match.clock
    if clock is None:
        pace = read_pace(match.pace)
        if pace is None or match.status != ACTIVE:
            return
        clock = clocks.start(pace, at)
    keeper = _KEEPERS.get(type(fact))
    if keeper is not None:
        clock = keeper(clock, fact, at)
    if match.status != ACTIVE:
        match.clock = clocks.stop(clock, at)
        return
    seat = match.to_act
    match.clock = clock if seat is None else clocks.turn_to(clock, seat, at)


def _apply_seat_taken(match: Match, fact: events.SeatTaken, values: Sequence[Json]) -> None:
    match.seats = _replace_at(match.seats, fact.seat, fact.player)
    match.settings = _replace_at(match.settings, fact.seat, values[0] if values else {})


def _apply_seat_kept(match: Match, fact: events.SeatKept, _: Sequence[Json]) -> None:
    match.waits = fact.amount * SECOND


def _apply_dice_contributed(match: Match, fact: events.DiceContributed, _: Sequence[Json]) -> None:
    match.contributions = _replace_at(match.contributions, fact.seat, fact.contribution)


def _apply_match_started(match: Match, _: events.MatchStarted, __: Sequence[Json]) -> None:
    match.status = ACTIVE
    match.position = match.game.set_up(match.options, match.settings)


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
    match.position = game.play(match.position or match.started, recalled)
    match.last = (seat, whole, move)
    match.ply = ply
    match.moves_made += 1
    match.moved = _replace_at(match.moved, seat, match.moved[0 if seat == 1 else 1] + 1)
    match.offers = keep_offers(match.offers, seat)


def _apply_turn_passed(match: Match, _: events.TurnPassed, __: Sequence[Json]) -> None:
    match.position = match.game.forfeit(match.started)


def _apply_match_ended(match: Match, fact: events.MatchEnded, _: Sequence[Json]) -> None:
    match.status = ENDED[type(fact)]
    match.offers = NO_OFFERS
    match.winner = fact.winner
    match.reason = fact.reason
    match.forfeits = fact.forfeits is True


def _apply_match_aborted(match: Match, fact: events.MatchAborted, _: Sequence[Json]) -> None:
    match.status = ENDED[type(fact)]
    match.offers = NO_OFFERS
    match.reason = fact.reason


def _apply_offered(match: Match, fact: Any, _: Sequence[Json]) -> None:  # noqa: ANN401 - of six kinds
    kind = OFFERED[type(fact)]
    about = fact[1] if len(fact) > 1 else 0
    match.offers = replace_offer(match.offers, kind, Offer(fact.seat, about))


def _apply_declined(match: Match, fact: Any, _: Sequence[Json]) -> None:  # noqa: ANN401 - as above
    match.offers = replace_offer(match.offers, DECLINED[type(fact)], None)


def _apply_clock_paused(match: Match, fact: events.ClockPaused, _: Sequence[Json]) -> None:
    if fact.reason != VACATION:
        match.offers = match.offers._replace(pause=None)


def _apply_clock_resumed(match: Match, fact: events.ClockResumed, _: Sequence[Json]) -> None:
    if fact.reason != VACATION:
        match.offers = match.offers._replace(resume=None)


def _apply_nothing(_: Match, __: events.TimeGiven, ___: Sequence[Json]) -> None:
    """Leave everything but the clocks as it is."""


def _apply_takeback_accepted(match: Match, version: int, at: str, past: StateBefore) -> None:
    """Bring the game back, and with it what is counted of it; what has happened, has happened."""
    then = past(version)
    match.position, match.last, match.ply = then.position, then.last, then.ply
    match.offers = NO_OFFERS
    seat = match.to_act
    if match.clock is not None and then.clock is not None and seat is not None:
        match.clock = clocks.take_back(match.clock, then.clock, then.updated_at, seat, at)


_APPLIERS: dict[type, Callable[[Match, Any, Sequence[Json]], None]] = {
    events.SeatTaken: _apply_seat_taken,
    events.SeatKept: _apply_seat_kept,
    events.DiceContributed: _apply_dice_contributed,
    events.MatchStarted: _apply_match_started,
    events.ChanceDrawn: _apply_chance_drawn,
    events.MoveMade: _apply_move_made,
    events.TurnPassed: _apply_turn_passed,
    events.MatchEnded: _apply_match_ended,
    events.MatchAborted: _apply_match_aborted,
    events.ClockPaused: _apply_clock_paused,
    events.ClockResumed: _apply_clock_resumed,
    events.TimeGiven: _apply_nothing,
    **dict.fromkeys(OFFERED, _apply_offered),
    **dict.fromkeys(DECLINED, _apply_declined),
}


def _keep_pass(clock: Clock, fact: events.TurnPassed, at: str) -> Clock:
    return clocks.turn_to(clock, fact.seat, at)


def _keep_pause(clock: Clock, fact: events.ClockPaused, at: str) -> Clock:
    length = fact.amount * SECOND
    if fact.reason == VACATION:
        return clocks.set_away(clock, fact.seat, length, at)
    return clocks.pause(clock, length, at)


def _keep_resuming(clock: Clock, fact: events.ClockResumed, at: str) -> Clock:
    if fact.reason == VACATION:
        return clocks.set_away(clock, fact.seat, 0, at)
    return clocks.resume(clock, at)


def _keep_gift(clock: Clock, fact: events.TimeGiven, at: str) -> Clock:
    give = clocks.give_back_time if fact.reason == DOWNTIME else clocks.give_time
    return give(clock, fact.seat, fact.amount * SECOND, at)


_KEEPERS: dict[type, Callable[[Clock, Any, str], Clock]] = {
    events.TurnPassed: _keep_pass,
    events.ClockPaused: _keep_pause,
    events.ClockResumed: _keep_resuming,
    events.TimeGiven: _keep_gift,
}


def _replace_at(pair: Pair, seat: int, value: Json) -> Pair:
    return (value, pair[1]) if seat == 1 else (pair[0], value)
