"""From what was decided to events: sealed, stamped and chained."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from domain.json_types import JsonObject
from domain.log import chain
from domain.match.events import KINDS, SCHEMAS, Event, Proposal, Seal, Secret, to_data


def chained(  # noqa: PLR0913 - the places of an event, each by its name
    proposals: Iterable[Proposal],
    *,
    match: str,
    version: int,
    previous: str,
    at: str,
    salt: Callable[[], str],
) -> list[Event]:
    """Return the events of ``proposals`` that follow on ``version`` and its hash.

    ``at``: the instant, already not before that of the event at ``version``. ``salt``
    gives 64 fresh hex digits at each call.
    """
    events = []
    for number, proposal in enumerate(proposals, version + 1):
        seals = tuple(_seal(secret, salt()) for secret in proposal.secrets)
        event = _event(proposal, seals, Place(match, number, at, previous))
        previous = event.hash
        events.append(event)
    return events


class Place(NamedTuple):
    """Where an event stands: its match, version, instant and predecessor's hash."""

    match: str
    version: int
    at: str
    previous: str


def _event(proposal: Proposal, seals: tuple[Seal, ...], place: Place) -> Event:
    kind = KINDS[type(proposal.fact)]
    body: JsonObject = {
        "match": place.match,
        "version": place.version,
        "kind": kind,
        "schema": SCHEMAS[kind],
        "actor": proposal.actor,
        "at": place.at,
        "data": to_data(proposal.fact),
        "sealed": [{"for": list(seal.audience), "commitment": seal.commitment} for seal in seals],
        "previous": place.previous,
    }
    stored = chain.canonical(body)
    return Event(
        place.match,
        place.version,
        kind,
        SCHEMAS[kind],
        proposal.actor,
        place.at,
        proposal.fact,
        seals,
        place.previous,
        chain.digest(stored),
        stored,
    )


def _seal(secret: Secret, salt: str) -> Seal:
    commitment = chain.commitment(salt, secret.value)
    return Seal(secret.audience, commitment, salt, secret.value)
