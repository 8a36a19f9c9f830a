"""Reading whole matches for audits: each column of all events of a match as one value.

To make a value of every field of every event takes a driver longer than it takes to hash them. So
the database strings the fields of a column together, and only what is wanted is taken apart.

Nothing is believed because it was strung together: columns come apart only if no field is missing,
of another type, or has the separator in it. Otherwise the rows are to be read one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import count, repeat
from typing import NamedTuple

import orjson
from sqlalchemy import Connection

from services.store.auditing import AT_ONCE, End, RawRow, Span
from services.store.driver import rows, run

_COMMA = ","
_AT = b'"at":"'

FEW = 500
"""Events of a match that has not many."""


class Columns(NamedTuple):
    """All events of a match in the order of their versions, a column in a value.

    ``events``: how many there are; ``sound``: how many of them have every field, of its type,
    and beside their bytes the instant that these begin with.
    ``opened``: the versions of the events with openings; None, as ``openings`` is, without any,
    or if they were not wanted.
    """

    match: str
    events: int
    sound: int
    positions: str
    versions: str
    kinds: bytes
    hashes: bytes
    bodies: bytes
    opened: str | None
    openings: bytes | None


class Fields(NamedTuple):
    """Columns that came apart: the fields of a match's first event, its second, and so on.

    ``openings`` are by the index of their event.
    """

    match: str
    positions: list[int]
    kinds: list[str]
    hashes: list[str]
    bodies: list[bytes]
    openings: dict[int, bytes]

    @property
    def end(self) -> End:
        """How far the match goes."""
        return End(len(self.bodies), self.hashes[-1])

    def row(self, index: int) -> RawRow:
        """Return an event's row."""
        match, positions, kinds, hashes, bodies, openings = self
        body = bodies[index]
        beside = index + 1, kinds[index], _instant(body), body, hashes[index]
        return (positions[index], match, *beside, openings.get(index))

    def rows(self) -> list[RawRow]:
        """Return all rows."""
        match, positions, kinds, hashes, bodies, openings = self
        matches, numbers, instants = repeat(match), count(1), map(_instant, bodies)
        opened = map(openings.get, count()) if openings else repeat(None)
        fields = zip(
            positions, matches, numbers, kinds, instants, bodies, hashes, opened, strict=False
        )
        return list(fields)


def _instant(body: bytes) -> str:
    """Return the instant in an event's bytes, which is that beside them."""
    if body.startswith(_AT, 18):  # nearly always: behind a seat
        return body[24:51].decode()
    start = body.index(_AT) + len(_AT)
    return body[start : start + 27].decode()


def apart(columns: Columns) -> Fields | None:
    """Take columns apart; None if that cannot be done, or versions are not 1, 2, and so on."""
    number = columns.events
    if columns.sound != number or columns.versions != _numbers(number):
        return None
    try:
        fields = Fields(
            columns.match,
            orjson.loads(f"[{columns.positions}]"),
            columns.kinds.decode().split(_COMMA),
            columns.hashes.decode().split(_COMMA),
            columns.bodies.split(b"\n"),
            _openings(columns.opened, columns.openings),
        )
    except ValueError:
        return None
    lists = fields.positions, fields.kinds, fields.hashes, fields.bodies
    return fields if all(len(one) == number for one in lists) else None


def _openings(opened: str | None, openings: bytes | None) -> dict[int, bytes]:
    if opened is None or openings is None:
        return {}
    indexes = (int(version) - 1 for version in opened.split(_COMMA))
    return dict(zip(indexes, openings.split(b"\n"), strict=True))


def _joined(number: int) -> str:
    return _COMMA.join(map(str, range(1, number + 1)))


_joined_before = lru_cache(maxsize=FEW)(_joined)


def _numbers(number: int) -> str:
    """Return the versions of so many events; those of short matches are wanted again and again."""
    return _joined_before(number) if number <= FEW else _joined(number)


# In SQLite, any column can have anything: numbers, which come before all texts, and bytes, which
# come behind them.
_TYPES = {
    "sqlite": """
        "match" < x'' AND version < '' AND kind < x'' AND "at" < x'' AND body >= x'' AND hash < x''
    """,
    "postgresql": '(version, kind, "at", body, hash) IS NOT NULL',
}
_BEGUN = """
({part}(body, 19, 34) = {at} OR {part}(body, 20, 34) = {at} OR {part}(body, 18, 34) = {at})
"""
"""Behind the actor, who is a seat or the server, the creator, or an administrator."""
_SQLITE_AT = """CAST('"at":"' || "at" || '"' AS BLOB)"""
_POSTGRES_AT = """convert_to('"at":"' || "at" || '"', 'UTF8')"""
_SOUND = {
    "sqlite": f"{_TYPES['sqlite']} AND {_BEGUN.format(part='substr', at=_SQLITE_AT)}",
    "postgresql": f"{_TYPES['postgresql']} AND {_BEGUN.format(part='substr', at=_POSTGRES_AT)}",
}
_SQLITE = """
SELECT CAST("match" AS BLOB), count(*), count(*) FILTER (WHERE {sound}), group_concat(position),
    group_concat(version), CAST(group_concat(kind) AS BLOB), CAST(group_concat(hash) AS BLOB),
    CAST(group_concat(body, x'0a') AS BLOB), {openings}
FROM events WHERE {where} GROUP BY "match"
"""
_SQLITE_OPENINGS = """
group_concat(version) FILTER (WHERE openings IS NOT NULL),
CAST(group_concat(openings, x'0a') AS BLOB)
"""
_POSTGRES = """
SELECT convert_to("match", 'UTF8'), count(*), count(*) FILTER (WHERE {sound}),
    string_agg(position::text, ','), string_agg(version::text, ','),
    convert_to(string_agg(kind, ','), 'UTF8'), convert_to(string_agg(hash, ','), 'UTF8'),
    string_agg(body, '\\x0a'), {openings}
FROM (SELECT * FROM events WHERE {where} ORDER BY "match", version) AS sorted GROUP BY "match"
"""
_POSTGRES_OPENINGS = """
string_agg(version::text, ',') FILTER (WHERE openings IS NOT NULL), string_agg(openings, '\\x0a')
"""


def each(
    connection: Connection, spans: Iterable[Span], *, openings: bool = True
) -> Iterator[Columns]:
    """Yield the matches of some spans, one span read at once.

    ``openings``: whether those are wanted, too.
    """
    for after, upto in spans:
        sql = _statement(connection.dialect.name, last=upto is None, openings=openings)
        bounds = [after] if upto is None else [after, upto]
        with _as_indexed(connection):
            found = rows(connection, sql, bounds, many=True)
        for match, *others in found:
            yield Columns(match.decode(errors="replace"), *others)


@contextmanager
def _as_indexed(connection: Connection) -> Iterator[None]:
    """Let PostgreSQL read events as its index of matches and versions has them.

    A match's events mostly lie together, as it cannot know; otherwise it may read the whole table
    and sort it for each span.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    run(connection, "SET enable_sort = off", [])
    try:
        yield
    finally:
        run(connection, "RESET enable_sort", [])


@cache
def _statement(dialect: str, *, last: bool, openings: bool) -> str:
    where = '"match" > ?' if last else '"match" > ? AND "match" <= ?'
    sound, none = _SOUND[dialect], "NULL, NULL"
    if dialect == "sqlite":
        if openings:
            sound = f"{sound} AND (openings IS NULL OR openings >= x'')"
        wanted = _SQLITE_OPENINGS if openings else none
        return _SQLITE.format(where=where, sound=sound, openings=wanted)
    wanted = _POSTGRES_OPENINGS if openings else none
    return _POSTGRES.format(where=where, sound=sound, openings=wanted)


def portions(span: Span, ends: Mapping[str, End]) -> Iterator[Span]:
    """Yield a span in portions that are read at once.

    ``ends``: the matches of the span in the order of their ids, and how far each is said to go.
    """
    after, upto = span
    events = 0
    for match, end in [*ends.items()]:
        events += end.version
        if events >= AT_ONCE:
            yield Span(after, match)
            after, events = match, 0
    yield Span(after, upto)
