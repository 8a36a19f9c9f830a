"""Reading whole matches for audits: each column of all events of some matches as one value.

To make a value of every field of every event takes a driver longer than it takes to hash them. So
the database strings the fields of a column together, and only what is wanted is taken apart.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection

from services.store.db.ahead import in_turn
from services.store.db.sql import run
from services.store.log.audits import End, Span
from services.store.log.fields import Columns

AT_HAND = 1_000
"""Events of one reading, which are looked at while a server is at the next: what keeps the memory
of an audit flat."""


class Portion(NamedTuple):
    """Matches that are read at once: a span, and how far each in it is said to go."""

    span: Span
    ends: dict[str, End]


# In SQLite, any column can have anything: numbers, which come before all texts, and bytes, which
# come behind them.
_TYPES = {
    "sqlite": """version < '' AND kind < x'' AND "at" < x'' AND body >= x''
    AND hash < x''""",
    "postgresql": '("match", version, kind, "at", body, hash) IS NOT NULL',
}
_SQLITE = """
SELECT count(*), count(*) FILTER (WHERE {sound}), CAST(group_concat("match") AS BLOB),
    group_concat(position), CAST(group_concat(version) AS BLOB), CAST(group_concat(kind) AS BLOB),
    CAST('"at":"' || group_concat("at", '""at":"') || '"' AS BLOB),
    CAST(group_concat(hash) AS BLOB), CAST(group_concat(body, x'0a') AS BLOB), {openings}
FROM events WHERE {where}
"""
_SQLITE_OPENINGS = """
CAST(group_concat(openings IS NOT NULL, '') AS BLOB), CAST(group_concat(openings, x'0a') AS BLOB)
"""
_POSTGRES = """
SELECT count(*), count(*) FILTER (WHERE {sound}),
    convert_to(string_agg("match", ','), 'UTF8'),
    string_agg(position::text, ','), convert_to(string_agg(version::text, ','), 'UTF8'),
    convert_to(string_agg(kind, ','), 'UTF8'),
    convert_to('"at":"' || string_agg("at", '""at":"') || '"', 'UTF8'),
    convert_to(string_agg(hash, ','), 'UTF8'), string_agg(body, '\\x0a'), {openings}
FROM (SELECT * FROM events WHERE {where} ORDER BY "match", version) AS sorted
"""
_POSTGRES_OPENINGS = """
convert_to(string_agg(CASE WHEN openings IS NULL THEN '0' ELSE '1' END, ''), 'UTF8'),
string_agg(openings, '\\x0a')
"""


def each(
    connection: Connection, all_of: Iterable[Portion], *, openings: bool = True
) -> Generator[Columns, None, None]:
    """Yield the columns of some portions, which are read one after another.

    ``openings``: whether those are wanted, too. The connection is for nothing else meanwhile.
    """
    name = connection.dialect.name
    statements = (
        (
            _statement(name, last=upto is None, openings=openings),
            [after] if upto is None else [after, upto],
        )
        for (after, upto), _ in all_of
    )
    with _as_indexed(connection), closing(in_turn(connection, statements)) as found:
        yield from map(Columns._make, found)


@contextmanager
def _as_indexed(connection: Connection) -> Iterator[None]:
    """Let PostgreSQL read events as its index of matches and versions has them.

    A match's events mostly lie together, as it cannot know; otherwise it may read the whole table
    and sort it for each portion.
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
        if last:  # what is not before a text is behind all of them
            sound = f"{sound} AND \"match\" < x''"
        wanted = _SQLITE_OPENINGS if openings else none
        return _SQLITE.format(where=where, sound=sound, openings=wanted)
    wanted = _POSTGRES_OPENINGS if openings else none
    return _POSTGRES.format(where=where, sound=sound, openings=wanted)


def portions(span: Span, ends: Mapping[str, End], at_once: int = AT_HAND) -> list[Portion]:
    """Return a span in portions that are read at once, each of so many events or a long match.

    ``ends``: the matches of the span in the order of their ids, and how far each is said to go.
    """
    (after, upto), events = span, 0
    part: dict[str, End] = {}
    made: list[Portion] = []
    for match, end in ends.items():
        part[match] = end
        events += end.version
        if events >= at_once:
            made.append(Portion(Span(after, match), part))
            after, events, part = match, 0, {}
    return [*made, Portion(Span(after, upto), part)]
