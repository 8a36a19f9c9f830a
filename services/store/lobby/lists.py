"""Lists to leaf through while matches move: each row keeps the place that it had at first.

A list by the last change is a list that changes: a match in which somebody moves comes to its
front, and who is on the third page would never see it. So the first page remembers its moment, in
the database's own terms, and later pages are those of that moment. What has moved since stands
where it stood then, by the instants of its events; what has been added since is on no page.

A player's own matches are listed by what they ask of the player; see ``services.lobby.agenda``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.types import UserDefinedType
from typing_extensions import override

from services.store.db.metadata import TransactionId
from services.store.lobby.filters import RowFilters, list_matches, select_in_order, select_unordered
from services.store.log.events import events
from services.store.matches import LOOKED_AT, ListKey, MatchRow, matches, place_of, was_played_here


class Listed(NamedTuple):
    """A match as it is now, and its place in the list of the moment."""

    row: MatchRow
    place: ListKey


class ListPage(NamedTuple):
    """A page, and the moment whose list it belongs to: "" if no row has a place that changes."""

    listed: list[Listed]
    moment: str


class _Snapshot(UserDefinedType[str]):
    """PostgreSQL's ``pg_snapshot``: which transactions were finished at a moment."""

    cache_ok = True

    @override
    def get_col_spec(self, **_: object) -> str:
        """Return the type's name in SQL."""
        return "pg_snapshot"


def list_page(
    connection: Connection,
    filters: RowFilters,
    *,
    sort: str,
    limit: int,
    behind: tuple[ListKey, str] | None = None,
) -> ListPage:
    """Return at most ``limit`` matches behind a place of the list of a moment.

    Without either it is the first page, which finds the moment out. A moment must be one that such
    a page of this history has told. The order of the last change alone needs one.
    """
    if sort != "updated":
        place = None if behind is None else behind[0]
        rows = list_matches(connection, filters, sort=sort, limit=limit, after=place)
        return ListPage([Listed(row, place_of(row, sort)) for row in rows], "")
    if behind is None:
        return _list_first(connection, filters, limit)
    after, moment = behind
    moved = _is_behind(connection, moment)
    touched = matches.c.id.in_(sa.select(events.c.match).where(moved))
    # By the log, since the row itself knows only where it is now.
    as_of = sa.select(sa.func.max(events.c.at)).where(
        events.c.match == matches.c.id, sa.not_(moved)
    )
    still = select_in_order(filters, sort=sort, limit=limit, after=after, more=[sa.not_(touched)])
    rows = [MatchRow(*row) for row in connection.execute(still)]
    listed = [
        *(Listed(row, place_of(row, sort)) for row in rows),
        *_list_moved(
            connection,
            select_unordered(filters).where(touched),
            as_of.scalar_subquery(),
            after,
            limit,
        ),
    ]
    listed.sort(key=lambda one: one.place, reverse=True)
    return ListPage(listed[:limit], moment)


def _list_first(connection: Connection, filters: RowFilters, limit: int) -> ListPage:
    """Return the newest, and the moment of this very statement."""
    newest = select_in_order(filters, sort="updated", limit=limit)
    newest = newest.add_columns(_select_moment(connection).label("moment"))
    found = list(connection.execute(newest))
    rows = [MatchRow(*row[:-1]) for row in found]
    listed = [Listed(row, place_of(row, "updated")) for row in rows]
    return ListPage(listed, str(found[0][-1]) if found else "")


def _list_moved(
    connection: Connection,
    asked: sa.Select[*tuple[Any, ...]],
    at: sa.ColumnElement[Any],
    after: ListKey,
    limit: int,
) -> list[Listed]:
    """Return the rows that are asked for and came behind a place, in the order of ``at``."""
    behind = sa.tuple_(at, matches.c.id) < sa.tuple_(*after)
    asked = asked.add_columns(at.label("at")).where(behind).limit(limit)
    found = connection.execute(asked.order_by(at.desc(), matches.c.id.desc()))
    return [Listed(MatchRow(*row[:-1]), ListKey(row[-1], row[0])) for row in found]


def _select_moment(connection: Connection) -> sa.ColumnElement[Any]:
    if connection.dialect.name == "sqlite":
        return sa.select(sa.func.coalesce(sa.func.max(events.c.position), 0)).scalar_subquery()
    return sa.cast(sa.func.log_moment(), sa.Text())


def _is_behind(connection: Connection, moment: str) -> sa.ColumnElement[bool]:
    """Return the condition that an event was not there yet at a moment."""
    if connection.dialect.name == "sqlite":
        return events.c.position > int(moment)
    oldest = sa.cast(sa.literal(moment.partition(":")[0]), TransactionId())
    seen = sa.func.pg_visible_in_snapshot(events.c.txid, sa.cast(sa.literal(moment), _Snapshot()))
    # The first of the two can be found by an index; the second is what is meant.
    return sa.and_(events.c.txid >= oldest, sa.not_(seen))


_M = matches.c
_STATUS = LOOKED_AT["status"]
_BY_TIME_LEFT = (_M.deadline.is_(None), _M.deadline, _M.updated_at, _M.id)
_NEWEST = (_M.updated_at.desc(), _M.id.desc())


def list_to_move(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the matches in which it is the player's turn, the least time left first."""
    mine = (_STATUS == "active") & (_M.to_act_player == player)
    return _list_ids(connection, mine, _BY_TIME_LEFT, limit)


def count_to_move(connection: Connection, player: str) -> int:
    """Return in how many matches it is the player's turn."""
    mine = (_STATUS == "active") & (_M.to_act_player == player)
    return connection.execute(sa.select(sa.func.count()).where(mine)).scalar_one()


def make_mark(connection: Connection, player: str) -> str:
    """Return what becomes another text whenever the player's lists do."""
    newest, asked = sa.func.max(_M.updated_at), (_M.opponent == player) & (_M.status == "open")
    parts = [
        *(sa.select(newest).where(seat == player) for seat in (_M.seat_1, _M.seat_2)),
        *(sa.select(part).where(asked) for part in (newest, sa.func.count())),
    ]
    found = connection.execute(sa.select(*(part.scalar_subquery() for part in parts))).one()
    return " ".join(str(part or "-") for part in found)


def list_waiting(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the running matches in which somebody else is awaited, by time left."""
    others = _M.to_act_player.is_(None) | (_M.to_act_player != player)
    return _list_ids(
        connection, (_STATUS == "active") & _is_seated(player) & others, _BY_TIME_LEFT, limit
    )


def list_challenges(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the challenges to the player that are not answered, the newest first."""
    asked = (_STATUS == "open") & (_M.opponent == player)
    return _list_ids(connection, asked, _NEWEST, limit)


def list_offered(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the player's own matches that nobody has joined yet, the newest first."""
    own = (_STATUS == "open") & (_M.creator == player) & _is_seated(player)
    return _list_ids(connection, own, _NEWEST, limit)


def list_ended(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the player's matches that are over, the newest first."""
    ended = _STATUS.in_(("finished", "aborted")) & _is_seated(player) & was_played_here()
    return _list_ids(connection, ended, _NEWEST, limit)


def list_by_players(connection: Connection, players: Sequence[str], limit: int) -> list[str]:
    """Return public matches of these players that have begun, the last change first."""
    if not players:
        return []
    begun = _M.status.in_(("active", "finished")) & (_M.visibility == "public") & was_played_here()
    seated = sa.or_(_M.seat_1.in_(players), _M.seat_2.in_(players))
    return _list_ids(connection, begun & seated, _NEWEST, limit)


def _is_seated(player: str) -> sa.ColumnElement[bool]:
    return sa.or_(_M.seat_1 == player, _M.seat_2 == player)


def _list_ids(
    connection: Connection,
    condition: sa.ColumnElement[bool],
    order: tuple[sa.ColumnElement[Any], ...],
    limit: int,
) -> list[str]:
    asked = sa.select(_M.id).where(condition).order_by(*order).limit(limit)
    return list(connection.execute(asked).scalars())
