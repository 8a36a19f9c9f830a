"""Reading whole matches for audits: each column of all events of a match as one value.

To make a value of every field of every event takes a driver longer than it takes to hash them. So
the database strings the fields of a column together, and only what is wanted is taken apart.

Nothing is believed because it was strung together: columns come apart only if no field is missing,
of another type, or has the separator in it. Otherwise the rows are to be read one by one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache, lru_cache
from hashlib import sha256
from itertools import count, repeat
from typing import NamedTuple

import orjson
from sqlalchemy import Connection

from services.store.ahead import in_turn
from services.store.auditing import AT_ONCE, End, RawRow, Span
from services.store.driver import run

_COMMA = ","
_AT = b'"at":"'
_QUOTE = 34

FEW = 500
"""Events of a match that has not many."""
AT_HAND = 1_000
"""Events of one reading that are looked at while a server is at the next."""


class Columns(NamedTuple):
    """All events of a match in the order of their versions, a column in a value.

    ``events``: how many there are; ``sound``: how many of them have every field, of its type.
    ``instants``: each with its name in front, as it stands in an event's bytes.
    ``opened``: the versions of the events with openings; None, as ``openings`` is, without any,
    or if they were not wanted.
    """

    match: str
    events: int
    sound: int
    positions: str
    versions: str
    kinds: bytes
    instants: bytes
    hashes: bytes
    bodies: bytes
    opened: str | None
    openings: bytes | None


class Fields(NamedTuple):
    """Columns that came apart: the fields of a match's first event, its second, and so on.

    ``hashes`` are those of the bodies; ``openings`` are by the index of their event.
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
    """Take columns apart; None if that cannot be done.

    Nor if versions are not 1, 2, and so on, or a body's hash is not what stands beside it.
    """
    number, bodies = columns.events, columns.bodies.split(b"\n")
    if columns.sound != number or columns.versions != _numbers(number):
        return None
    hashes = digests(bodies)
    if _COMMA.join(hashes).encode() != columns.hashes:
        return None
    try:
        if not _begin_with(columns.instants, bodies):
            return None
        fields = Fields(
            columns.match,
            orjson.loads(f"[{columns.positions}]"),
            columns.kinds.decode().split(_COMMA),
            hashes,
            bodies,
            _openings(columns.opened, columns.openings),
        )
    except (IndexError, ValueError):
        return None
    lists = fields.positions, fields.kinds, fields.bodies
    return fields if all(len(one) == number for one in lists) else None


def _begin_with(instants: bytes, bodies: list[bytes]) -> bool:
    """Whether each of the bodies has its instant where it must be: behind the actor.

    That is a seat or the server, or the creator, or else an administrator.
    """
    said = [body[18:52] if body[18] == _QUOTE else body[19:53] for body in bodies]
    if instants == b"".join(said):
        return True
    starts = [body.find(_AT, 17, 26) for body in bodies]
    said = [body[start : start + 34] for start, body in zip(starts, bodies, strict=True)]
    return -1 not in starts and instants == b"".join(said)


def digests(bodies: Iterable[bytes]) -> list[str]:
    """Return the hash of each body."""
    return [sha256(body).hexdigest() for body in bodies]


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
    "sqlite": """version < '' AND kind < x'' AND "at" < x'' AND body >= x'' AND hash < x''""",
    "postgresql": '(version, kind, "at", body, hash) IS NOT NULL',
}
_SQLITE = """
SELECT CAST("match" AS BLOB), count(*), ("match" < x'') * count(*) FILTER (WHERE {sound}),
    group_concat(position), group_concat(version), CAST(group_concat(kind) AS BLOB),
    CAST('"at":"' || group_concat("at", '""at":"') || '"' AS BLOB),
    CAST(group_concat(hash) AS BLOB), CAST(group_concat(body, x'0a') AS BLOB), {openings}
FROM events WHERE {where} GROUP BY "match"
"""
_SQLITE_OPENINGS = """
group_concat(version) FILTER (WHERE openings IS NOT NULL),
CAST(group_concat(openings, x'0a') AS BLOB)
"""
_POSTGRES = """
SELECT convert_to("match", 'UTF8'), count(*), count(*) FILTER (WHERE {sound}),
    string_agg(position::text, ','), string_agg(version::text, ','),
    convert_to(string_agg(kind, ','), 'UTF8'),
    convert_to('"at":"' || string_agg("at", '""at":"') || '"', 'UTF8'),
    convert_to(string_agg(hash, ','), 'UTF8'), string_agg(body, '\\x0a'), {openings}
FROM (SELECT * FROM events WHERE {where} ORDER BY "match", version) AS sorted GROUP BY "match"
"""
_POSTGRES_OPENINGS = """
string_agg(version::text, ',') FILTER (WHERE openings IS NOT NULL), string_agg(openings, '\\x0a')
"""


def each(
    connection: Connection, spans: Iterable[Span], *, openings: bool = True
) -> Generator[Columns, None, None]:
    """Yield the matches of some spans, which are read one after another.

    ``openings``: whether those are wanted, too. The connection is for nothing else meanwhile.
    """
    name = connection.dialect.name
    statements = (
        (
            _statement(name, last=upto is None, openings=openings),
            [after] if upto is None else [after, upto],
        )
        for after, upto in spans
    )
    with _as_indexed(connection), closing(in_turn(connection, statements)) as found:
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
    sound, none = _TYPES[dialect], "NULL, NULL"
    if dialect == "sqlite":
        if openings:
            sound = f"{sound} AND (openings IS NULL OR openings >= x'')"
        wanted = _SQLITE_OPENINGS if openings else none
        return _SQLITE.format(where=where, sound=sound, openings=wanted)
    wanted = _POSTGRES_OPENINGS if openings else none
    return _POSTGRES.format(where=where, sound=sound, openings=wanted)


def portions(span: Span, ends: Mapping[str, End], at_once: int = AT_ONCE) -> Iterator[Span]:
    """Yield a span in portions that are read at once, each of so many events or a long match.

    ``ends``: the matches of the span in the order of their ids, and how far each is said to go.
    """
    after, upto = span
    events = 0
    for match, end in [*ends.items()]:
        events += end.version
        if events >= at_once:
            yield Span(after, match)
            after, events = match, 0
    yield Span(after, upto)
