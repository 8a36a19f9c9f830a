"""A player's matches by what they ask of the player; see ``services.lobby.agenda``."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, or_, select

from services.store.matches import matches, played_here

_M = matches.c
_BY_TIME_LEFT = (_M.deadline.is_(None), _M.deadline, _M.updated_at, _M.id)
_NEWEST = (_M.updated_at.desc(), _M.id.desc())


def to_move(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the matches in which it is the player's turn, the least time left first."""
    mine = (_M.status == "active") & (_M.to_act_player == player)
    return _ids(connection, mine, _BY_TIME_LEFT, limit)


def waiting(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the running matches in which somebody else is awaited, by time left."""
    others = _M.to_act_player.is_(None) | (_M.to_act_player != player)
    return _ids(
        connection, (_M.status == "active") & _seated(player) & others, _BY_TIME_LEFT, limit
    )


def challenges(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the challenges to the player that are not answered, the newest first."""
    asked = (_M.status == "open") & (_M.opponent == player)
    return _ids(connection, asked, _NEWEST, limit)


def offered(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the player's own matches that nobody has joined yet, the newest first."""
    own = (_M.status == "open") & (_M.creator == player) & _seated(player)
    return _ids(connection, own, _NEWEST, limit)


def over(connection: Connection, player: str, limit: int) -> list[str]:
    """Return the player's matches that are over, the newest first."""
    ended = _M.status.in_(("finished", "aborted")) & _seated(player) & played_here()
    return _ids(connection, ended, _NEWEST, limit)


def _seated(player: str) -> ColumnElement[bool]:
    return or_(_M.seat_1 == player, _M.seat_2 == player)


def _ids(
    connection: Connection,
    condition: ColumnElement[bool],
    order: tuple[ColumnElement[Any], ...],
    limit: int,
) -> list[str]:
    chosen = select(_M.id).where(condition).order_by(*order).limit(limit)
    return list(connection.execute(chosen).scalars())
