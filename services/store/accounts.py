"""Players, their tokens and sessions, and from where they have got in.

A player is never removed, so no name is given out again. Tokens and sessions are known by the
digest of their secret alone, addresses by keyed hashes, which tell nothing without the key.

Names that look like one another have the same skeleton. Unicode's list of confusable characters
(UTS 39, section 4) has few among the letters, digits and marks that names are made of: I, l and 1,
O and 0, m and rn. We add w and vv. Each character becomes what all that look like it have in
common. Case is folded, as it is for names themselves, but last: an I looks like an l, an i does
not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_among, fetch_first, run
from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata

_COMMON = str.maketrans({"1": "l", "I": "l", "0": "o", "m": "rn", "w": "vv"})


def make_skeleton(name: str) -> str:
    """Return what a name has in common with all that look like it.

    >>> make_skeleton("Ian") == make_skeleton("lan") == make_skeleton("1AN")
    True
    >>> make_skeleton("bill") == make_skeleton("ball")
    False
    >>> make_skeleton("Moby") == make_skeleton("moby")
    False
    """
    return name.translate(_COMMON).casefold()


players = sa.Table(
    "players",
    metadata,
    sa.Column("id", PLAYER_ID, primary_key=True),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column(
        "key",
        sa.String(24).with_variant(sa.String(24, collation="C"), "postgresql"),
        nullable=False,
        unique=True,
    ),
    sa.Column("password_hash", sa.Text),
    sa.Column("admin", sa.Boolean, nullable=False, server_default=sa.text("false")),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("closed_at", INSTANT),
    sa.Column("suspended_at", INSTANT),
    sa.Column("closes_at", INSTANT),
    sa.Column("skeleton", sa.String(48), nullable=False, server_default=sa.text("''"), index=True),
)
"""``key`` is the folded name, sorted by its bytes. A local player of the terminal has no password.

Of a closed account (``closed_at``) the key and the ``skeleton`` (see ``make_skeleton``) remain, so
that nobody gets that name again, or one that looks like it.
"""


_LEAVING = players.c.closes_at.isnot(None)

sa.Index(None, players.c.closes_at, sqlite_where=_LEAVING, postgresql_where=_LEAVING)


class PlayerRow(NamedTuple):
    """A player; see ``players``."""

    id: str
    name: str
    key: str
    password_hash: str | None
    admin: bool
    created_at: str


CLOSED = "closed account"
"""What a player is called whose account was closed. Nobody else can have this name."""

_SELECT = sa.select(*(players.c[name] for name in PlayerRow._fields))
_INSERT = """
INSERT INTO players (id, name, "key", password_hash, admin, created_at, skeleton)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT ("key") DO NOTHING
"""
_OF_SKELETON = 'SELECT "key" FROM players WHERE skeleton = ?'
_ALIKE = 0x616C
"""Of locks on skeletons."""


def insert_player(connection: Connection, row: PlayerRow) -> bool:
    """Add a player; False if the name's key is taken, and then nothing has happened."""
    return run(connection, _INSERT, [*row, make_skeleton(row.name)]).rowcount == 1


def name_visitor(connection: Connection, player: str, row: PlayerRow) -> bool:
    """Give a player who has no password the name of ``row``, and all else but its id.

    False: they have one already. Raises ``IntegrityError`` where the name's key is taken.
    """
    wanted = (players.c.id == player) & players.c.password_hash.is_(None)
    values = {**row._asdict(), "id": player, "skeleton": make_skeleton(row.name)}
    return _change(connection, wanted, values)


def list_alike(connection: Connection, name: str) -> set[str]:
    """Return the keys of all names that look like one, those of closed accounts too.

    Nobody else signs up with one of them until the transaction ends.
    """
    common = make_skeleton(name)
    hold_alike(connection, common)
    return {key for (key,) in fetch(connection, _OF_SKELETON, [common])}


def hold_alike(connection: Connection, common: str) -> None:
    """Let nobody else take a name with this skeleton until the transaction ends.

    On SQLite whoever writes is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        run(connection, "SELECT pg_advisory_xact_lock(?, hashtext(?))", [_ALIKE, common])


def find_by_id(connection: Connection, player: str) -> PlayerRow | None:
    """Return a player by id."""
    return _find(connection, players.c.id == player)


def find_by_key(connection: Connection, key: str) -> PlayerRow | None:
    """Return a player by the folded name; one whose account is closed is not found."""
    return _find(connection, (players.c.key == key) & players.c.closed_at.is_(None))


def _find(connection: Connection, wanted: sa.ColumnElement[bool]) -> PlayerRow | None:
    row = connection.execute(_SELECT.where(wanted)).one_or_none()
    return None if row is None else PlayerRow(*row)


def _change(
    connection: Connection, wanted: sa.ColumnElement[bool], values: Mapping[str, object]
) -> bool:
    """Change the player who is ``wanted``; False if there is none."""
    return connection.execute(sa.update(players).where(wanted).values(values)).rowcount == 1


BY_PREFIX = """
SELECT id, name, "key", password_hash, admin, created_at FROM players
WHERE "key" >= ? AND "key" > ? AND "key" < ? AND closed_at IS NULL
AND NOT ("key" >= 'A' AND "key" < '[')
ORDER BY "key" LIMIT ?
"""
_BEHIND = "\x7f"
"""Comes behind all that names are made of."""


def list_by_prefix(connection: Connection, prefix: str, after: str, limit: int) -> list[PlayerRow]:
    """Return at most so many players whose keys begin so and come behind ``after``, in order.

    Those whose accounts are closed are not among them, nor those that nobody can look up by name:
    the hands of practice matches, whose keys are no folded names.
    """
    found = fetch(connection, BY_PREFIX, [prefix, after, prefix + _BEHIND, limit])
    return [PlayerRow(row[0], row[1], row[2], row[3], bool(row[4]), row[5]) for row in found]


def set_suspended(connection: Connection, player: str, now: str | None) -> bool:
    """Suspend an account at an instant, or, with None, no more; False if that is so already."""
    is_now = players.c.suspended_at.is_(None)
    wanted = (players.c.id == player) & (is_now if now is not None else ~is_now)
    return _change(connection, wanted, {"suspended_at": now})


def is_suspended(connection: Connection, player: str) -> bool:
    """Tell whether a player's account is suspended."""
    chosen = sa.select(players.c.suspended_at).where(players.c.id == player)
    return connection.execute(chosen).scalar() is not None


def list_suspended(connection: Connection, ids: Collection[str]) -> set[str]:
    """Return which of these players' accounts are suspended."""
    sql = "SELECT id FROM players WHERE suspended_at IS NOT NULL AND id IN ({})"
    return {player for (player,) in fetch_among(connection, sql, ids)}


def hold_open(connection: Connection, player: str) -> bool:
    """Tell whether a player's account is open, and keep it so until the transaction ends.

    Those who hold it open do not wait for each other.
    """
    chosen = sa.select(players.c.closed_at).where(players.c.id == player)
    row = connection.execute(chosen.with_for_update(read=True)).one_or_none()
    return row is not None and row[0] is None


def hold_all_open(connection: Connection, ids: Iterable[str | None]) -> set[str]:
    """Keep the accounts of several players open, as ``hold_open`` does; return which are.

    Whoever holds more than one does it in this order, and before any match, so that no two wait for
    each other.
    """
    return {one for one in sorted({*filter(None, ids)}) if hold_open(connection, one)}


def hold_alone(connection: Connection, player: str) -> None:
    """Keep a player for this transaction alone until it ends: whoever else holds them waits."""
    chosen = sa.select(players.c.id).where(players.c.id == player)
    connection.execute(chosen.with_for_update(key_share=True))


def hold_password(connection: Connection, player: str) -> str | None:
    """Return a player's password hash, and keep it so until the transaction ends."""
    chosen = sa.select(players.c.password_hash).where(players.c.id == player)
    found: str | None = connection.execute(chosen.with_for_update(read=True)).scalar()
    return found


def set_closing(connection: Connection, player: str, at: str | None) -> bool:
    """Have an account closed at an instant, or, with None, kept; False if it is to stay anyway."""
    wanted = (players.c.id == player) & players.c.closed_at.is_(None)
    wanted &= _LEAVING if at is None else sa.true()
    return _change(connection, wanted, {"closes_at": at})


def find_closing(connection: Connection, key: str) -> str | None:
    """Return the player of this name's key whose account is to be closed, or None."""
    chosen = sa.select(players.c.id).where(players.c.key == key, _LEAVING)
    found: str | None = connection.execute(chosen).scalar()
    return found


def list_closing_before(connection: Connection, now: str, limit: int) -> list[str]:
    """Return the players whose accounts are due to be closed, those that waited longest first."""
    due = sa.select(players.c.id).where(players.c.closes_at <= now)
    return list(connection.execute(due.order_by(players.c.closes_at).limit(limit)).scalars())


def close(connection: Connection, player: str, now: str, due: str | None = None) -> bool:
    """Close an account: its name is not shown any more; False if it is closed already.

    ``due``: only if it is to be closed by then. Waits for those who hold it open.
    """
    wanted = (players.c.id == player) & players.c.closed_at.is_(None)
    if due is not None:
        wanted &= players.c.closes_at <= due
    values = {"closed_at": now, "name": CLOSED, "password_hash": None, "admin": False}
    return _change(connection, wanted, values | {"closes_at": None, "suspended_at": None})


def set_password(
    connection: Connection, player: str, password_hash: str, former: str | None = None
) -> bool:
    """Give a player another password; False if ``former`` is given, and is not theirs any more."""
    wanted = players.c.id == player
    if former is not None:
        wanted &= players.c.password_hash == former
    return _change(connection, wanted, {"password_hash": password_hash})


def set_admin(connection: Connection, player: str, *, admin: bool) -> None:
    """Make a player an administrator, or not any more."""
    _change(connection, players.c.id == player, {"admin": admin})


tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), nullable=False, index=True),
    sa.Column("digest", DIGEST, nullable=False, unique=True),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("expires_at", INSTANT, nullable=False),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
)
"""``digest`` is the SHA-256 of the token, which is stored nowhere. ``scopes``: by spaces."""


class TokenRow(NamedTuple):
    """A token; see ``tokens``."""

    id: str
    player: str
    digest: str
    label: str
    scopes: str
    created_at: str
    expires_at: str


class Bearer(NamedTuple):
    """Whose token it is, how far it reaches, how long it is good for, what its player is."""

    token: str
    player: str
    name: str
    scopes: str
    expires_at: str
    admin: bool


_HOLDER = """
SELECT tokens.id, tokens.player, players.name, tokens.scopes, tokens.expires_at, players.admin
FROM tokens JOIN players ON players.id = tokens.player
WHERE tokens.digest = ? AND players.closed_at IS NULL AND players.suspended_at IS NULL
"""


def insert_token(connection: Connection, row: TokenRow) -> None:
    """Add a token."""
    connection.execute(sa.insert(tokens), row._asdict())


def find_bearer(connection: Connection, digest: str) -> Bearer | None:
    """Return whose token has this digest; whether it is still good is not asked here."""
    return fetch_first(connection, Bearer, _HOLDER, [digest])


def list_tokens(connection: Connection, player: str) -> list[TokenRow]:
    """Return a player's tokens, oldest first."""
    columns = [tokens.c[name] for name in TokenRow._fields]
    chosen = sa.select(*columns).where(tokens.c.player == player)
    rows = connection.execute(chosen.order_by(tokens.c.created_at, tokens.c.id))
    return [TokenRow(*row) for row in rows]


def delete_token(connection: Connection, player: str, token: str) -> bool:
    """Remove one of a player's own tokens; False if the player has none of that id."""
    its_own = (tokens.c.id == token) & (tokens.c.player == player)
    return connection.execute(sa.delete(tokens).where(its_own)).rowcount == 1


sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("digest", DIGEST, primary_key=True),
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), nullable=False, index=True),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("expires_at", INSTANT, nullable=False, index=True),
    sa.Column("agent", sa.String(200)),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
)
"""Browsers that are logged in; ``agent`` is what they call themselves.

``digest``: the SHA-256 of the session's id, which only the cookie holds.
"""


class SessionRow(NamedTuple):
    """A session; see ``sessions``."""

    digest: str
    player: str
    created_at: str
    expires_at: str
    agent: str | None


class SessionOwner(NamedTuple):
    """Whose session it is, how long it is good for, and what its player has chosen."""

    player: str
    name: str
    expires_at: str
    display_name: str | None
    time_zone: str | None
    language: str | None


_SESSION = """
SELECT sessions.player, players.name, sessions.expires_at, display_name, time_zone, language
FROM sessions JOIN players ON players.id = sessions.player
LEFT JOIN profiles ON profiles.player = sessions.player
WHERE sessions.digest = ? AND players.closed_at IS NULL AND players.suspended_at IS NULL
"""


def insert_session(connection: Connection, row: SessionRow) -> None:
    """Add a session."""
    connection.execute(sa.insert(sessions), row._asdict())


def find_session_owner(connection: Connection, digest: str) -> SessionOwner | None:
    """Return whose session has this digest; whether it is still good is not asked here."""
    return fetch_first(connection, SessionOwner, _SESSION, [digest])


def delete_session(connection: Connection, digest: str) -> None:
    """Remove a session, if it is there."""
    connection.execute(sa.delete(sessions).where(sessions.c.digest == digest))


def list_sessions(connection: Connection, player: str, now: str) -> list[SessionRow]:
    """Return a player's sessions that have not expired, the newest first."""
    columns = [sessions.c[name] for name in SessionRow._fields]
    chosen = sa.select(*columns).where(sessions.c.player == player, sessions.c.expires_at > now)
    rows = connection.execute(chosen.order_by(sessions.c.created_at.desc(), sessions.c.digest))
    return [SessionRow(*row) for row in rows]


def delete_session_by_prefix(connection: Connection, player: str, beginning: str) -> bool:
    """Remove a player's session whose digest begins so; False if there is none."""
    chosen = (sessions.c.player == player) & sessions.c.digest.startswith(
        beginning, autoescape=True
    )
    return connection.execute(sa.delete(sessions).where(chosen)).rowcount > 0


known_addresses = sa.Table(
    "known_addresses",
    metadata,
    sa.Column("digest", DIGEST, primary_key=True),
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), nullable=False, index=True),
    sa.Column("seen_at", INSTANT, nullable=False, index=True),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
)
"""``digest``: of a name's key and an address. ``seen_at``: when that player last got in there."""

_SEEN = "SELECT seen_at FROM known_addresses WHERE digest = ?"
_SEE = """
INSERT INTO known_addresses (digest, player, seen_at)
SELECT ?, id, ? FROM players WHERE "key" = ? AND closed_at IS NULL
ON CONFLICT (digest) DO UPDATE SET seen_at = excluded.seen_at
"""


def find_last_seen(connection: Connection, digest: str) -> str | None:
    """Return when somebody last got in there, or None: never, or it is forgotten."""
    return fetch_first(connection, str, _SEEN, [digest])


def save_seen(connection: Connection, digest: str, key: str, now: str) -> None:
    """Keep that the player of this name's key got in there now."""
    run(connection, _SEE, [digest, now, key])


def delete_of(connection: Connection, player: str, *tables: sa.Table) -> None:
    """Remove all that these tables have of a player."""
    for table in tables:
        connection.execute(sa.delete(table).where(table.c.player == player))


def delete_older(connection: Connection, column: sa.Column[str], before: str) -> int:
    """Remove the rows of a column's table in which it is before an instant; return how many."""
    return connection.execute(sa.delete(column.table).where(column < before)).rowcount
