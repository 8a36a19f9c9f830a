"""The read model of matches: what lists are made from. A cache (law 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from services.store.db.engine import (
    fetch_all,
    format_new_values,
    format_places,
    insert_rows,
    make_save_sql,
    run,
)
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, PLAYER_ID, metadata
from services.store.imports import imported_matches

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", MATCH_ID, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("head", DIGEST, nullable=False),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("visibility", sa.String(16), nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("creator", PLAYER_ID, nullable=False),
    sa.Column("opponent", PLAYER_ID),
    sa.Column("seat_1", PLAYER_ID),
    sa.Column("seat_2", PLAYER_ID),
    sa.Column("to_act", sa.Integer),
    sa.Column("to_act_player", PLAYER_ID),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("winner", sa.Integer),
    sa.Column("reason", sa.String(32)),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("updated_at", INSTANT, nullable=False),
    sa.Column("conditional", sa.Boolean, nullable=False, server_default=sa.text("false")),
    sa.Column("guard", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("deadline", INSTANT),
    sa.Column("pace", sa.String(16)),
    sa.Column("series", MATCH_ID),
    sa.Column("number", sa.Integer),
    sa.Column("series_status", sa.String(16)),
    sa.Column("counted", sa.Boolean, nullable=False, server_default=sa.text("false")),
    sa.CheckConstraint("version >= 1", name="version"),
    sa.CheckConstraint("ply >= 0", name="ply"),
    sa.CheckConstraint("guard IN (0, 1)", name="lines_followed"),
    sa.CheckConstraint("status IN ('open', 'active', 'finished', 'aborted')", name="status"),
    sa.CheckConstraint("visibility IN ('public', 'unlisted', 'private')", name="visibility"),
    sa.CheckConstraint("to_act IN (1, 2)", name="to_act"),
    sa.CheckConstraint("winner IN (1, 2)", name="winner"),
    sa.Index(None, "updated_at", "id"),
    sa.Index(None, "created_at", "id"),
    sa.Index(None, "game", "updated_at", "id"),
    sa.Index(None, "game", "created_at", "id"),
    sa.Index(None, "status", "updated_at", "id"),
    sa.Index(None, "status", "created_at", "id"),
    sa.Index(None, "to_act_player", "updated_at", "id"),
    sa.Index(None, "seat_1", "updated_at", "id"),
    sa.Index(None, "seat_1", "created_at", "id"),
    sa.Index(None, "seat_2", "updated_at", "id"),
    sa.Index(None, "seat_2", "created_at", "id"),
    sa.Index(None, "opponent", "status"),
)
"""A cache of each match's state, for lists. No foreign keys: it can be made anew at any time.

``conditional``: a seat has conditional moves, so whoever appends has to look at them.
``deadline``: when time alone ends the match, if nothing happens before. ``pace``: its kind, as
``PACES`` has it. ``series``, ``number``: which match of which series it is. ``series_status``: what
the whole series is up to, in the row of its first match (``settle_series``). ``counted``: its
result is in the sums of ``services.store.lobby.records``.
"""

_OF_A_SERIES, _BEGINS_ONE = matches.c.series.isnot(None), matches.c.number == 1

sa.Index(
    None,
    matches.c.series,
    matches.c.number,
    sqlite_where=_OF_A_SERIES,
    postgresql_where=_OF_A_SERIES,
)
for _name, *_by in (
    ("created_at",),
    ("game", matches.c.game),
    ("status", matches.c.series_status),
    ("game_status", matches.c.game, matches.c.series_status),
    ("seat_1", matches.c.seat_1),
    ("seat_2", matches.c.seat_2),
):
    sa.Index(
        f"ix_matches_series_{_name}",
        # By the number too, that SQLite finds this index the narrower one.
        *(matches.c.number, *_by, matches.c.created_at, matches.c.id),
        sqlite_where=_BEGINS_ONE,
        postgresql_where=_BEGINS_ONE,
    )

_OPEN = matches.c.status == "open"

sa.Index(
    "ix_matches_open_creator",
    *(matches.c.creator, matches.c.status),
    sqlite_where=_OPEN,
    postgresql_where=_OPEN,
)

_ABORTED = matches.c.status == "aborted"

for _seat in (matches.c.seat_1, matches.c.seat_2):
    for _at in (matches.c.updated_at, matches.c.created_at):
        sa.Index(
            f"ix_matches_aborted_{_seat.name}_{_at.name}",
            *(_seat, matches.c.status, _at, matches.c.id),
            sqlite_where=_ABORTED,
            postgresql_where=_ABORTED,
        )

_TIMED = matches.c.deadline.isnot(None)

sa.Index(None, matches.c.deadline, matches.c.id, sqlite_where=_TIMED, postgresql_where=_TIMED)


class only_looked_at(FunctionElement[Any]):  # noqa: N801 - it reads as the function that it is
    """A column by which a condition is not to be searched, only checked."""

    name = "only_looked_at"
    inherit_cache = True

    def __init__(self, column: sa.ColumnElement[Any]) -> None:
        super().__init__(column)
        self.type = column.type


@compiles(only_looked_at)
def _compile_as_is(element: only_looked_at, compiler: Any, **how: Any) -> str:  # noqa: ANN401 - its own
    return str(compiler.process(*element.clauses, **how))


@compiles(only_looked_at, "sqlite")
def _compile_with_plus(element: only_looked_at, compiler: Any, **how: Any) -> str:  # noqa: ANN401
    """Source: https://www.sqlite.org/optoverview.html, a unary plus rules an index out."""
    return f"+{compiler.process(*element.clauses, **how)}"


LOOKED_AT = {column.name: only_looked_at(column) for column in matches.c}
"""The columns for conditions that many matches meet: no index is to be searched by them."""


class DueMatch(NamedTuple):
    """A match that time alone has ended, by the lists, and when."""

    deadline: str
    match: str


FIRST = DueMatch("", "")
"""Stands before every match that is due."""

_DUE = """
SELECT deadline, id FROM matches
WHERE deadline IS NOT NULL AND deadline <= ? AND (deadline, id) > (?, ?)
ORDER BY deadline, id LIMIT ?
"""


def list_due_matches(
    connection: Connection, now: str, after: DueMatch, limit: int
) -> list[DueMatch]:
    """Return at most ``limit`` matches that are due at ``now``, behind ``after``, in order."""
    return fetch_all(connection, DueMatch, _DUE, [now, *after, limit])


class MatchRow(NamedTuple):
    """A match in short; seats, creator, opponent and whose turn it is are ids of players."""

    id: str
    version: int
    head: str
    game: str
    rules_version: int
    status: str
    visibility: str
    rated: bool
    creator: str
    opponent: str | None
    seat_1: str | None
    seat_2: str | None
    to_act: int | None
    to_act_player: str | None
    ply: int
    winner: int | None
    reason: str | None
    created_at: str
    updated_at: str
    deadline: str | None
    pace: str | None
    series: str | None
    number: int | None


class ListKey(NamedTuple):
    """Where a page ended: the value sorted by, and the id, of its last match."""

    at: str
    id: str


NO_PACE, PER_MOVE, BANK = "none", "per-move", "bank"
PACES = (NO_PACE, PER_MOVE, BANK)
"""Kinds of paces, as lists tell them apart; a row has null for the first."""

SORTS = {"updated": matches.c.updated_at, "created": matches.c.created_at}
"""The orders of lists, newest first; the id decides between equals. Each is by an instant."""

_NAMES = ", ".join(MatchRow._fields)
_PLACES = format_places(MatchRow._fields)
_ORIGIN = ("id", "game", "rules_version", "visibility", "rated", "creator", "opponent")
_TERMS = ("created_at", "pace", "series", "number")
_STEPS = ("status", "seat_1", "seat_2", "winner", "reason")
_MOVES = tuple(name for name in MatchRow._fields if name not in _ORIGIN + _TERMS + _STEPS)
"""Columns that any event may change; what is not named above is one of them.

Origin and terms are as the first event has them, and steps change with an event that seats, starts
or ends. SQLite writes each index anew that has a column which is set, whatever to: with these
alone, where they change, a move writes 10 pages and not 16.
"""


_SAVE = make_save_sql("matches", ["id"], MatchRow._fields[1:])
_UNLESS_CONDITIONAL = """
abs(CAST(? AS INTEGER) -
CASE WHEN EXISTS (SELECT 1 FROM conditional_moves WHERE "match" = ? AND pending) THEN 2 ELSE 0 END)
"""
_GUARDED_PLACES = f"({_PLACES}, {_UNLESS_CONDITIONAL})"
_GUARD = "guard = (1 - excluded.guard) * CASE WHEN matches.conditional THEN 2 ELSE 0 END"

FOLLOWED = "ck_matches_lines_followed"
"""The constraint that refuses to leave lines behind."""


@cache
def make_guarded_sql(rows: int, *, steps: bool = True) -> str:
    """Return the SQL that keeps rows behind new events, of the values of ``make_guarded_values``.

    ``steps``: whether one of the events seats somebody, starts a match or ends it.
    It breaks the constraint ``FOLLOWED`` where a seat has conditional moves and may not be passed.
    The row's own flag is what counts, since it is read behind whoever has the row at the moment;
    the lines themselves are looked for in case that the row is not there and is made anew.
    Kept is 0, as in a row that a rebuild makes; 1 if an append that passes lines makes the row.
    """
    places, values = ", ".join([_GUARDED_PLACES] * rows), _MOVES + (_STEPS if steps else ())
    return (
        f"INSERT INTO matches ({_NAMES}, guard) VALUES {places} "  # noqa: S608 - only names of our own
        f"ON CONFLICT (id) DO UPDATE SET {format_new_values(values)}, {_GUARD}"
    )


EVERY_COLUMN = sa.select(*(matches.c[name] for name in MatchRow._fields))


def save(connection: Connection, row: MatchRow) -> None:
    """Keep a match's row, in place of the one that there was."""
    insert_rows(connection, _SAVE, [row])


def make_guarded_values(row: MatchRow, leaves_lines: bool) -> tuple[object, ...]:  # noqa: FBT001 - of one row
    """Return the values of a row in ``make_guarded_sql``; ``leaves_lines``: it may do that."""
    return (*row, int(leaves_lines), row.id)


def find(connection: Connection, match: str, *, lock: bool = False) -> MatchRow | None:
    """Return a match's row, or None.

    ``lock`` makes other writers of this match wait until the transaction ends. (On SQLite they
    wait anyway.)
    """
    asked = EVERY_COLUMN.where(matches.c.id == match)
    row = connection.execute(asked.with_for_update() if lock else asked).one_or_none()
    return None if row is None else MatchRow(*row)


def delete(connection: Connection, match: str | None = None) -> int:
    """Remove a match's row, or all there are, to be made anew; return how many."""
    unwanted = sa.delete(matches)
    if match is not None:
        unwanted = unwanted.where(matches.c.id == match)
    return connection.execute(unwanted).rowcount


def list_unfinished(connection: Connection, player: str) -> list[str]:
    """Return the ids of the matches that are not over and that this player is in, or asked to."""
    table = matches.c
    going_on = LOOKED_AT["status"].in_(("open", "active"))
    asked = sa.select(table.id).where(going_on, may_see(player)).order_by(table.id)
    return list(connection.execute(asked).scalars())


def count_running(connection: Connection, player: str, others: Sequence[str]) -> int:
    """Return how many running matches a player has against one of these others."""
    table = matches.c
    one = sa.and_(table.seat_1 == player, table.seat_2.in_(others))
    other = sa.and_(table.seat_2 == player, table.seat_1.in_(others))
    asked = sa.select(sa.func.count()).where(
        LOOKED_AT["status"] == "active", sa.or_(one, other), was_played_here()
    )
    return connection.execute(asked).scalar_one()


def count_challenges(connection: Connection, creator: str, opponent: str, since: str) -> int:
    """Return how often a player has challenged another one since an instant."""
    table = matches.c
    # Whoever challenges has a seat, by which and by when their matches are found.
    its_own = sa.or_(table.seat_1 == creator, table.seat_2 == creator)
    asked = sa.select(sa.func.count()).where(
        its_own, table.created_at > since, LOOKED_AT["opponent"] == opponent
    )
    return connection.execute(asked).scalar_one()


def list_challenges_between(connection: Connection, one: str, other: str) -> list[str]:
    """Return the ids of open matches to which one of two players has challenged the other."""
    table = matches.c
    by_either = [
        sa.and_(table.opponent == asked, LOOKED_AT["creator"] == asking)
        for asked, asking in ((one, other), (other, one))
    ]
    asked_for = sa.select(table.id).where(table.status == "open", sa.or_(*by_either))
    return list(connection.execute(asked_for.order_by(table.id)).scalars())


def list_by_series(connection: Connection, series: str) -> list[MatchRow]:
    """Return the rows of a series' matches, in order."""
    asked = EVERY_COLUMN.where(matches.c.series == series).order_by(matches.c.number, matches.c.id)
    return [MatchRow(*row) for row in connection.execute(asked)]


_STATUS_OF_SERIES = """
coalesce((SELECT one.status FROM matches AS one
WHERE one.series = matches.series AND one.status <> 'finished' ORDER BY one.number LIMIT 1),
'finished')
"""
_BEGINNING = "id = ? AND series = id AND number = 1"
_SETTLE = f"UPDATE matches SET series_status = {_STATUS_OF_SERIES} WHERE {_BEGINNING}"  # noqa: S608
_UNSETTLED = f"""
SELECT 1 FROM matches WHERE {_BEGINNING} AND coalesce(series_status, '') <> {_STATUS_OF_SERIES}
"""  # noqa: S608 - our own text


def settle_series(connection: Connection, series: str) -> None:
    """Write into the row of a series' first match what all of it is up to.

    The next match comes with the end of the one before: a series is over once none goes on.
    Whoever writes a match of a series that begins, starts or ends calls this behind it.
    """
    run(connection, _SETTLE, [series])


def is_settled(connection: Connection, match: str) -> bool:
    """Say whether the row of a match, if it begins a series, is right in what that is up to."""
    return run(connection, _UNSETTLED, [match]).fetchone() is None


def place_of(row: MatchRow, sort: str) -> ListKey:
    """Return the place that a page ends at whose last match is ``row``."""
    return ListKey(getattr(row, SORTS[sort].name), row.id)


def may_see(
    mine: str | None, columns: Mapping[str, sa.ColumnElement[Any]] | None = None
) -> sa.ColumnElement[bool]:
    """Return the condition that a list has a match: a public one, or with ``mine`` a player's own.

    ``columns``: of matches, as the condition is to name them.
    """
    table = matches.c if columns is None else columns
    if mine is None:
        return table["visibility"] == "public"
    # Its creator sits in it, always; so two seats and a challenge are all there is to look at.
    challenged = sa.and_(table["opponent"] == mine, table["status"] == "open")
    seated = sa.or_(table["seat_1"] == mine, table["seat_2"] == mine, challenged)
    return sa.and_(seated, was_played_here())


def was_played_here() -> sa.ColumnElement[bool]:
    """Return the condition that a match was not imported: ids in one that was are nobody's here."""
    return ~sa.exists().where(imported_matches.c.match == matches.c.id)
