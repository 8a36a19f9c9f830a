"""The use case: one match, or a range of them, with the eyes of the server."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.game.registry import Games
from domain.match.state import format_of
from services.audits.caches import cache_faults, end_fault
from services.audits.chain import linked, linked_fields
from services.audits.faults import CACHES, CHAIN, Fault, Verdict, told
from services.audits.whole import judged
from services.errors import NotFound
from services.store.db.engine import Database
from services.store.log import audits as store
from services.store.log.audits import End, RawRow, Span
from services.store.log.columns import Portion, each, portions
from services.store.log.fields import Columns, apart
from services.store.log.snapshots import Snapshot
from services.store.matches import MatchRow


class _Known(NamedTuple):
    """What the caches say of the matches of a span; lines are read only where they are wanted."""

    ends: dict[str, End]
    lines: dict[str, MatchRow]
    snapshots: Mapping[str, Sequence[Snapshot]]


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

    @property
    def _formats(self) -> frozenset[str]:
        """Those of the snapshots that are looked at; what another release wrote is not judged."""
        return frozenset(format_of(game) for game in self.games.every())

    def verify(self, match_id: str, *, chain_only: bool = False) -> Verdict:
        """Verify one match; ``chain_only``: its chain and its end. Raises ``NotFound``."""
        with self.database.read() as connection:
            line = store.line_of(connection, match_id)
            rows = store.events_of(connection, match_id)
            # A move that came in between: the line is read again, behind the events.
            if line is not None and (not rows or line.version != rows[-1].version):
                line = store.line_of(connection, match_id)
                rows = store.events_of(connection, match_id)
            kept = store.snapshots_of_one(connection, match_id, self._formats)
        stored = Stored(match_id, rows, line, kept)
        if not rows and line is None and not kept:
            raise NotFound(f"There is no match {match_id[:40]}.")
        return Verdict(match_id, len(rows), self.faults(stored, chain_only=chain_only))

    def each(self, span: Span, *, chain_only: bool = False) -> Iterator[Verdict]:
        """Verify all matches of a span.

        What has lines or snapshots and no events is among them.
        """
        told: set[str] = set()
        with self.database.read() as connection:
            known = _known(connection, span, self._formats, chain_only=chain_only)
            parts = portions(span, known.ends)
            with closing(each(connection, parts, openings=not chain_only)) as found:
                for part, columns in zip(parts, found, strict=True):
                    for verdict in self._portion(part, columns, known, chain_only=chain_only):
                        told.add(verdict.match)
                        yield verdict
        for match in sorted(known.snapshots.keys() - told):
            yield self._anew(match, chain_only=chain_only)

    def _portion(
        self, part: Portion, columns: Columns, known: _Known, *, chain_only: bool
    ) -> Iterator[Verdict]:
        """Verify matches that were read at once; one by one, if they do not all hold so."""
        fields = apart(columns, part.ends)
        links = None if fields is None else linked_fields(fields)
        if fields is None or links is None:
            yield from self._one_by_one(part, chain_only=chain_only)
        elif chain_only:
            yield from (Verdict(match, end.version, []) for match, end in part.ends.items())
        else:
            every = [
                Stored(match, rows, known.lines[match], known.snapshots.get(match, ()))
                for match, rows in zip(fields.matches, fields.rows(), strict=True)
            ]
            for one in every:
                holds = not self._behind_the_chain(one)
                match, events = one.match, len(one.rows)
                yield Verdict(match, events, []) if holds else self._anew(match, events)

    def _one_by_one(self, part: Portion, *, chain_only: bool) -> Iterator[Verdict]:
        """Verify whatever matches there are in a portion that does not hold as a whole."""
        with self.database.read() as connection:
            events = store.counts(connection, *part.span)
        for match in sorted({*part.ends, *events}):
            yield self._anew(match, events.get(match, 0), chain_only=chain_only)

    def _anew(self, match: str, events: int = 0, *, chain_only: bool = False) -> Verdict:
        """Verify a match that did not hold at the first look, which says neither where nor why.

        If somebody moved between two readings, it holds now.
        """
        try:
            return self.verify(match, chain_only=chain_only)
        except (NotFound, UnicodeEncodeError):
            odd = Fault(None, CHAIN, "What is stored under this id cannot be found by it.")
            return Verdict(match, events, [odd])

    def faults(self, stored: Stored, *, chain_only: bool) -> list[Fault]:
        """Return what does not hold; a check is made only where those before it hold."""
        match_id, rows, line, _ = stored
        if not rows and line is None:
            return [Fault(None, CACHES, "There is a snapshot of a match that there is not.")]
        links = linked(rows, match_id)
        if links.fault is not None:
            return [links.fault]
        fault = end_fault(End(rows[-1][2], rows[-1][6]), _end(line))
        # A line that only differs says less than the decision that made it so.
        if chain_only or (fault is not None and fault.version is not None):
            return [] if fault is None else [fault]
        return self._behind_the_chain(stored)

    def _behind_the_chain(self, stored: Stored) -> list[Fault]:
        """Check what a chain that holds does not say: seals, decisions, caches."""
        keep = {one.version for one in stored.snapshots}
        faults, repeated = judged(stored.rows, self.games, keep)
        if faults or repeated is None:
            return faults
        return told(cache_faults(repeated, stored.line, stored.snapshots))


def _known(
    connection: Connection, span: Span, formats: Collection[str], *, chain_only: bool
) -> _Known:
    if chain_only:
        with_some = store.with_snapshots(connection, span, formats)
        return _Known(store.ends(connection, *span), {}, dict.fromkeys(with_some, ()))
    lines = store.lines(connection, *span)
    ends = {match: End(line.version, line.head) for match, line in lines.items()}
    return _Known(ends, lines, store.snapshots_of(connection, span, formats))


def _end(line: MatchRow | None) -> End | None:
    return None if line is None else End(line.version, line.head)
