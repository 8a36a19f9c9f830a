"""Decisions made again: moves, dice, forced passes, results and instants.

From the state before it and the fact that began it, the same decider must give the same facts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from domain.errors import Corruption, Refusal
from domain.game.registry import Games
from domain.log import event_format
from domain.log.event_format import canonical
from domain.match import events
from domain.match.events import Event, Proposal
from domain.match.fold import fold, remembering
from domain.match.state import Match
from services.audits.faults import DECISIONS, Fault
from services.audits.repeating import repeat

_IMPOSSIBLE = (Refusal, Corruption, AttributeError, LookupError, TypeError, ValueError)
"""What comes of deciding on what nobody could have decided."""


@dataclass(slots=True)
class Repeated:
    """What deciding again came to: the first fault, the last state, and some on the way."""

    fault: Fault | None = None
    match: Match | None = None
    states: dict[int, Match] = field(default_factory=dict)


def decided_again(stream: Sequence[Event], games: Games, keep: Collection[int] = ()) -> Repeated:
    """Make every decision again; ``keep``: the versions whose states are wanted as well."""
    result, index, past = Repeated(), 0, remembering(stream, games)
    while index < len(stream) and result.fault is None:
        version = index + 1
        try:
            if not _goes_on(result, stream[index]):
                result.fault = _fault(version, "goes back in time.")
                break
            again = repeat(result.match, stream, index, games, past)
            result.fault = _difference(stream, index, again.proposals)
            index += len(again.proposals)
            if result.fault is None:
                for inner in {*keep}.intersection(range(version, index)):
                    behind = stream[version - 1 : inner]
                    result.states[inner] = fold(behind, games, result.match, past)
                result.match = again.stamped(stream[version - 1], stream[index - 1])
                if index in keep:
                    result.states[index] = result.match
        except _IMPOSSIBLE as error:
            result.fault = _fault(version, f"cannot be: {error}")
    return result


def _goes_on(result: Repeated, event: Event) -> bool:
    """Whether an event is not of an instant before that of the last one."""
    return result.match is None or event.at >= result.match.updated_at


def _fault(version: int, detail: str) -> Fault:
    return Fault(version, DECISIONS, f"Event {version} {detail}")


def _difference(stream: Sequence[Event], first: int, proposals: Sequence[Proposal]) -> Fault | None:
    """Compare what was decided with the events from the index ``first`` on."""
    at = stream[first].at
    for index, proposal in enumerate(proposals, first):
        if index >= len(stream) or as_proposal(stream[index]) != proposal:
            return _fault(index + 1, "is not what the rules and the dice give.")
        if stream[index].at != at:
            return _fault(index + 1, "is not of the instant of what led to it.")
        if not _is_written_so(stream[index], proposal, index + 1):
            return _fault(index + 1, "is not written as the rules and the dice give it.")
    return None


def _is_written_so(event: Event, proposal: Proposal, version: int) -> bool:
    """Whether an event's bytes are those that what was decided has in this place.

    So it has no other members, and what it says to a program with other types is the same: to
    Python, true and 1.0 are 1.
    """
    values = [seal.value for seal in event.sealed], [one.value for one in proposal.secrets]
    facts = events.to_data(event.fact), events.to_data(proposal.fact)
    kind = events.KINDS[type(proposal.fact)]
    body = event_format.Members(
        event.match,
        version,
        kind,
        events.schema_of(kind, facts[1]),
        proposal.actor,
        event.at,
        facts[1],
        [event_format.seal(one.audience, one.commitment) for one in event.sealed],
        event.previous,
    )
    return event_format.write(body) == event.body and all(
        canonical(one) == canonical(other) for one, other in (facts, values)
    )


def as_proposal(event: Event) -> Proposal:
    """Return what was decided when the event was made."""
    secrets = tuple(events.Secret(seal.audience, seal.value) for seal in event.sealed)
    return Proposal(event.fact, event.actor, secrets)
