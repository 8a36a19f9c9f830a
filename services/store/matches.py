"""The read model of matches: what lists are made from. A cache (law 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    CompoundSelect,
    Connection,
    Index,
    Integer,
    Select,
    String,
    Table,
    and_,
    exists,
    func,
    or_,
    select,
    text,
    tuple_,
    union_all,
)
from sqlalchemy import delete as delete_from

from services.store.challenges import invitations
from services.store.db.engine import AnyRow, Database, rows, run
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, PLAYER_ID, metadata
from services.store.imports import imported_matches

PAGE = 100
"""Matches that are looked up at once where all are wanted."""

matches = Table(
    "matches",
    metadata,
    Column("id", MATCH_ID, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("head", DIGEST, nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("visibility", String(16), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("creator", PLAYER_ID, nullable=False),
    Column("opponent", PLAYER_ID),
    Column("seat_1", PLAYER_ID),
    Column("seat_2", PLAYER_ID),
    Column("to_act", Integer),
    Column("to_act_player", PLAYER_ID),
    Column("ply", Integer, nullable=False),
    Column("winner", Integer),
    Column("reason", String(32)),
    Column("created_at", INSTANT, nullable=False),
    Column("updated_at", INSTANT, nullable=False),
    Column("conditional", Boolean, nullable=False, server_default=text("false")),
    Column("guard", Integer, nullable=False, server_default=text("0")),
    Column("deadline", INSTANT),
    Column("pace", String(16)),
    Column("series", MATCH_ID),
    Column("number", Integer),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint("ply >= 0", name="ply"),
    CheckConstraint("guard IN (0, 1)", name="lines_followed"),
    CheckConstraint("status IN ('open', 'active', 'finished', 'aborted')", name="status"),
    CheckConstraint("visibility IN ('public', 'unlisted', 'private')", name="visibility"),
    CheckConstraint("to_act IN (1, 2)", name="to_act"),
    CheckConstraint("winner IN (1, 2)", name="winner"),
    Index(None, "updated_at", "id"),
    Index(None, "created_at", "id"),
    Index(None, "game", "updated_at", "id"),
    Index(None, "status", "updated_at", "id"),
    Index(None, "to_act_player", "updated_at", "id"),
    Index(None, "seat_1", "updated_at", "id"),
    Index(None, "seat_2", "updated_at", "id"),
    Index(None, "opponent", "status"),
)
"""A cache of each match's state, for lists. No foreign keys: it can be made anew at any time.

``conditional``: a seat has conditional moves, so whoever appends has to look at them.
``deadline``: when time alone ends the match, if nothing happens before. ``pace``: its kind, as
``PACES`` has it. ``series``, ``number``: which match of which series it is.
"""

_OF_A_SERIES, _BEGINS_ONE = matches.c.series.isnot(None), matches.c.number == 1

Index(
    None,
    matches.c.series,
    matches.c.number,
    sqlite_where=_OF_A_SERIES,
    postgresql_where=_OF_A_SERIES,
)
Index(
    "ix_matches_series_status",
    matches.c.status,
    matches.c.series,
    sqlite_where=_OF_A_SERIES,
    postgresql_where=_OF_A_SERIES,
)
for _name, *_by in (
    ("ix_matches_series_created_at", matches.c.created_at, matches.c.id),
    ("ix_matches_series_game", matches.c.game, matches.c.created_at, matches.c.id),
    ("ix_matches_series_seat_1", matches.c.seat_1, matches.c.created_at, matches.c.id),
    ("ix_matches_series_seat_2", matches.c.seat_2, matches.c.created_at, matches.c.id),
):
    Index(_name, *_by, sqlite_where=_BEGINS_ONE, postgresql_where=_BEGINS_ONE)

_TIMED = matches.c.deadline.isnot(None)

Index(None, matches.c.deadline, matches.c.id, sqlite_where=_TIMED, postgresql_where=_TIMED)


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


def due_matches(
    connection: Connection, now: str, after: DueMatch = FIRST, limit: int = 100
) -> list[DueMatch]:
    """Return at most ``limit`` matches that are due at ``now``, behind ``after``, in order."""
    return [DueMatch(*row) for row in rows(connection, _DUE, [now, *after, limit])]


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
    deadline: str | None = None
    pace: str | None = None
    series: str | None = None
    number: int | None = None


class RowFilters(NamedTuple):
    """Which matches a list is to have; None: all of them. Players are ids.

    Without ``mine`` a list has public matches only. With ``mine`` it has those that this
    player sits in, created or is challenged to, whatever their visibility: a private match is
    in nobody else's list, but its own two players could not find it again otherwise.
    ``everything`` is for whoever holds the database itself. ``pace``: one of ``PACES``.
    ``unreserved_at``: only open matches whose free seat is kept for nobody at that instant.
    ``not_to_act``: running ones in which somebody else is awaited than this player.
    ``played_out``: only finished ones that the rules have ended, not a seat that gave up.
    ``made_by``, ``made_to``: challenges that are not answered, by and to this player.
    ``series``: only first matches of series; ``series_status``: of those that are up to this.
    """

    game: str | None = None
    status: str | None = None
    player: str | None = None
    to_act: str | None = None
    mine: str | None = None
    everything: bool = False
    rated: bool | None = None
    pace: str | None = None
    unreserved_at: str | None = None
    played_out: bool = False
    not_to_act: str | None = None
    made_by: str | None = None
    made_to: str | None = None
    series: bool = False
    series_status: str | None = None


class ListKey(NamedTuple):
    """Where a page ended: the value sorted by, and the id, of its last match."""

    at: str
    id: str


NO_PACE, PER_MOVE, BANK = "none", "per-move", "bank"
PACES = (NO_PACE, PER_MOVE, BANK)
"""Kinds of paces, as lists tell them apart; a row has null for the first."""

GIVEN_UP = ("resignation", "timeout", "agreement")
"""Reasons for which a match ends before its game does."""

SORTS = {"updated": matches.c.updated_at, "created": matches.c.created_at}
"""The orders of lists, newest first; the id decides between equals. Each is by an instant."""

_NAMES = ", ".join(MatchRow._fields)
_PLACES = ", ".join("?" * len(MatchRow._fields))
_NEW_VALUES = ", ".join(f"{name} = excluded.{name}" for name in MatchRow._fields[1:])
SAVE = f"""
INSERT INTO matches ({_NAMES}) VALUES ({_PLACES}) ON CONFLICT (id) DO UPDATE SET {_NEW_VALUES}
"""  # noqa: S608 - only names of our own
_UNLESS_CONDITIONAL = """
abs(CAST(? AS INTEGER) -
CASE WHEN EXISTS (SELECT 1 FROM conditional_moves WHERE "match" = ? AND pending) THEN 2 ELSE 0 END)
"""
_GUARDED_PLACES = f"({_PLACES}, {_UNLESS_CONDITIONAL})"
_GUARDED_VALUES = (
    f"{_NEW_VALUES}, guard = (1 - excluded.guard) * CASE WHEN matches.conditional THEN 2 ELSE 0 END"
)

FOLLOWED = "ck_matches_lines_followed"
"""The constraint that refuses to leave lines behind."""


@cache
def save_guarded(rows: int) -> str:
    """Return the SQL that keeps rows as ``SAVE`` keeps one, of the values of ``guarded``.

    It breaks the constraint ``FOLLOWED`` where a seat has conditional moves and may not be passed.
    The row's own flag is what counts, since it is read behind whoever has the row at the moment;
    the lines themselves are looked for in case that the row is not there and is made anew.
    Kept is 0, as in a row that a rebuild makes; 1 if an append that passes lines makes the row.
    """
    places = ", ".join([_GUARDED_PLACES] * rows)
    return (
        f"INSERT INTO matches ({_NAMES}, guard) VALUES {places} "  # noqa: S608 - only names of our own
        f"ON CONFLICT (id) DO UPDATE SET {_GUARDED_VALUES}"
    )


_ALL = select(*(matches.c[name] for name in MatchRow._fields))


def save(connection: Connection, row: MatchRow) -> None:
    """Keep a match's row, in place of the one that there was."""
    run(connection, SAVE, row)


def guarded(row: MatchRow, leaves_lines: bool) -> tuple[object, ...]:  # noqa: FBT001 - of one row
    """Return the values of a row in ``save_guarded``; ``leaves_lines``: it may do that."""
    return (*row, int(leaves_lines), row.id)


def get(connection: Connection, match: str, *, lock: bool = False) -> MatchRow | None:
    """Return a match's row, or None.

    ``lock`` makes other writers of this match wait until the transaction ends. (On SQLite they
    wait anyway.)
    """
    asked = _ALL.where(matches.c.id == match)
    row = connection.execute(asked.with_for_update() if lock else asked).one_or_none()
    return None if row is None else _row(row)


def delete(connection: Connection, match: str | None = None) -> int:
    """Remove a match's row, or all there are, to be made anew; return how many."""
    unwanted = delete_from(matches)
    if match is not None:
        unwanted = unwanted.where(matches.c.id == match)
    return connection.execute(unwanted).rowcount


def list_matches(
    connection: Connection,
    filters: RowFilters,
    *,
    sort: str = "updated",
    limit: int = 25,
    after: ListKey | None = None,
) -> list[MatchRow]:
    """Return at most ``limit`` matches behind the place ``after``, newest first.

    ``sort``: one of ``SORTS``. Ask for one more than a page has to learn whether it is the last.
    """
    column = SORTS[sort]
    asked = chosen(filters)
    if after is not None:
        asked = asked.where(tuple_(column, matches.c.id) < tuple_(*after))
    return _rows(connection, asked.order_by(column.desc(), matches.c.id.desc()).limit(limit))


def newest(database: Database, filters: RowFilters) -> Iterator[str]:
    """Yield the ids of these matches, that which was created last first, read a page at a time."""
    after = None
    while True:
        with database.read() as connection:
            page = list_matches(connection, filters, sort="created", limit=PAGE, after=after)
        yield from (one.id for one in page)
        if len(page) < PAGE:
            return
        after = place_of(page[-1], "created")


def chosen(filters: RowFilters) -> Select[*tuple[Any, ...]]:
    """Return the query for the rows of these matches, in no order."""
    return _ALL.where(*_conditions(filters))


def unfinished(connection: Connection, player: str) -> list[str]:
    """Return the ids of the matches that are not over and that this player is in, or asked to."""
    table = matches.c
    going_on = table.status.in_(("open", "active"))
    asked = select(table.id).where(going_on, _may_see(player)).order_by(table.id)
    return list(connection.execute(asked).scalars())


def count_running(connection: Connection, player: str, others: Sequence[str]) -> int:
    """Return how many running matches a player has against one of these others."""
    table = matches.c
    one = and_(table.seat_1 == player, table.seat_2.in_(others))
    other = and_(table.seat_2 == player, table.seat_1.in_(others))
    asked = select(func.count()).where(table.status == "active", or_(one, other), played_here())
    return connection.execute(asked).scalar_one()


def of_series(connection: Connection, series: str) -> list[MatchRow]:
    """Return the rows of a series' matches, in order."""
    asked = _ALL.where(matches.c.series == series).order_by(matches.c.number, matches.c.id)
    return _rows(connection, asked)


def place_of(row: MatchRow, sort: str) -> ListKey:
    """Return the place that a page ends at whose last match is ``row``."""
    return ListKey(getattr(row, SORTS[sort].name), row.id)


def _conditions(filters: RowFilters) -> list[ColumnElement[bool]]:
    table = matches.c
    conditions = [] if filters.everything else [_may_see(filters.mine)]
    if filters.game is not None:
        conditions.append(table.game == filters.game)
    if filters.status is not None:
        conditions.append(table.status == filters.status)
    if filters.player is not None and filters.series:
        conditions += [table.id.in_(_begun_by(filters.player)), played_here()]
    elif filters.player is not None:
        seated = or_(table.seat_1 == filters.player, table.seat_2 == filters.player)
        conditions += [seated, played_here()]
    if filters.to_act is not None:
        conditions.append(table.to_act_player == filters.to_act)
    if filters.not_to_act is not None:
        other = table.to_act_player.is_distinct_from(filters.not_to_act)
        conditions += [table.status == "active", other]
    if filters.played_out:
        conditions += [table.status == "finished", table.reason.notin_(GIVEN_UP)]
    return conditions + _of_seeks(filters) + _of_series(filters)


def _begun_by(player: str) -> CompoundSelect[*tuple[str]]:
    """Return the query for the first matches of a player's series, by an index for each seat.

    Asked for either seat at once, a database goes through the series of everybody.
    """
    table = matches.c
    one, other = (
        select(table.id).where(table.number == 1, seat == player)
        for seat in (table.seat_1, table.seat_2)
    )
    return union_all(one, other)


def _of_series(filters: RowFilters) -> list[ColumnElement[bool]]:
    """Choose series by their first matches; what they are up to, all of their matches say."""
    if not filters.series:
        return []
    other, begins, status = matches.alias(), matches.c.number == 1, filters.series_status
    if status is None:
        return [begins]
    # The next match comes with the end of the one before: a series is over once none goes on.
    if status == "finished":
        unlike = select(other.c.id).where(other.c.series == matches.c.series)
        return [begins, ~exists(unlike.where(other.c.status != status))]
    # Few are like this, of however many there are: they are found first.
    like = select(other.c.series).where(other.c.series.isnot(None), other.c.status == status)
    return [begins, matches.c.series.in_(like)]


def _of_seeks(filters: RowFilters) -> list[ColumnElement[bool]]:
    table = matches.c
    conditions: list[ColumnElement[bool]] = []
    if filters.made_by is not None:
        own = table.creator == filters.made_by
        conditions += [table.status == "open", table.opponent.isnot(None), own]
    if filters.made_to is not None:
        conditions += [table.status == "open", table.opponent == filters.made_to]
    if filters.rated is not None:
        conditions.append(table.rated == filters.rated)
    if filters.pace is not None:
        kind = None if filters.pace == NO_PACE else filters.pace
        conditions.append(table.pace == kind)
    if filters.unreserved_at is not None:
        kept = invitations.c
        live = and_(
            kept.match == table.id,
            kept.used_at.is_(None),
            kept.revoked_at.is_(None),
            kept.expires_at > filters.unreserved_at,
        )
        conditions += [
            table.status == "open",
            table.opponent.is_(None),
            ~exists(select(kept.id).where(live)),
        ]
    return conditions


def _may_see(mine: str | None) -> ColumnElement[bool]:
    table = matches.c
    if mine is None:
        return table.visibility == "public"
    # Its creator sits in it, always; so two seats and a challenge are all there is to look at.
    challenged = and_(table.opponent == mine, table.status == "open")
    seated = or_(table.seat_1 == mine, table.seat_2 == mine, challenged)
    return and_(seated, played_here())


def played_here() -> ColumnElement[bool]:
    """Return the condition that a match was not imported: ids in one that was are nobody's here."""
    return ~exists().where(imported_matches.c.match == matches.c.id)


def _rows(connection: Connection, asked: Select[*tuple[Any, ...]]) -> list[MatchRow]:
    return [_row(row) for row in connection.execute(asked)]


def _row(row: AnyRow) -> MatchRow:
    return MatchRow(*row)
