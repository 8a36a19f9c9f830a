"""Vacations in the store: from when to when each player is away, and the matches it concerns."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch_all, fetch_first, insert_rows, make_save_sql
from services.store.db.metadata import INSTANT, PLAYER_ID, metadata

vacations = sa.Table(
    "vacations",
    metadata,
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("started_at", INSTANT, primary_key=True),
    sa.Column("ends_at", INSTANT, nullable=False, index=True),
    sa.Column("days", sa.Integer, nullable=False),
    sa.CheckConstraint("days >= 1", name="days"),
)
"""``days`` are those that count, of the year in which it started; fewer if it ended early."""


class Vacation(NamedTuple):
    """A vacation of a player; ``days`` count against the year in which it started."""

    player: str
    started_at: str
    ends_at: str
    days: int


_OF_PLAYER = """
SELECT player, started_at, ends_at, days FROM vacations WHERE player = ? AND started_at >= ?
ORDER BY started_at
"""

_AT = """
SELECT player, started_at, ends_at, days FROM vacations WHERE player = ? AND ends_at > ?
ORDER BY ends_at DESC LIMIT 1
"""

_MATCHES = """
SELECT id FROM matches
WHERE (seat_1 = ? OR seat_2 = ?) AND status = 'active' AND deadline IS NOT NULL ORDER BY id
"""


def save_vacation(connection: Connection, vacation: Vacation) -> None:
    """Keep a vacation, new or changed."""
    sql = make_save_sql("vacations", ["player", "started_at"], ["ends_at", "days"])
    insert_rows(connection, sql, [vacation])


def list_by_player(connection: Connection, player: str, since: str) -> list[Vacation]:
    """Return a player's vacations that started at ``since`` or later, in order."""
    return fetch_all(connection, Vacation, _OF_PLAYER, [player, since])


def find_at(connection: Connection, player: str, now: str) -> Vacation | None:
    """Return the vacation of a player that is not over at ``now``, or None."""
    return fetch_first(connection, Vacation, _AT, [player, now])


def list_clocked_matches(connection: Connection, player: str) -> list[str]:
    """Return the ids, in order, of a player's running matches that have a clock."""
    return fetch_all(connection, str, _MATCHES, [player, player])
