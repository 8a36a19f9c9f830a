"""The event store: append to a match's stream, and read it.

The version that an appended event expects is the next one of its match. The database itself
holds to that (a unique constraint and a trigger), so that of two who decided on the same state
one gets ``VersionTaken``, on either database and in whatever order they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Identity,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    text,
)
from sqlalchemy.exc import IntegrityError

from domain.match.events import Event, TakebackAccepted
from domain.match.fold import Fold
from services.store import matches as readmodels
from services.store.db.engine import MOST_ROWS, rows, run, run_in_rows
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, POSITION, TransactionId, metadata
from services.store.log.codec import CODEC, to_openings
from services.store.matches import MatchRow

events = Table(
    "events",
    metadata,
    Column("position", POSITION, Identity(always=True), primary_key=True),
    Column("match", MATCH_ID, nullable=False),
    Column("version", Integer, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("at", INSTANT, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", DIGEST, nullable=False),
    Column("openings", LargeBinary),
    Column(
        "txid",
        TransactionId(),
        nullable=False,
        server_default=text("log_transaction()"),
        info={"dialect": "postgresql"},
    ),
    UniqueConstraint("match", "version"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint("length(hash) = 64", name="hash"),
    sqlite_autoincrement=True,
)
"""``body``: the canonical bytes that ``hash`` covers. ``openings``: see ``codec``.

``txid`` is there on PostgreSQL alone (see ``feed``); SQLite has no such thing.
"""

Index("ix_events_txid_position", events.c.txid, events.c.position, info={"dialect": "postgresql"})

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


def append(
    connection: Connection,
    events: Sequence[Event],
    row: MatchRow | None = None,
    *,
    passing: bool = False,
) -> None:
    """Append the events of one match, all or none, and keep ``row`` as its read model.

    Raises ``ConditionalMovesStored`` if a seat has some, unless they are ``passing``.
    Raises ``VersionTaken`` if another event has one of their versions, or the event before them
    is not the one that they name. A version that is left out is a mistake of the caller, and
    raises the database's own ``IntegrityError``.
    """
    stored = [row_of(event) for event in events]
    with _Telling(events[0].match):
        if row is not None and _in_one_statement(connection, stored):
            values = readmodels.guarded(row, passing=passing)
            sql = _insert_and_save(len(stored), 1)
            run(connection, sql, [*chain.from_iterable(stored), *values])
            return
        for first in range(0, len(stored), MOST_ROWS):
            some = stored[first : first + MOST_ROWS]
            run(connection, _insert(len(some)), [*chain.from_iterable(some)])
        if row is not None:
            values = readmodels.guarded(row, passing=passing)
            run(connection, readmodels.save_guarded(1), values)


def append_all(
    connection: Connection, members: Sequence[tuple[Sequence[Event], MatchRow, bool]]
) -> None:
    """Append the events of several matches, all or none, as ``append`` does for each.

    No match is there twice. The last of a member: whether it is passing conditional moves.
    """
    if connection.dialect.name == "sqlite":
        for events, row, passing in members:
            append(connection, events, row, passing=passing)
        return
    events = [event for some, _, _ in members for event in some]
    rows = [row for _, row, _ in members]
    kept = [
        value for _, row, passing in members for value in readmodels.guarded(row, passing=passing)
    ]
    values = chain.from_iterable(map(row_of, events))
    with _Telling(events[0].match):
        run(connection, _insert_and_save(len(events), len(rows)), [*values, *kept])


def append_wholes(
    connection: Connection, members: Sequence[tuple[Sequence[EventRow], MatchRow]]
) -> None:
    """Append all events of several matches, all or none, as ``append`` does for each.

    No match is there twice, and nobody has conditional moves there.
    """
    events = [event for some, _ in members for event in some]
    with _Telling(events[0][0]):
        run_in_rows(connection, _insert, events)
        lines = [readmodels.guarded(row) for _, row in members]
        run_in_rows(connection, readmodels.save_guarded, lines)


class _Telling:
    """Says what the database's refusal means, of statements about ``match``."""

    __slots__ = ("_match",)

    def __init__(self, match: str) -> None:
        self._match = match

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, IntegrityError):
            if _is_taken(error):
                raise VersionTaken(f"match {self._match} has gone on") from error
            if _is_guarded(error):
                raise ConditionalMovesStored(
                    f"match {self._match} has conditional moves"
                ) from error


def _in_one_statement(connection: Connection, events: Sequence[EventRow]) -> bool:
    """Say whether all is done in one statement; SQLite cannot."""
    return connection.dialect.name != "sqlite" and len(events) <= MOST_ROWS


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
def _insert(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * rows)
    columns = '"match", version, kind, "at", body, hash, openings'
    return f"INSERT INTO events ({columns}) VALUES {values}"  # noqa: S608 - only our own text


@cache
def _insert_and_save(events: int, rows: int) -> str:
    return f"WITH appended AS ({_insert(events)}) {readmodels.save_guarded(rows)}"


def _is_taken(error: IntegrityError) -> bool:
    diagnosis = getattr(error.orig, "diag", None)
    if diagnosis is not None:
        return diagnosis.constraint_name in (TAKEN, "uq_events_match_version")
    return TAKEN in str(error.orig) or "events.version" in str(error.orig)


def _is_guarded(error: IntegrityError) -> bool:
    diagnosis = getattr(error.orig, "diag", None)
    if diagnosis is not None:
        return bool(diagnosis.constraint_name == readmodels.FOLLOWED)
    return readmodels.FOLLOWED in str(error.orig)


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
    return list(each(connection, match, after, upto, limit))


def each(
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
    return CODEC.each(rows(connection, sql, values))


def fold(
    connection: Connection, match: str, folding: Fold, after: int = 0, upto: int = LAST
) -> None:
    """Add a match's events with ``after`` < version <= ``upto`` to a fold.

    Raises ``Corruption`` for an event that this release cannot read, or that cannot follow.
    """
    for event in each(connection, match, after, upto):
        folding.add(event)


def head(connection: Connection, match: str) -> Head | None:
    """Return a match's last event in short, or None if there is no such match."""
    sql = 'SELECT version, hash, "at" FROM events WHERE "match" = ? ORDER BY version DESC LIMIT 1'
    row = run(connection, sql, [match]).fetchone()
    return None if row is None else Head(*row)


def heads(connection: Connection, matches: Iterable[str]) -> dict[str, str]:
    """Return the hash of the last event of each of these matches, where there is one."""
    found: dict[str, str] = {}
    wanted = [*matches]
    for first in range(0, len(wanted), MOST_ROWS):
        some = wanted[first : first + MOST_ROWS]
        found.update(rows(connection, _HEADS.format(", ".join("?" * len(some))), some))
    return found


_HEADS = """
SELECT "match", hash FROM events WHERE ("match", version) IN
(SELECT "match", max(version) FROM events WHERE "match" IN ({}) GROUP BY "match")
"""


def hash_at(connection: Connection, match: str, version: int) -> str | None:
    """Return the hash of an event, or None if there is none at that version."""
    sql = 'SELECT hash FROM events WHERE "match" = ? AND version = ?'
    row = run(connection, sql, [match, version]).fetchone()
    return None if row is None else str(row[0])


def takebacks(connection: Connection, match: str) -> list[tuple[int, int]]:
    """Return the version of each takeback of a match, and the one to which it led, in order."""
    sql = """
    SELECT body, hash, openings FROM events
    WHERE "match" = ? AND kind = 'takeback-accepted' ORDER BY version
    """
    stream = CODEC.decode(rows(connection, sql, [match]))
    return [
        (event.version, event.fact.version)
        for event in stream
        if isinstance(event.fact, TakebackAccepted)
    ]
