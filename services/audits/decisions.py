"""Decisions made again: moves, dice, forced passes, results and instants.

From the state before it and the fact that began it, the same decider must give the same facts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from domain import events
from domain.errors import Corruption, Refusal
from domain.events import Event, Proposal
from domain.match import Match, fold, remembering
from domain.registry import Games
from services.audits.faults import DECISIONS, Fault
from services.repeating import repeat

_IMPOSSIBLE = (Refusal, Corruption, AttributeError, LookupError, TypeError, ValueError)
"""What comes of deciding on what nobody could have decided."""


@dataclass(slots=True)
class Repeated:
    """What deciding again came to: the first fault, the last state, and some on the way."""

    fault: Fault | None = None
    match: Match | None = None
    states: dict[int, Match] = field(default_factory=dict)


def decision_faults(stream: list[Event], games: Games) -> Iterator[Fault]:
    """Yield the first decision that is another one when it is made again, if there is any."""
    fault = decided_again(stream, games).fault
    if fault is not None:
        yield fault


def decided_again(stream: list[Event], games: Games, keep: Collection[int] = ()) -> Repeated:
    """Make every decision again; ``keep``: the versions whose states are wanted as well."""
    result = Repeated()
    past = remembering(stream, games)
    match: Match | None = None
    at, index = "", 0
    while index < len(stream) and result.fault is None:
        event = stream[index]
        if event.at < at:
            result.fault = _fault(event.version, "goes back in time.")
            break
        try:
            proposals = repeat(match, stream, index, games, past)
            batch = stream[index : index + len(proposals)]
            result.fault = _difference(event.version, batch, proposals)
            if result.fault is None:
                match = fold(batch, games, match, past)
        except _IMPOSSIBLE as error:
            result.fault = _fault(event.version, f"cannot be: {error}")
            break
        at = batch[-1].at if batch else at
        index += len(proposals)
        if match is not None and match.version in keep:
            result.states[match.version] = match
    result.match = match
    return result


def _fault(version: int, detail: str) -> Fault:
    return Fault(version, DECISIONS, f"Event {version} {detail}")


def _difference(first: int, batch: list[Event], proposals: tuple[Proposal, ...]) -> Fault | None:
    for index, proposal in enumerate(proposals):
        if index >= len(batch) or as_proposal(batch[index]) != proposal:
            return _fault(first + index, "is not what the rules and the dice give.")
        if batch[index].at != batch[0].at:
            return _fault(first + index, "is not of the instant of what led to it.")
    return None


def as_proposal(event: Event) -> Proposal:
    """Return what was decided when the event was made."""
    secrets = tuple(events.Secret(seal.audience, seal.value) for seal in event.sealed)
    return Proposal(event.fact, event.actor, secrets)
