"""The use case: one match, or a range of them, with the eyes of the server."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from domain.errors import Corruption
from domain.registry import Games
from services.audits.caches import cache_faults, end_fault
from services.audits.chain import linked
from services.audits.decisions import decided_again
from services.audits.faults import CACHES, CHAIN, SEALS, Fault, Verdict
from services.audits.plain import PlainMoves
from services.audits.reading import Reading, is_canonical
from services.audits.seals import opening_faults, seal_faults
from services.errors import NotFound
from services.store import auditing as store
from services.store import readmodels
from services.store.auditing import RawRow
from services.store.codec import CODEC
from services.store.engine import Database
from services.store.readmodels import MatchRow
from services.store.snapshots import Snapshot


class Stored(NamedTuple):
    """All that a database holds of a match."""

    match: str
    rows: Sequence[RawRow]
    line: MatchRow | None
    snapshots: Sequence[Snapshot]


@dataclass(frozen=True, slots=True)
class Audits:
    """Verifies matches of the database, with the eyes of the server."""

    database: Database
    games: Games

    def verify(self, match_id: str, *, chain_only: bool = False) -> Verdict:
        """Verify one match; ``chain_only``: its chain and its end. Raises ``NotFound``."""
        with self.database.read() as connection:
            line = readmodels.get(connection, match_id)
            rows = store.events_of(connection, match_id)
            # A move that came in between: the line is read again, behind the events.
            if line is not None and (not rows or line.version != rows[-1].version):
                line = readmodels.get(connection, match_id)
                rows = store.events_of(connection, match_id)
            kept = store.snapshots_of_one(connection, match_id)
        stored = Stored(match_id, rows, line, kept)
        if not rows and line is None and not kept:
            raise NotFound(f"There is no match {match_id[:40]}.")
        return Verdict(match_id, len(rows), self.faults(stored, chain_only=chain_only))

    def each(self, after: str, upto: str | None, *, chain_only: bool = False) -> Iterator[Verdict]:
        """Verify all matches with ``after`` < id <= ``upto`` (None: to the end).

        What has lines or snapshots and no events is among them.
        """
        with self.database.read() as connection:
            lines = store.lines(connection, after, upto)
            kept = store.snapshots_of(connection, after, upto)
            for match, rows in store.each(connection, after, upto, openings=not chain_only):
                stored = Stored(match, rows, lines.pop(match, None), kept.pop(match, ()))
                yield self._verdict(stored, chain_only=chain_only)
        for match in dict.fromkeys([*lines, *kept]):
            stored = Stored(match, (), lines.get(match), kept.get(match, ()))
            yield self._verdict(stored, chain_only=chain_only)

    def _verdict(self, stored: Stored, *, chain_only: bool) -> Verdict:
        faults = self.faults(stored, chain_only=chain_only)
        if faults and faults[0].check == CACHES:
            # Somebody may have moved between two readings; only what stays so is a fault.
            try:
                return self.verify(stored.match, chain_only=chain_only)
            except NotFound:
                pass
        return Verdict(stored.match, len(stored.rows), faults)

    def faults(self, stored: Stored, *, chain_only: bool) -> list[Fault]:
        """Return what does not hold; a check is made only where those before it hold."""
        match_id, rows, line, _ = stored
        if not rows and line is None:
            return [Fault(None, CACHES, "There is a snapshot of a match that there is not.")]
        links = linked(rows, match_id)
        if links.fault is not None:
            return [links.fault]
        fault = end_fault(rows, line)
        # A line that only differs says less than the decision that made it so.
        if chain_only or (fault is not None and fault.version is not None):
            return [] if fault is None else [fault]
        return [] if self._holds(stored, links.others) else self._whole(stored)

    def _holds(self, stored: Stored, others: Collection[int]) -> bool:
        """Whether seals, decisions and caches hold, found out as quickly as can be.

        What is wrong with a match that does not hold, ``_whole`` says.
        """
        rows, keep = stored.rows, frozenset(one.version for one in stored.snapshots)
        stream = Reading(rows)
        if not all(is_canonical(rows[index][5]) for index in others):
            return False
        try:
            sealed = [stream[index] for index in others]
            openings = (rows[index] for index in others)
            if any(seal_faults(sealed)) or any(opening_faults(sealed, openings)):
                return False
            plain = PlainMoves(rows, others, keep)
            repeated = decided_again(stream, self.games, keep, plain)
            faults = cache_faults(stream, repeated, stored.line, stored.snapshots, self.games)
            return repeated.fault is None and not any(faults)
        except Corruption:
            return False

    def _whole(self, stored: Stored) -> list[Fault]:
        """Check what a chain that holds does not say: seals, decisions, caches."""
        rows = stored.rows
        try:
            stream = CODEC.decode(row[5:] for row in rows)
        except Corruption as error:
            return [_unreadable(rows, error)]
        for row in rows:
            if not is_canonical(row[5]):
                return [Fault(row[2], CHAIN, f"Event {row[2]} is not in canonical form.")]
        faults = [*seal_faults(stream), *opening_faults(stream, rows)]
        if faults:
            return faults
        repeated = decided_again(stream, self.games, {one.version for one in stored.snapshots})
        if repeated.fault is not None:
            return [repeated.fault]
        return [*cache_faults(stream, repeated, stored.line, stored.snapshots, self.games)]


def _unreadable(rows: Sequence[RawRow], error: Corruption) -> Fault:
    """Return which event cannot be read, and why."""
    for _, _, version, _, _, *stored in rows:
        try:
            next(CODEC.each([stored]))
        except Corruption as reason:
            return Fault(version, SEALS, f"Event {version} cannot be read: {reason}.")
    return Fault(None, SEALS, f"It cannot be read: {error}.")
