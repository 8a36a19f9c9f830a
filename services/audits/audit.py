"""The one verdict on a match, and the use case that asks for it.

Events of a database and of a file are judged in the same way: they are given as rows of the table
of events, whose links hold, and ``judge_rows`` tells what does not hold first. ``Audits`` reads the
rows of one match, or of a range of them, and looks at the chain before and at the caches behind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import Connection

from domain.errors import Corruption
from domain.game.registry import Games
from domain.log.event_format import is_canonical
from domain.match.clock import INSTANT
from domain.match.events import Event
from domain.match.state import Match, format_of
from services.audits.chain import (
    CACHES,
    CHAIN,
    SEALS,
    Fault,
    Verdict,
    check_chain,
    check_openings,
    check_seals,
    limit_faults,
)
from services.audits.decisions import Repeated, decide_again
from services.audits.series import check_link
from services.errors import NotFound
from services.matches.repository import is_state, row_of
from services.store.db.engine import Database
from services.store.log import audits, codec
from services.store.log.audits import RawRow, RowSpan
from services.store.log.snapshots import Snapshot
from services.store.matches import MatchRow


class Judged(NamedTuple):
    """What judging came to; without a fault, ``repeated`` has the state and some on the way."""

    faults: list[Fault]
    repeated: Repeated | None = None


def judge_rows(rows: Sequence[RawRow], games: Games, keep: Collection[int] = ()) -> Judged:
    """Judge the seals and the decisions of a match whose chain holds."""
    try:
        stream = codec.decode(row[5:] for row in rows)
    except Corruption as error:
        return Judged([_find_unreadable(rows, error)])
    return judge_stream(stream, rows, games, keep)


def judge_stream(
    stream: Sequence[Event], rows: Sequence[RawRow], games: Games, keep: Collection[int] = ()
) -> Judged:
    """Judge rows as ``judge_rows`` does; ``stream``: their events."""
    for row in rows:
        if not is_instant(row[4]):
            return Judged([Fault(row[2], CHAIN, f"Event {row[2]} has no instant as its time.")])
    faults, repeated = limit_faults(chain(check_seals(stream), check_openings(stream, rows))), None
    if not faults:
        repeated = decide_again(stream, games, keep)
        if repeated.fault is None:
            return Judged([], repeated)
        faults = [repeated.fault]
    # Decisions made again are compared in canonical form: only behind a fault some may be in none.
    odd = next((row[2] for row in rows if not is_canonical(row[5])), None)
    if odd is not None:
        faults = [Fault(odd, CHAIN, f"Event {odd} is not in canonical form.")]
    return Judged(faults, repeated)


def is_instant(text: str) -> bool:
    """Whether a text is an instant, in the one form that there is."""
    if not INSTANT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _find_unreadable(rows: Sequence[RawRow], error: Corruption) -> Fault:
    """Return which event cannot be read, and why."""
    for _, _, version, _, _, body, hashed, openings in rows:
        try:
            codec.decode_event(body, hashed, openings)
        except Corruption as reason:
            return Fault(version, SEALS, f"Event {version} cannot be read: {reason}.")
    return Fault(None, SEALS, f"It cannot be read: {error}.")


def check_end(last: RawRow, line: MatchRow | None) -> Fault | None:
    """Compare where a match's line says that it ends with where its events end."""
    _, _, version, _, _, _, head, _ = last
    if line is None:
        return Fault(None, CACHES, "There are events of this match, and the lists do not have it.")
    if line.version > version:
        detail = f"The lists know event {line.version}, and the events end before: they were cut."
        return Fault(version + 1, CACHES, detail)
    if (line.version, line.head) != (version, head):
        return Fault(None, CACHES, "The match's line in the lists differs from its events.")
    return None


def check_caches(
    repeated: Repeated, line: MatchRow | None, snapshots: Sequence[Snapshot]
) -> Iterator[Fault]:
    """Compare a match's line and its snapshots with what deciding again has come to.

    ``repeated`` has the states at the versions of the snapshots, as far as there are events.
    """
    if repeated.match is not None and line != row_of(repeated.match):
        yield Fault(None, CACHES, "The match's line in the lists differs from its events.")
    for snapshot in snapshots:
        version = snapshot.version
        state = repeated.states.get(version)
        if state is None:
            yield Fault(version, CACHES, f"There is a snapshot of event {version}, which is none.")
        elif not _is_same(snapshot, state):
            yield Fault(version, CACHES, "A snapshot differs from its events.")


def _is_same(snapshot: Snapshot, then: Match) -> bool:
    same = (snapshot.head, snapshot.format) == (then.head, format_of(then.game))
    return same and is_state(snapshot.state, then)


class StoredMatch(NamedTuple):
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
        """Return the formats of the snapshots that are judged: not those of other releases."""
        return frozenset(format_of(game) for game in self.games.iter_versions())

    def verify(self, match_id: str, *, chain_only: bool = False) -> Verdict:
        """Verify one match; ``chain_only``: its chain and its end. Raises ``NotFound``."""
        with self.database.read() as connection:
            line = audits.find_line(connection, match_id)
            rows = audits.list_events(connection, match_id)
            # A move that came in between: the line is read again, behind the events.
            if line is not None and (not rows or line.version != rows[-1].version):
                line = audits.find_line(connection, match_id)
                rows = audits.list_events(connection, match_id)
            kept = audits.list_snapshots(connection, match_id, self._formats)
            linked = check_link(connection, rows)
        stored = StoredMatch(match_id, rows, line, kept)
        if not rows and line is None and not kept:
            raise NotFound(f"There is no match {match_id[:40]}.")
        faults = self.check(stored, chain_only=chain_only)
        return Verdict(match_id, len(rows), faults or [*filter(None, [linked])])

    def verify_span(self, span: RowSpan, *, chain_only: bool) -> Iterator[Verdict]:
        """Verify all matches of a span.

        What has lines or snapshots and no events is among them.
        """
        told: set[str] = set()
        with self.database.read() as connection:
            lines = audits.list_lines(connection, *span)
            snapshots = self._list_snapshots(connection, span, chain_only=chain_only)
            for part in audits.split_span(span, {key: line.version for key, line in lines.items()}):
                for stored in _read(connection, part, lines, snapshots):
                    told.add(stored.match)
                    holds = not (
                        self.check(stored, chain_only=chain_only)
                        or check_link(connection, stored.rows)
                    )
                    match, events = audits.format_id(stored.match), len(stored.rows)
                    if holds:
                        yield Verdict(match, events, [])
                    else:
                        yield self._verify_anew(match, events, chain_only=chain_only)
        for match in sorted(snapshots.keys() - told):
            yield self._verify_anew(match, chain_only=chain_only)

    def _list_snapshots(
        self, connection: Connection, span: RowSpan, *, chain_only: bool
    ) -> Mapping[str, Sequence[Snapshot]]:
        """Return the snapshots of each match; for the chain it is enough to know of which."""
        if chain_only:
            return dict.fromkeys(audits.list_with_snapshots(connection, span, self._formats), ())
        return audits.list_snapshots_by_match(connection, span, self._formats)

    def _verify_anew(self, match: str, events: int = 0, *, chain_only: bool) -> Verdict:
        """Verify a match once more that did not hold at the first look.

        If somebody moved between the readings of its events and of its line, it holds now.
        """
        try:
            return self.verify(match, chain_only=chain_only)
        except (NotFound, UnicodeEncodeError):
            odd = Fault(None, CHAIN, "What is stored under this id cannot be found by it.")
            return Verdict(match, events, [odd])

    def check(self, stored: StoredMatch, *, chain_only: bool) -> list[Fault]:
        """Return what does not hold; a check is made only where those before it hold."""
        match_id, rows, line, snapshots = stored
        if not rows and line is None:
            return [Fault(None, CACHES, "There is a snapshot of a match that there is not.")]
        fault = check_chain(rows, match_id)
        if fault is not None:
            return [fault]
        fault = check_end(rows[-1], line)
        # A line that only differs says less than the decision that made it so.
        if chain_only or (fault is not None and fault.version is not None):
            return [] if fault is None else [fault]
        faults, repeated = judge_rows(rows, self.games, {one.version for one in snapshots})
        if faults or repeated is None:
            return faults
        return limit_faults(check_caches(repeated, line, snapshots))


def _read(
    connection: Connection,
    part: RowSpan,
    lines: Mapping[str, MatchRow],
    snapshots: Mapping[str, Sequence[Snapshot]],
) -> Iterator[StoredMatch]:
    """Yield all that there is of each match of a part, in the order of ids."""
    events: Mapping[Any, list[RawRow]] = audits.list_events_by_match(connection, part)
    after, upto = part
    there = {key for key in lines if key > after and (upto is None or key <= upto)}
    # Bytes where the id of a match belongs lie behind all texts.
    for match in sorted({*there, *events}, key=lambda one: (isinstance(one, bytes), one)):
        yield StoredMatch(match, events.get(match, []), lines.get(match), snapshots.get(match, ()))
