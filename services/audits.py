"""Audits: does a stored match hold? Nothing is believed that can be computed again.

The chain is checked over the stored bytes as they are. The rest is done by repeating
every decision: from the state before it and the fact that began it, the same decider
must give the same facts, draws, forced passes and results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

import orjson

from domain import chain, events
from domain.errors import Corruption, Refusal
from domain.events import Event, Proposal
from domain.match import Match, dump, fold, remembering
from domain.registry import Games
from services.errors import NotFound
from services.repeating import repeat
from services.repository import row_of
from services.store import events as log
from services.store import readmodels, snapshots
from services.store.engine import Database


class Fault(NamedTuple):
    """Something that does not hold. ``check``: chain, seals, decisions, caches."""

    version: int | None
    check: str
    detail: str


class Verdict(NamedTuple):
    """What an audit of one match found."""

    match: str
    events: int
    faults: list[Fault]

    @property
    def holds(self) -> bool:
        """Whether everything holds."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class Audits:
    """Verifies matches of the database, with the eyes of the server."""

    database: Database
    games: Games

    def verify(self, match_id: str) -> Verdict:
        """Verify one match. Raises ``NotFound``."""
        with self.database.read() as connection:
            try:
                stream = log.load(connection, match_id)
            except Corruption as error:
                return Verdict(match_id, 0, [Fault(None, "chain", f"It cannot be read: {error}.")])
            row = readmodels.get(connection, match_id)
            snapshot = snapshots.latest(connection, match_id)
        if not stream and row is None:
            raise NotFound(f"There is no match {match_id[:40]}.")
        faults = [*chain_faults(stream, match_id), *seal_faults(stream)]
        faults.extend([] if faults else decision_faults(stream, self.games))
        faults.extend([] if faults else self._cache_faults(stream, row, snapshot))
        return Verdict(match_id, len(stream), faults)

    def _cache_faults(
        self,
        stream: list[Event],
        row: readmodels.MatchRow | None,
        snapshot: snapshots.Snapshot | None,
    ) -> Iterator[Fault]:
        match = fold(stream, self.games)
        if row != row_of(match):
            yield Fault(None, "caches", "The match's line in the lists differs from its events.")
        if snapshot is None:
            return
        then = fold(stream[: snapshot.version], self.games)
        same = snapshot.head == then.head and orjson.loads(snapshot.state) == orjson.loads(
            orjson.dumps(dump(then))
        )
        if not same:
            yield Fault(snapshot.version, "caches", "A snapshot differs from its events.")


def chain_faults(stream: list[Event], match_id: str) -> Iterator[Fault]:
    """Check versions, hashes and links over the stored bytes."""
    if not stream:
        yield Fault(None, "chain", "There are no events of this match.")
    expected = chain.GENESIS
    # A million events go through here in an audit of everything, hence one unpacking a round.
    for number, (match, version, _, _, _, _, _, _, previous, hashed, body) in enumerate(stream, 1):
        if version != number or match != match_id:
            yield Fault(number, "chain", f"Event {number} is missing or stands elsewhere.")
            return
        if sha256(body).hexdigest() != hashed:
            yield Fault(number, "chain", f"Event {number} is not what was hashed.")
            return
        if previous != expected:
            yield Fault(number, "chain", f"Event {number} does not follow on the one before it.")
            return
        expected = hashed


def seal_faults(stream: list[Event]) -> Iterator[Fault]:
    """Check that every opening is what was sealed."""
    for event in stream:
        for seal in event.sealed:
            if seal.salt is None:
                yield Fault(event.version, "seals", f"Event {event.version} has lost an opening.")
            elif chain.commitment(seal.salt, seal.value) != seal.commitment:
                yield Fault(
                    event.version, "seals", f"A sealed value of event {event.version} is another."
                )


def decision_faults(stream: list[Event], games: Games) -> Iterator[Fault]:
    """Repeat every decision and compare: moves, dice, forced passes, results, instants."""
    match: Match | None = None
    past = remembering(stream, games)
    at = ""
    index = 0
    while index < len(stream):
        event = stream[index]
        if event.at < at:
            yield Fault(event.version, "decisions", f"Event {event.version} goes back in time.")
            return
        try:
            proposals = repeat(match, stream, index, games, past)
        except (Refusal, Corruption, TypeError, KeyError, ValueError) as error:
            yield Fault(event.version, "decisions", f"Event {event.version} cannot be: {error}")
            return
        batch = stream[index : index + len(proposals)]
        different = _first_difference(batch, proposals)
        if different is not None:
            version = event.version + different
            yield Fault(
                version, "decisions", f"Event {version} is not what the rules and the dice give."
            )
            return
        match = fold(batch, games, match, past)
        at = batch[-1].at
        index += len(proposals)


def _first_difference(batch: list[Event], proposals: tuple[Proposal, ...]) -> int | None:
    for index, proposal in enumerate(proposals):
        if index >= len(batch) or as_proposal(batch[index]) != proposal:
            return index
        if batch[index].at != batch[0].at:
            return index
    return None


def as_proposal(event: Event) -> Proposal:
    """Return what was decided when the event was made."""
    secrets = tuple(events.Secret(seal.audience, seal.value) for seal in event.sealed)
    return Proposal(event.fact, event.actor, secrets)
