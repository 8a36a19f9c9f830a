"""What time asks of the store: vacations, which match is due, and which process does a chore."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    ForeignKey,
    Integer,
    String,
    Table,
    select,
)

from services.store.db.metadata import INSTANT, PLAYER_ID, metadata, players
from services.store.db.sql import rows, run

vacations = Table(
    "vacations",
    metadata,
    Column("player", PLAYER_ID, ForeignKey("players.id"), primary_key=True),
    Column("started_at", INSTANT, primary_key=True),
    Column("ends_at", INSTANT, nullable=False, index=True),
    Column("days", Integer, nullable=False),
    CheckConstraint("days >= 1", name="days"),
)
"""``days`` are those that count, of the year in which it started; fewer if it ended early."""

leases = Table(
    "leases",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("until", INSTANT, nullable=False),
)
"""Chores that one process at a time does; who does not renew its lease loses it."""


class Vacation(NamedTuple):
    """A vacation of a player; ``days`` count against the year in which it started."""

    player: str
    started_at: str
    ends_at: str
    days: int


class Due(NamedTuple):
    """A match that time alone has ended, by the lists, and when."""

    deadline: str
    match: str


FIRST = Due("", "")
"""Stands before every match that is due."""

_TAKE = """
INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= ?
"""

_DUE = """
SELECT deadline, id FROM matches
WHERE deadline IS NOT NULL AND deadline <= ? AND (deadline, id) > (?, ?)
ORDER BY deadline, id LIMIT ?
"""

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


def take_lease(connection: Connection, name: str, holder: str, now: str, until: str) -> bool:
    """Take or renew a lease; False: another holder has it."""
    return bool(run(connection, _TAKE, [name, holder, until, now]).rowcount)


def due_matches(
    connection: Connection, now: str, after: Due = FIRST, limit: int = 100
) -> list[Due]:
    """Return at most ``limit`` matches that are due at ``now``, behind ``after``, in order."""
    return [Due(*row) for row in rows(connection, _DUE, [now, *after, limit])]


def hold_player(connection: Connection, player: str) -> None:
    """Let others who do the same with this player wait until the transaction ends."""
    connection.execute(select(players.c.id).where(players.c.id == player).with_for_update())


def save_vacation(connection: Connection, vacation: Vacation) -> None:
    """Keep a vacation, new or changed."""
    run(
        connection,
        "INSERT INTO vacations (player, started_at, ends_at, days) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (player, started_at) DO UPDATE SET ends_at = excluded.ends_at, "
        "days = excluded.days",
        vacation,
    )


def vacations_of(connection: Connection, player: str, since: str) -> list[Vacation]:
    """Return a player's vacations that started at ``since`` or later, in order."""
    return [Vacation(*row) for row in rows(connection, _OF_PLAYER, [player, since])]


def vacation_at(connection: Connection, player: str, now: str) -> Vacation | None:
    """Return the vacation of a player that is not over at ``now``, or None."""
    found = rows(connection, _AT, [player, now])
    return Vacation(*found[0]) if found else None


def clocked_matches(connection: Connection, player: str) -> list[str]:
    """Return the ids, in order, of a player's running matches that have a clock."""
    return [row[0] for row in rows(connection, _MATCHES, [player, player])]
