"""The event store: append to a match's stream, and read it.

The version that an appended event expects is the next one of its match. The database itself
holds to that (a unique constraint and a trigger), so that of two who decided on the same state
one gets ``VersionTaken``, on either database and in whatever order they come.

``Group`` is group commit: what several threads have decided at the same time is written together. A
commit waits for the disk, and a statement costs much the same for one row as for some. So a thread
that comes while another one writes waits, and is written with all who came meanwhile; one that
comes alone is written alone, at once. If a group fails, for whatever reason, each of its members is
written again, alone and in its own thread: nobody is refused for what somebody else has sent. With
eight clients it halves what PostgreSQL does for a move (docs/decisions/0017).
"""

from __future__ import annotations

import os
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from threading import Lock
from typing import NamedTuple, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, IntegrityError

from domain.match.events import Event, TakebackAccepted
from domain.match.fold import Fold
from domain.match.kinds import ENDINGS, SET_UP
from domain.match.notices import Notice
from services.errors import NotGranted, Unavailable
from services.store.db.engine import (
    MOST_ROWS,
    Database,
    fetch,
    fetch_among,
    fetch_first,
    format_rows,
    run,
    run_in_rows,
)
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, POSITION, TransactionId, metadata
from services.store.log import codec
from services.store.log.codec import to_openings
from services.store.matches import FOLLOWED, MatchRow, make_guarded_sql, make_guarded_values
from services.store.notices import deliveries

events = sa.Table(
    "events",
    metadata,
    sa.Column("position", POSITION, sa.Identity(always=True), primary_key=True),
    sa.Column("match", MATCH_ID, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("at", INSTANT, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("hash", DIGEST, nullable=False),
    sa.Column("openings", sa.LargeBinary),
    sa.Column(
        "txid",
        TransactionId(),
        nullable=False,
        server_default=sa.text("log_transaction()"),
        info={"dialect": "postgresql"},
    ),
    sa.UniqueConstraint("match", "version"),
    sa.CheckConstraint("version >= 1", name="version"),
    sa.CheckConstraint("length(hash) = 64", name="hash"),
    sqlite_autoincrement=True,
)
"""``body``: the canonical bytes that ``hash`` covers. ``openings``: see ``codec``.

``txid`` is there on PostgreSQL alone (see ``feed``); SQLite has no such thing.
"""

sa.Index(
    "ix_events_txid_position", events.c.txid, events.c.position, info={"dialect": "postgresql"}
)

LAST = 2**31 - 1
"""Higher than any version."""

TAKEN = "events_version_taken"
"""The name under which the trigger refuses a version that there is already."""


EventRow: TypeAlias = tuple[str, int, str, str, bytes, str, bytes | None]
"""What is stored of an event: match, version, kind, at, body, hash, openings."""


class VersionTaken(Exception):
    """Somebody else's event stands at the version that these were to have.

    The transaction is lost: leave its block, read again and decide again.
    """


class ConditionalMovesStored(Exception):
    """A seat has conditional moves, which have to be looked at before anything is appended.

    The transaction is lost, as with ``VersionTaken``.
    """


class Head(NamedTuple):
    """The last event of a match: its version, hash and instant."""

    version: int
    hash: str
    at: str


MOST_TOGETHER = 16
"""Members of one group. More than that gains nothing, and makes the first of them wait."""

MOST_OF_ONE = 8
"""Events of one member: who has more to write does not keep others waiting for it."""

MOST_AT_ONCE = MOST_TOGETHER * MOST_OF_ONE
"""Events of one statement that keeps the read model, too."""

_LOCK_NOT_AVAILABLE = "55P03"

_STEPS = {*SET_UP, *ENDINGS}
"""Kinds of events that change more of the read model than a move does."""


class NewEvents(NamedTuple):
    """What is appended to one match: its events as they are stored, and its read model after them.

    ``row`` None: the read model is left as it is. ``leaves_lines``: whether the events may leave
    conditional moves behind, since they are known not to be answered by them. ``notices``: what is
    to be told of them to those who want it, and only if they are committed.
    """

    events: Sequence[EventRow]
    row: MatchRow | None = None
    leaves_lines: bool = False
    notices: Sequence[Notice] = ()


def append(connection: Connection, *members: NewEvents) -> None:
    """Append what is new of some matches, all or none; no match is there twice.

    Raises ``ConditionalMovesStored`` if a seat has some, unless they may be left behind. Raises
    ``VersionTaken`` if another event has one of these versions, or the event before them is not the
    one that they name. A version that is left out is a mistake of the caller, and raises the
    database's own ``IntegrityError``.
    """
    events = [event for member in members for event in member.events]
    kept = [
        make_guarded_values(one.row, one.leaves_lines) for one in members if one.row is not None
    ]
    told = [deliveries.make_values(notice) for member in members for notice in member.notices]
    try:
        # On PostgreSQL a round trip is most of what a move costs; SQLite cannot do this.
        if kept and connection.dialect.name != "sqlite" and len(events) <= MOST_AT_ONCE:
            values = [*chain.from_iterable((*events, *told, *kept))]
            run(connection, _make_append_sql(len(events), len(told), len(kept)), values)
        else:
            run_in_rows(connection, _make_insert_sql, events)
            steps = any(event[2] in _STEPS for event in events)
            run_in_rows(connection, partial(make_guarded_sql, steps=steps), kept)
            run_in_rows(connection, deliveries.make_tell_sql, told)
    except IntegrityError as error:
        who = f"match {events[0][0]}" if len(members) == 1 else f"one of {len(members)} matches"
        if _breaks(error, TAKEN, "uq_events_match_version", "events.version"):
            raise VersionTaken(f"{who} has gone on") from error
        if _breaks(error, FOLLOWED):
            raise ConditionalMovesStored(f"{who} has conditional moves") from error
        raise


def _breaks(error: IntegrityError, *names: str) -> bool:
    """Whether one of these constraints was broken; SQLite names them in a sentence alone."""
    diagnosis = getattr(error.orig, "diag", None)
    if diagnosis is not None:
        return diagnosis.constraint_name in names
    return any(name in str(error.orig) for name in names)


def row_of(event: Event) -> EventRow:
    """Return an event as it is stored."""
    return (
        event.match,
        event.version,
        event.kind,
        event.at,
        event.body,
        event.hash,
        to_openings(event.sealed) if event.sealed else None,
    )


@cache
def _make_insert_sql(rows: int) -> str:
    columns = '"match", version, kind, "at", body, hash, openings'
    return f"INSERT INTO events ({columns}) VALUES {format_rows(rows, 7)}"  # noqa: S608 - our own


@cache
def _make_append_sql(events: int, notices: int, rows: int) -> str:
    told = f", told AS ({deliveries.make_tell_sql(notices)})" if notices else ""
    return f"WITH appended AS ({_make_insert_sql(events)}){told} {make_guarded_sql(rows)}"


def load(
    connection: Connection,
    match: str,
    after: int = 0,
    upto: int | None = None,
    limit: int | None = None,
) -> list[Event]:
    """Return a match's events with ``after`` < version <= ``upto``, at most ``limit``.

    Raises ``Corruption`` for an event that this release cannot read.
    """
    return list(iterate(connection, match, after, upto, limit))


def iterate(
    connection: Connection,
    match: str,
    after: int = 0,
    upto: int | None = None,
    limit: int | None = None,
) -> Iterator[Event]:
    """Yield what ``load`` returns, one event after the other; folds go on with it."""
    sql = 'SELECT body, hash, openings FROM events WHERE "match" = ? AND version > ?'
    values: list[object] = [match, after]
    if upto is not None:
        sql += " AND version <= ?"
        values.append(upto)
    sql += " ORDER BY version"
    if limit is not None:
        sql += " LIMIT ?"
        values.append(limit)
    return codec.iter_events(fetch(connection, sql, values))


def fold(
    connection: Connection, match: str, folding: Fold, after: int = 0, upto: int = LAST
) -> None:
    """Add a match's events with ``after`` < version <= ``upto`` to a fold.

    Raises ``Corruption`` for an event that this release cannot read, or that cannot follow.
    """
    for event in iterate(connection, match, after, upto):
        folding.add(event)


def find_head(connection: Connection, match: str) -> Head | None:
    """Return a match's last event in short, or None if there is no such match."""
    sql = 'SELECT version, hash, "at" FROM events WHERE "match" = ? ORDER BY version DESC LIMIT 1'
    return fetch_first(connection, Head, sql, [match])


def find_heads(connection: Connection, matches: Iterable[str]) -> dict[str, str]:
    """Return the hash of the last event of each of these matches, where there is one."""
    found: dict[str, str] = {}
    wanted = [*matches]
    for first in range(0, len(wanted), MOST_ROWS):
        found.update(fetch_among(connection, _HEADS, wanted[first : first + MOST_ROWS]))
    return found


_HEADS = """
SELECT "match", hash FROM events WHERE ("match", version) IN
(SELECT "match", max(version) FROM events WHERE "match" IN ({}) GROUP BY "match")
"""


def find_hash(connection: Connection, match: str, version: int) -> str | None:
    """Return the hash of an event, or None if there is none at that version."""
    sql = 'SELECT hash FROM events WHERE "match" = ? AND version = ?'
    return fetch_first(connection, str, sql, [match, version])


def list_takebacks(connection: Connection, match: str) -> list[tuple[int, int]]:
    """Return the version of each takeback of a match, and the one to which it led, in order."""
    sql = """
    SELECT body, hash, openings FROM events
    WHERE "match" = ? AND kind = 'takeback-accepted' ORDER BY version
    """
    stream = codec.decode(fetch(connection, sql, [match]))
    return [
        (event.version, event.fact.version)
        for event in stream
        if isinstance(event.fact, TakebackAccepted)
    ]


class _Waiting:
    """A member in the queue: ``written``, or to be written ``alone``, or whose turn it is."""

    __slots__ = ("alone", "error", "member", "turn", "written")

    def __init__(self, member: NewEvents) -> None:
        self.member = member
        self.turn = Lock()
        self.turn.acquire()
        self.written = self.alone = False
        self.error: Unavailable | None = None

    def get_result(self) -> bool:
        """Whether it was written. Raises ``Unavailable``."""
        if self.error is not None:
            if isinstance(self.error, NotGranted):
                raise NotGranted(self.error.reason) from self.error
            raise Unavailable(str(self.error)) from self.error
        return self.written


class Group:
    """Writes for the threads of one process; may be used after a fork."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.forget()
        _groups.add(self)

    def forget(self) -> None:
        """Reset the queue after a fork: waiting threads exist only in the parent."""
        self._lock = Lock()
        self._queue: deque[_Waiting] = deque()
        self._led = False

    def append(self, member: NewEvents) -> None:
        """Append events, and keep their match's read model; both are committed then.

        Raises ``VersionTaken`` and ``ConditionalMovesStored`` as ``events`` does, and
        ``Unavailable`` as ``engine`` does.
        """
        if len(member.events) > MOST_OF_ONE or not self._write_in_group(member):
            with self._database.write() as connection:
                append(connection, member)

    def _write_in_group(self, member: NewEvents) -> bool:
        """Write ``member`` with whoever is there; return whether it was written."""
        mine = _Waiting(member)
        with self._lock:
            self._queue.append(mine)
            led, self._led = self._led, True
        if led:
            mine.turn.acquire()
        if not (mine.written or mine.alone or mine.error):
            self._lead()
        return mine.get_result()

    def _lead(self) -> None:
        group = self._take_group()
        try:
            self._write(group)
        finally:
            self._pass_on()
            for one in group[1:]:
                one.alone = not (one.written or one.error)
                one.turn.release()

    def _take_group(self) -> list[_Waiting]:
        """Take from the queue who is to be written now: the first, and no match twice."""
        group: list[_Waiting] = []
        with self._lock:
            matches = set()
            while self._queue and len(group) < MOST_TOGETHER:
                match = _match_of(self._queue[0].member)
                if match in matches:
                    break
                matches.add(match)
                group.append(self._queue.popleft())
        return group

    def _pass_on(self) -> None:
        with self._lock:
            if self._queue:
                self._queue[0].turn.release()
            else:
                self._led = False

    def _write(self, group: list[_Waiting]) -> None:
        # In one order everywhere: no two groups, of two processes, ever wait for each other.
        members = sorted([one.member for one in group], key=_match_of)
        try:
            with self._database.state() as connection:
                append(connection, *members)
        except Unavailable as error:
            if not _is_held(error):
                for one in group:
                    one.error = error
        except (VersionTaken, ConditionalMovesStored, DatabaseError):
            if len(group) == 1:
                raise
        else:
            for one in group:
                one.written = True


def _match_of(member: NewEvents) -> str:
    return member.events[0][0]


def _is_held(error: Unavailable) -> bool:
    """Whether somebody else holds one of the matches for long, and nothing else is wrong."""
    cause = getattr(error.__cause__, "orig", None)
    return getattr(cause, "sqlstate", None) == _LOCK_NOT_AVAILABLE


_groups: weakref.WeakSet[Group] = weakref.WeakSet()


def _reset_groups() -> None:
    for group in _groups:
        group.forget()


os.register_at_fork(after_in_child=_reset_groups)
