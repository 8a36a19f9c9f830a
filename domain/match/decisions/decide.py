"""Decisions: a state and a command give facts, or a refusal. Pure (law 2).

Chance follows from the match's secret, so a decision yields the draws, the forced
passes and the end that a command leads to, and an audit can repeat it.
"""

from __future__ import annotations

from typing import NamedTuple

from domain import errors
from domain.game.registry import Games
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match import commands, events
from domain.match.clock import CHALLENGE_FOR, SECOND
from domain.match.decisions import clock as decide_clock
from domain.match.decisions import offers as decide_offers
from domain.match.decisions.draft import (
    SEAT_DRAW,
    Chance,
    Draft,
    draw_provably,
    must_be_active,
    must_be_in_time,
)
from domain.match.events import Event, Proposal, Secret, format_actor
from domain.match.evolve import begin_match
from domain.match.series import place_of
from domain.match.state import ACTIVE, OPEN, Match, is_due

ABORTABLE_MOVES = 2
"""With so many moves made, one player alone cannot abort any more."""


class Decision(NamedTuple):
    """What was decided, and the state after it.

    That is the state that a fold of its events comes to, but for what only events have: version,
    head and instants are those of the state before.
    """

    proposals: tuple[Proposal, ...]
    match: Match

    def stamp(self, first: Event, last: Event) -> Match:
        """Take the state over, as it is behind the events that were made of this."""
        match = self.match
        match.version, match.head, match.updated_at = last.version, last.hash, last.at
        if first.version == 1:
            match.created_at = first.at
        return match


def create(
    command: commands.CreateMatch, chance: Chance = draw_provably, *, at: str = ""
) -> Decision:
    """Decide the first events of a match: created, perhaps a draw, the creator seated.

    A match that follows in a series starts at once; ``at``: when, if it has a clock.
    """
    followed = command.series is not None and place_of(command.series).number > 1
    first, secret = _make_first(command)
    actor = events.SERVER if followed else events.CREATOR
    match = begin_match(command.match, first, [secret.value], Games([command.game]))
    draft = Draft(match, chance, at)
    seat = command.seat
    if seat is None:
        seat = chance(match.dice, 0, SEAT_DRAW)
        draft.add(events.ChanceDrawn(0, SEAT_DRAW.purpose, None, seat), events.SERVER)
    _take_seat(draft, seat, command.creator, command.settings, actor)
    usual = (None, CHALLENGE_FOR // SECOND)
    if followed:
        _follow(draft, 3 - seat, command)
    elif command.opponent is not None and command.waits not in usual:
        draft.add(events.SeatKept(3 - seat, command.waits), events.SERVER)
    return Decision((Proposal(first, actor, (secret,)), *draft.proposals), draft.match)


def _follow(draft: Draft, seat: int, command: commands.CreateMatch) -> None:
    """Let the other player sit down in a match that follows in a series, and begin it."""
    _take_seat(draft, seat, command.opponent or "", command.opposed or {}, events.SERVER)
    draft.add(events.MatchStarted(), events.SERVER)
    draft.settle()


def _make_first(command: commands.CreateMatch) -> tuple[events.MatchCreated, Secret]:
    first = events.MatchCreated(
        game=command.game.slug,
        rules_version=command.game.rules_version,
        options=command.options,
        visibility=command.visibility,
        pace=command.pace,
        rated=command.rated,
        creator=command.creator,
        opponent=command.opponent,
        series=command.series,
    )
    return first, Secret((events.SERVER,), {"secret": command.secret})


def follow(match: Match, secret: str, new: str) -> commands.CreateMatch:
    """Return what begins the next match of a series behind ``match``, whose id is to be ``new``.

    Seats are swapped, and everybody keeps their settings. ``secret``: 64 hex digits, fresh.
    """
    place = place_of(match.series)
    seat = 3 - (match.seat_of(match.creator) or 1)
    return commands.CreateMatch(
        match=new,
        secret=secret,
        game=match.game,
        options=match.options,
        settings=match.settings[2 - seat],
        creator=match.creator,
        seat=seat,
        opponent=match.seats[seat - 1],
        visibility=match.visibility,
        pace=match.pace,
        rated=match.rated,
        series=place._replace(number=place.number + 1, previous=(match.id, match.head)).to_json(),
        opposed=match.settings[seat - 1],
    )


def decide(
    match: Match, command: commands.Command, chance: Chance = draw_provably, *, at: str = ""
) -> Decision:
    """Decide what a command leads to. Raises a ``Refusal``; changes nothing.

    ``at``: the instant of the events that come of it, not before that of the last event. A match
    with a clock needs one. Raises ``TimeIsUp`` when the match must be ended by time first, which
    is what ``commands.TimeOut`` does.
    """
    if type(command) not in decide_clock.MAY_BE_LATE:
        must_be_in_time(match, at)
    draft = Draft(match, chance, at)
    _decide(draft, command)
    return Decision(tuple(draft.proposals), draft.match)


def _decide(draft: Draft, command: commands.Command) -> None:  # noqa: C901 - one case each
    match command:
        case commands.PlayMove():
            _play(draft, command)
        case commands.JoinMatch():
            _join(draft, command)
        case commands.Contribute():
            _contribute(draft, command)
        case commands.Resign():
            _resign(draft, command)
        case commands.LeaveSeries():
            _leave(draft, command)
        case commands.AbortMatch():
            _abort(draft, command)
        case commands.DeclineChallenge():
            _decline(draft, command)
        case commands.LapseMatch():
            _lapse(draft)
        case commands.CreateMatch():
            raise TypeError("a match is created by itself: see create")
        case (
            commands.MakeOffer()
            | commands.OfferTakeback()
            | commands.AcceptOffer()
            | commands.DeclineOffer()
        ):
            decide_offers.decide(draft, command)
        case _:
            decide_clock.decide(draft, command)


def must_have_turn(match: Match, seat: int | None) -> None:
    """Refuse a move of a seat that is not to act. Raises a ``Refusal``."""
    must_be_active(match)
    if match.to_act != seat:
        raise errors.NotYourTurn(say("It is the other seat's turn."))


def _join(draft: Draft, command: commands.JoinMatch) -> None:
    match = draft.match
    if command.player in match.seats:
        raise errors.OwnMatch(say("You have a seat in this match already."))
    if match.opponent is not None and command.player != match.opponent:
        raise errors.SeatReserved(say("This seat is kept for somebody else."))
    seat = match.free_seat
    if seat is None:
        raise errors.MatchNotOpen(say("Both seats of this match are taken."))
    if match.status != OPEN:
        raise errors.MatchNotOpen(say("This match was aborted before anybody joined it."))
    _take_seat(draft, seat, command.player, command.settings, format_actor(seat))
    if command.contribution is not None:
        draft.add(events.DiceContributed(seat, command.contribution), format_actor(seat))
    draft.add(events.MatchStarted(), events.SERVER)
    draft.settle()


def _take_seat(draft: Draft, seat: int, player: str, settings: JsonObject, actor: str) -> None:
    sealed = (Secret((format_actor(seat),), settings),) if draft.match.game.settings else ()
    draft.add(events.SeatTaken(seat, player), actor, *sealed)


def _contribute(draft: Draft, command: commands.Contribute) -> None:
    if draft.match.status != OPEN:
        raise errors.MatchNotOpen(say("Dice can be contributed only until the match starts."))
    if draft.match.contributions[command.seat - 1] is not None:
        raise errors.AlreadyContributed(say("Your contribution to the dice stands already."))
    fact = events.DiceContributed(command.seat, command.contribution)
    draft.add(fact, format_actor(command.seat))


def _play(draft: Draft, command: commands.PlayMove) -> None:
    match, seat, game = draft.match, command.seat, draft.match.game
    must_have_turn(match, seat)
    forbidden = game.check_move(match.started, command.move)
    if forbidden is not None:
        raise errors.IllegalMove(forbidden, pointer="")
    whole, public = game.dump_move(command.move), game.conceal(match.started, command.move)
    actor, shown = format_actor(seat), whole if public is None else public
    sealed = () if public is None else (Secret((actor,), whole),)
    fact = events.MoveMade(seat, match.ply + 1, shown, command.cause, command.engine)
    draft.add(fact, actor, *sealed)
    draft.settle()


def _resign(draft: Draft, command: commands.Resign) -> None:
    must_be_active(draft.match)
    ended = events.MatchEnded(3 - command.seat, "resignation")
    draft.add(ended, format_actor(command.seat))


def _leave(draft: Draft, command: commands.LeaveSeries) -> None:
    match = draft.match
    if match.series is None:
        raise errors.NoSeries(say("This match is of no series. You can resign."))
    must_be_active(match)
    ended = events.MatchEnded(3 - command.seat, "resignation", True)  # noqa: FBT003 - a fact
    draft.add(ended, format_actor(command.seat))


def _abort(draft: Draft, command: commands.AbortMatch) -> None:
    match = draft.match
    if match.over:
        raise errors.MatchNotActive(say("This match is over."))
    if command.seat is None:
        draft.add(events.MatchAborted("administrator"), events.ADMIN)
        return
    if match.series is not None and place_of(match.series).number > 1:
        raise errors.TooLateToAbort(
            say(
                "One player alone can abort a series only in its first match. You can resign, "
                "leave the series, or propose to abort it together."
            )
        )
    if match.status == ACTIVE and (match.moves_made >= ABORTABLE_MOVES or match.next_draw > 1):
        raise errors.TooLateToAbort(
            say(
                "A match can be aborted by one player only before the second move and before "
                "chance has decided anything. You can resign, or propose to abort it together."
            )
        )
    withdrawn = match.status == OPEN and match.opponent is not None
    reason = "withdrawn" if withdrawn else "aborted"
    draft.add(events.MatchAborted(reason), format_actor(command.seat))


def _decline(draft: Draft, command: commands.DeclineChallenge) -> None:
    match = draft.match
    if match.opponent is None or match.opponent != command.player:
        raise errors.NotYourSeat(say("Only the player who was challenged can decline."))
    _must_be_open(match)
    # Nobody sits there, but this seat is kept for the one who declines.
    draft.add(events.MatchAborted("declined"), format_actor(match.free_seat or 1))


def _lapse(draft: Draft) -> None:
    _must_be_open(draft.match)
    if not is_due(draft.match, draft.at):
        raise errors.ClockForbids(say("There is time left to join this match."))
    draft.add(events.MatchAborted("lapsed"), events.SERVER)


def _must_be_open(match: Match) -> None:
    if match.over:
        raise errors.MatchNotOpen(say("This match is over."))
    if match.status != OPEN:
        raise errors.MatchNotOpen(say("This match has started already."))
