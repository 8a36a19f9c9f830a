"""Decisions made again: moves, dice, forced passes, results and instants.

Every batch of events begins with the one that somebody asked for; what follows in it (dice, forced
passes, results) comes of the rules. So the first event of a batch says which command led to it
(``repeat``). From the state before it and that command, the same decider must give the same facts,
in the same bytes (``decide_again``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from domain.errors import Corruption, Refusal
from domain.game.registry import Games
from domain.json_types import JsonObject
from domain.log import event_format
from domain.log.event_format import write_canonical
from domain.match import commands, events, evolve
from domain.match.decisions.decide import Decision, create, decide
from domain.match.events import Agreement, Event, Proposal
from domain.match.evolve import StateBefore
from domain.match.fold import fold, remember_events
from domain.match.kinds import DECLINED, OFFERED
from domain.match.series import place_of
from domain.match.state import Match
from services.audits.chain import DECISIONS, Fault
from services.matches.choices import must_be_creatable, must_be_possible

_IMPOSSIBLE = (Refusal, Corruption, AttributeError, LookupError, TypeError, ValueError)
"""What comes of deciding on what nobody could have decided."""


@dataclass(slots=True)
class Repeated:
    """What deciding again came to: the first fault, the last state, and some on the way."""

    fault: Fault | None = None
    match: Match | None = None
    states: dict[int, Match] = field(default_factory=dict)


def decide_again(stream: Sequence[Event], games: Games, keep: Collection[int] = ()) -> Repeated:
    """Make every decision again; ``keep``: the versions whose states are wanted as well."""
    result, index, past = Repeated(), 0, remember_events(stream, games)
    while index < len(stream) and result.fault is None:
        version = index + 1
        try:
            if result.match is not None and stream[index].at < result.match.updated_at:
                result.fault = _make_fault(version, "goes back in time.")
                break
            again = repeat(result.match, stream, index, games, past)
            result.fault = _compare_events(stream, index, again.proposals)
            index += len(again.proposals)
            if result.fault is None:
                for inner in {*keep}.intersection(range(version, index)):
                    behind = stream[version - 1 : inner]
                    result.states[inner] = fold(behind, games, result.match, past)
                result.match = again.stamp(stream[version - 1], stream[index - 1])
                if index in keep:
                    result.states[index] = result.match
        except _IMPOSSIBLE as error:
            result.fault = _make_fault(version, f"cannot be: {error}")
    return result


def _make_fault(version: int, detail: str) -> Fault:
    return Fault(version, DECISIONS, f"Event {version} {detail}")


def _compare_events(
    stream: Sequence[Event], first: int, proposals: Sequence[Proposal]
) -> Fault | None:
    """Compare what was decided with the events from the index ``first`` on."""
    at = stream[first].at
    for version, proposal in enumerate(proposals, first + 1):
        event = stream[version - 1] if version <= len(stream) else None
        if event is None or event.at != at or not _is_written_so(event, proposal, version):
            return _make_fault(version, _tell_difference(event, proposal, at))
    return None


def _tell_difference(event: Event | None, proposal: Proposal, at: str) -> str:
    """Say how an event differs from what was decided at an instant."""
    if event is None or _as_proposal(event) != proposal:
        return "is not what the rules and the dice give."
    if event.at != at:
        return "is not of the instant of what led to it."
    return "is not written as the rules and the dice give it."


def _is_written_so(event: Event, proposal: Proposal, version: int) -> bool:
    """Whether an event's bytes are those that what was decided has in this place.

    So they are canonical, it has no other members, and what it says to a program with other types
    is the same: to Python, true and 1.0 are 1. Of what is sealed they have only the commitment.
    """
    if len(event.sealed) != len(proposal.secrets):
        return False
    kind, data = events.KIND_NAMES[type(proposal.fact)], events.to_data(proposal.fact)
    sealed = [*zip(event.sealed, proposal.secrets, strict=True)]
    body = event_format.Members(
        event.match,
        version,
        kind,
        events.get_schema(kind, data),
        proposal.actor,
        event.at,
        data,
        [event_format.seal(secret.audience, seal.commitment) for seal, secret in sealed],
        event.previous,
    )
    return event_format.write(body) == event.body and all(
        write_canonical(seal.value) == write_canonical(secret.value) for seal, secret in sealed
    )


def _as_proposal(event: Event) -> Proposal:
    """Return what was decided when the event was made."""
    secrets = tuple(events.Secret(seal.audience, seal.value) for seal in event.sealed)
    return Proposal(event.fact, event.actor, secrets)


def repeat(
    match: Match | None, stream: Sequence[Event], index: int, games: Games, past: StateBefore
) -> Decision:
    """Decide again on what the event at ``index`` began, in the state before it.

    Raises a ``Refusal`` or ``Corruption`` for what nobody could have asked for.
    """
    if match is None:
        creation = _infer_creation(stream, games)
        must_be_creatable(creation)
        return create(creation, at=stream[0].at)
    command = _infer_command(match, stream, index, past)
    must_be_possible(match, command)
    return decide(match, command, at=stream[index].at)


def _infer_creation(stream: Sequence[Event], games: Games) -> commands.CreateMatch:
    first = stream[0].fact
    if not isinstance(first, events.MatchCreated):
        raise Corruption("a match begins with match-created")
    drawn = len(stream) > 1 and isinstance(stream[1].fact, events.ChanceDrawn)
    seated = stream[2 if drawn else 1]
    if not isinstance(seated.fact, events.SeatTaken):
        raise Corruption("a match's creator takes a seat at once")
    kept = stream[: 4 if drawn else 3][-1]
    other = kept if isinstance(kept.fact, events.SeatTaken) else None
    follows = first.series is not None and place_of(first.series).number > 1
    return commands.CreateMatch(
        match=stream[0].match,
        secret=stream[0].sealed[0].value["secret"],
        game=games.get(first.game, first.rules_version),
        options=first.options,
        settings=_get_settings(seated),
        creator=first.creator,
        seat=None if drawn else seated.fact.seat,
        opponent=first.opponent,
        visibility=first.visibility,
        pace=first.pace,
        rated=first.rated,
        waits=kept.fact.amount if isinstance(kept.fact, events.SeatKept) else None,
        series=first.series,
        opposed=_get_settings(other) if other is not None and follows else None,
    )


def _get_settings(taken: Event) -> JsonObject:
    """Return what a player has brought who takes a seat."""
    settings: JsonObject = taken.sealed[0].value if taken.sealed else {}
    return settings


def _infer_command(
    match: Match, stream: Sequence[Event], index: int, past: StateBefore
) -> commands.Command:
    event = stream[index]
    match fact := event.fact:
        case events.SeatTaken(player=player):
            return commands.JoinMatch(
                player, _get_settings(event), _find_contribution(stream, index + 1)
            )
        case events.DiceContributed(seat=seat, contribution=contribution):
            return commands.Contribute(seat, contribution)
        case events.MoveMade(seat=seat, move=move, cause=cause, engine=engine):
            whole = event.sealed[0].value if event.sealed else move
            return commands.PlayMove(seat, match.game.parse_move(whole), cause, engine)
        case events.MatchEnded():
            return _infer_end(event, fact)
        case events.MatchAborted(reason=reason):
            return _infer_abort(match, reason, event.actor)
        case (
            events.MatchCreated()
            | events.SeatKept()
            | events.MatchStarted()
            | events.ChanceDrawn()
            | events.TurnPassed()
        ):
            raise Corruption(f"{event.kind} does not stand by itself")
        case _:
            return _infer_agreement(match, fact, stream[:index], past)


def _infer_end(event: Event, fact: events.MatchEnded) -> commands.Command:
    seat = _parse_seat(event.actor)
    if fact.reason == "timeout":
        return commands.TimeOut()
    if fact.reason == "agreement" and seat is not None:
        return commands.AcceptOffer(seat, "draw")
    if fact.reason == "resignation" and fact.winner is not None:
        return (commands.LeaveSeries if fact.forfeits else commands.Resign)(3 - fact.winner)
    raise Corruption(f"{event.kind} does not stand by itself")


def _infer_abort(match: Match, reason: str, actor: str) -> commands.Command:
    """Return what ends a match so that it counts for nobody."""
    seat = _parse_seat(actor)
    if reason == "declined" and match.opponent is not None:
        return commands.DeclineChallenge(match.opponent)
    if reason == "agreement" and seat is not None:
        return commands.AcceptOffer(seat, "abort")
    return commands.LapseMatch() if reason == "lapsed" else commands.AbortMatch(seat)


def _infer_agreement(
    match: Match, fact: Agreement, before: Sequence[Event], past: StateBefore
) -> commands.Command:
    seat = fact.seat
    match fact:
        case events.TakebackOffered() | events.TakebackAccepted():
            return _infer_takeback(match, fact, before, past)
        case events.PauseOffered(amount=amount):
            return commands.MakeOffer(seat, "pause", amount)
        case events.TimeGiven() | events.ClockPaused() | events.ClockResumed():
            return _infer_change_of_time(fact)
        case events.DrawOffered() | events.ResumeOffered() | events.AbortOffered():
            return commands.MakeOffer(seat, OFFERED[type(fact)])
        case (
            events.DrawDeclined()
            | events.TakebackDeclined()
            | events.PauseDeclined()
            | events.ResumeDeclined()
            | events.AbortDeclined()
        ):
            return commands.DeclineOffer(seat, DECLINED[type(fact)])


def _infer_takeback(
    match: Match,
    fact: events.TakebackOffered | events.TakebackAccepted,
    before: Sequence[Event],
    past: StateBefore,
) -> commands.Command:
    seat, version = fact
    if not 0 < version < match.version:
        raise Corruption(f"a takeback to version {version} at version {match.version}")
    if isinstance(fact, events.TakebackAccepted):
        return commands.AcceptOffer(seat, "takeback", past(version))
    return commands.OfferTakeback(seat, past(version), before[version:])


def _infer_change_of_time(
    fact: events.TimeGiven | events.ClockPaused | events.ClockResumed,
) -> commands.Command:
    match fact:
        case events.TimeGiven(seat, evolve.DOWNTIME, amount):
            return commands.GiveBackTime(seat, amount)
        case events.TimeGiven(seat, _, amount):
            return commands.GiveTime(3 - seat, amount)
        case events.ClockPaused(seat, evolve.VACATION, amount):
            return commands.GoAway(seat, amount)
        case events.ClockPaused(seat):
            return commands.AcceptOffer(seat, "pause")
        case events.ClockResumed(seat, evolve.VACATION):
            return commands.ComeBack(seat)
        case events.ClockResumed(seat):
            return commands.AcceptOffer(seat, "resume")


def _find_contribution(stream: Sequence[Event], index: int) -> str | None:
    fact = stream[index].fact if index < len(stream) else None
    return fact.contribution if isinstance(fact, events.DiceContributed) else None


def _parse_seat(actor: str) -> int | None:
    return {"seat-1": 1, "seat-2": 2}.get(actor)
