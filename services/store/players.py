"""Players: who has which name. A player is never removed, so no name is given out again."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Boolean, Column, Connection, String, Table, Text, select, text, update

from services.store.db.metadata import INSTANT, PLAYER_ID, metadata
from services.store.db.sql import AnyRow, rows, run
from services.store.lookalikes import skeleton

players = Table(
    "players",
    metadata,
    Column("id", PLAYER_ID, primary_key=True),
    Column("name", String(24), nullable=False),
    Column("key", String(24), nullable=False, unique=True),
    Column("password_hash", Text),
    Column("admin", Boolean, nullable=False, server_default=text("false")),
    Column("created_at", INSTANT, nullable=False),
    Column("closed_at", INSTANT),
    Column("skeleton", String(48), nullable=False, server_default=text("''"), index=True),
)
"""``key`` is the folded name. A local player of the terminal has no password.

Of a closed account (``closed_at``) the key and the ``skeleton`` (see ``lookalikes``) remain, so
that nobody gets that name again, or one that looks like it.
"""


class PlayerRow(NamedTuple):
    """A player; ``key`` is the folded name, ``password_hash`` None for a local player."""

    id: str
    name: str
    key: str
    password_hash: str | None
    admin: bool
    created_at: str


CLOSED = "closed account"
"""What a player is called whose account was closed. Nobody else can have this name."""

_COLUMNS = [players.c[name] for name in PlayerRow._fields]
_BY_ID = select(*_COLUMNS)
_INSERT = """
INSERT INTO players (id, name, "key", password_hash, admin, created_at, skeleton)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT ("key") DO NOTHING
"""
_OF_SKELETON = 'SELECT "key" FROM players WHERE skeleton = ?'
_ALIKE = 0x616C
"""Of locks on skeletons."""


def insert(connection: Connection, row: PlayerRow) -> bool:
    """Add a player; False if the name's key is taken, and then nothing has happened."""
    return run(connection, _INSERT, [*row, skeleton(row.name)]).rowcount == 1


def alike(connection: Connection, name: str) -> set[str]:
    """Return the keys of all names that look like one, those of closed accounts too.

    Nobody else signs up with one of them until the transaction ends.
    """
    common = skeleton(name)
    if connection.dialect.name == "postgresql":
        run(connection, "SELECT pg_advisory_xact_lock(?, hashtext(?))", [_ALIKE, common])
    return {key for (key,) in rows(connection, _OF_SKELETON, [common])}


def by_id(connection: Connection, player: str) -> PlayerRow | None:
    """Return a player by id."""
    return _row(connection.execute(_BY_ID.where(players.c.id == player)).one_or_none())


def by_key(connection: Connection, key: str) -> PlayerRow | None:
    """Return a player by the folded name; one whose account is closed is not found."""
    wanted = (players.c.key == key) & players.c.closed_at.is_(None)
    return _row(connection.execute(_BY_ID.where(wanted)).one_or_none())


def hold_open(connection: Connection, player: str) -> bool:
    """Tell whether a player's account is open, and keep it so until the transaction ends.

    Those who hold it open do not wait for each other.
    """
    chosen = select(players.c.closed_at).where(players.c.id == player)
    row = connection.execute(chosen.with_for_update(read=True)).one_or_none()
    return row is not None and row[0] is None


def hold_password(connection: Connection, player: str) -> str | None:
    """Return a player's password hash, and keep it so until the transaction ends."""
    chosen = select(players.c.password_hash).where(players.c.id == player)
    found: str | None = connection.execute(chosen.with_for_update(read=True)).scalar()
    return found


def close(connection: Connection, player: str, now: str) -> bool:
    """Close an account: its name is not shown any more; False if it is closed already.

    Waits for those who hold it open.
    """
    wanted = (players.c.id == player) & players.c.closed_at.is_(None)
    change = update(players).where(wanted)
    values = {"closed_at": now, "name": CLOSED, "password_hash": None, "admin": False}
    return connection.execute(change.values(values)).rowcount == 1


def names(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """Return the names of players by id; an id that nobody has is left out."""
    if not ids:
        return {}
    places = ", ".join("?" * len(ids))
    sql = f"SELECT id, name FROM players WHERE id IN ({places})"  # noqa: S608 - question marks
    return {row[0]: row[1] for row in rows(connection, sql, list(ids))}


def set_password(
    connection: Connection, player: str, password_hash: str, former: str | None = None
) -> bool:
    """Give a player another password; False if ``former`` is given, and is not theirs any more."""
    wanted = players.c.id == player
    if former is not None:
        wanted &= players.c.password_hash == former
    change = update(players).where(wanted).values(password_hash=password_hash)
    return connection.execute(change).rowcount == 1


def set_admin(connection: Connection, player: str, *, admin: bool) -> None:
    """Make a player an administrator, or not any more."""
    connection.execute(update(players).where(players.c.id == player).values(admin=admin))


def _row(row: AnyRow | None) -> PlayerRow | None:
    return None if row is None else PlayerRow(*row)
