"""Which matches a list has, and by which index each list is read.

A list is read in its order by an index that begins with what it is asked for, so that a page takes
as long among a million matches as among a thousand. What is asked for of players is read seat by
seat, each behind the same place, and the few that come of it are put together. Other conditions are
only looked at on the way: SQLite, which keeps no statistics, would take some of them for rarer than
they are, and read by them (``LOOKED_AT``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.challenges import invitations
from services.store.db.engine import Database
from services.store.matches import (
    EVERY_COLUMN,
    LOOKED_AT,
    NO_PACE,
    SORTS,
    ListKey,
    MatchRow,
    matches,
    may_see,
    place_of,
    was_played_here,
)

PAGE = 100
"""Matches that are looked up at once where all are wanted."""


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


GIVEN_UP = ("resignation", "timeout", "agreement")
"""Reasons for which a match ends before its game does."""


_BEGINS_A_SERIES = matches.c.number == sa.literal_column("1")
_OPEN, _ABORTED = (matches.c.status == sa.literal_column(f"'{one}'") for one in ("open", "aborted"))
"""Written out: with values of the moment in their place no partial index is known to serve."""


class _Way(NamedTuple):
    """Conditions by which an index is searched, and for which filters they stand.

    ``few``: so few meet them that they are sorted afterwards, not read in an index's order.
    """

    conditions: Sequence[sa.ColumnElement[bool]]
    filters: frozenset[str] = frozenset()
    few: bool = False


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
    asked = select_in_order(filters, sort=sort, limit=limit, after=after)
    return [MatchRow(*row) for row in connection.execute(asked)]


def iter_match_ids(database: Database, filters: RowFilters) -> Iterator[str]:
    """Yield the ids of these matches, that which was created last first, read a page at a time."""
    after = None
    while True:
        with database.read() as connection:
            page = list_matches(connection, filters, sort="created", limit=PAGE, after=after)
        yield from (one.id for one in page)
        if len(page) < PAGE:
            return
        after = place_of(page[-1], "created")


def select_in_order(
    filters: RowFilters,
    *,
    sort: str,
    limit: int,
    after: ListKey | None = None,
    more: Sequence[sa.ColumnElement[bool]] = (),
) -> sa.Select[*tuple[Any, ...]]:
    """Return the query for rows of these matches, as ``list_matches`` orders and cuts them.

    ``more``: what else has to hold of them.
    """
    name, found = SORTS[sort].name, []
    for way in _choose_ways(filters):
        columns: Mapping[str, sa.ColumnElement[Any]] = LOOKED_AT if way.few else dict(matches.c)
        place = columns[name], columns["id"]
        conditions = [] if after is None else [sa.tuple_(*place) < sa.tuple_(*after)]
        conditions += [*way.conditions, *_build_conditions(filters, way.filters), *more]
        order = [one.desc() for one in place]
        found.append(EVERY_COLUMN.where(*conditions).order_by(*order).limit(limit))
    if len(found) == 1:
        return found[0]
    every = sa.union_all(*(sa.select(one.subquery()) for one in found)).subquery()
    return sa.select(every).order_by(every.c[name].desc(), every.c.id.desc()).limit(limit)


def select_unordered(filters: RowFilters) -> sa.Select[*tuple[Any, ...]]:
    """Return the query for the rows of these matches, in no order, for who looks for some by id."""
    return EVERY_COLUMN.where(*_build_conditions(filters))


def _choose_ways(filters: RowFilters) -> list[_Way]:
    """Return how a list is read; no match is found in two ways."""
    table = matches.c
    if filters.to_act is not None:
        return [_Way([table.to_act_player == filters.to_act], frozenset({"to_act"}))]
    for name in ("player", "mine", "made_by"):
        player = getattr(filters, name)
        if player is not None:
            return _choose_seat_ways(filters, name, player)
    if filters.made_to is not None:
        return [_Way([table.opponent == filters.made_to])]
    if filters.unreserved_at is not None or filters.not_to_act is not None:
        return [_Way([table.status == ("open" if filters.unreserved_at is not None else "active")])]
    names = ["status"]
    if filters.series:
        names = ["game", "series_status"]
    elif filters.game is not None and filters.status in (None, "finished"):
        # Most matches are finished: those of one game are fewer.
        names = ["game"]
    given = {name: getattr(filters, name) for name in names if getattr(filters, name) is not None}
    found = [table[name] == value for name, value in given.items()]
    return [_Way([*_build_series_conditions(filters), *found], frozenset({*given, "series"}))]


def _choose_seat_ways(filters: RowFilters, name: str, player: str) -> list[_Way]:
    """Return how the matches of a player are read, for the filter of that name."""
    table, own = matches.c, frozenset({name})
    if name == "made_by" or filters.unreserved_at is not None or filters.status == "open":
        # Few of all that a player has: their creator sits in them, and nobody else.
        seats = [_Way([_OPEN, table.creator == player], own, few=True)]
    else:
        # Nor are those many that came to nothing, of all that a house player has.
        rare = [_ABORTED] if filters.status == "aborted" else []
        seats = [
            _Way(
                [*_build_series_conditions(filters), *rare, seat == player, was_played_here()],
                own | {"series"},
            )
            for seat in (table.seat_1, table.seat_2)
        ]
    if name != "mine":
        return seats
    asked = [table.opponent == player, LOOKED_AT["status"] == "open", was_played_here()]
    return [*seats, _Way(asked, own)]


def _build_series_conditions(filters: RowFilters) -> list[sa.ColumnElement[bool]]:
    return [_BEGINS_A_SERIES] if filters.series else []


def _build_conditions(
    filters: RowFilters, searched: frozenset[str] = frozenset()
) -> list[sa.ColumnElement[bool]]:
    """Return what has to hold of a match; ``searched``: filters that need not be looked at."""
    table, conditions = LOOKED_AT, list[sa.ColumnElement[bool]]()
    if not filters.everything and "mine" not in searched:
        conditions.append(may_see(filters.mine, table))
    for name in ("game", "status", "series_status"):
        if getattr(filters, name) is not None and name not in searched:
            conditions.append(table[name] == getattr(filters, name))
    if filters.player is not None and "player" not in searched:
        seated = sa.or_(table["seat_1"] == filters.player, table["seat_2"] == filters.player)
        conditions += [seated, was_played_here()]
    if filters.to_act is not None and "to_act" not in searched:
        conditions.append(table["to_act_player"] == filters.to_act)
    if filters.not_to_act is not None:
        other = table["to_act_player"].is_distinct_from(filters.not_to_act)
        conditions += [table["status"] == "active", other]
    if filters.played_out:
        conditions += [table["status"] == "finished", table["reason"].notin_(GIVEN_UP)]
    if filters.series and "series" not in searched:
        conditions.append(table["number"] == 1)
    return conditions + _build_seek_conditions(filters)


def _build_seek_conditions(filters: RowFilters) -> list[sa.ColumnElement[bool]]:
    table = LOOKED_AT
    conditions: list[sa.ColumnElement[bool]] = []
    if filters.made_by is not None:
        own = table["creator"] == filters.made_by
        conditions += [table["status"] == "open", table["opponent"].isnot(None), own]
    if filters.made_to is not None:
        conditions += [table["status"] == "open", table["opponent"] == filters.made_to]
    if filters.rated is not None:
        as_asked = table["rated"] == filters.rated
        # An imported match counts for nobody here, and is shown as one that is not rated.
        conditions += (
            [as_asked, was_played_here()]
            if filters.rated
            else [sa.or_(as_asked, ~was_played_here())]
        )
    if filters.pace is not None:
        kind = None if filters.pace == NO_PACE else filters.pace
        conditions.append(table["pace"] == kind)
    if filters.unreserved_at is not None:
        kept = invitations.c
        live = sa.and_(
            kept.match == matches.c.id,
            kept.used_at.is_(None),
            kept.revoked_at.is_(None),
            kept.expires_at > filters.unreserved_at,
        )
        conditions += [
            table["status"] == "open",
            table["opponent"].is_(None),
            ~sa.exists(sa.select(kept.id).where(live)),
        ]
    return conditions
