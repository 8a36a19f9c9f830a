"""The tables, as SQLAlchemy Core sees them. The migrations make them; tests hold both equal.

``events`` is the truth. ``matches`` and ``snapshots`` are caches of it (law 7). Instants are
texts in the form of the event format, which sort as they passed. What lies outside of a table's
columns (the triggers that make ``events`` append-only) stands in the migrations alone.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.types import UserDefinedType
from typing_extensions import override

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""How constraints are named, so that a migration can name what it changes."""

metadata = MetaData(naming_convention=NAMES)

INSTANT = String(27)
MATCH_ID = String(16)
PLAYER_ID = String(18)
DIGEST = String(64)


class TransactionId(UserDefinedType[str]):
    """PostgreSQL's ``xid8``: a transaction's number, which never comes round again."""

    cache_ok = True

    @override
    def get_col_spec(self, **_: object) -> str:
        """Return the type's name in SQL."""
        return "xid8"


# Without this, looking at a schema would warn of a type that nobody knows.
PGDialect.ischema_names["xid8"] = TransactionId

POSITION = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite counts up by itself only what is called INTEGER."""

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

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player", PLAYER_ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("digest", DIGEST, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", INSTANT, nullable=False),
    Column("expires_at", INSTANT, nullable=False),
    CheckConstraint("length(digest) = 64", name="digest"),
)
"""``digest`` is the SHA-256 of the token, which is stored nowhere. ``scopes``: by spaces."""

sessions = Table(
    "sessions",
    metadata,
    Column("digest", DIGEST, primary_key=True),
    Column("player", PLAYER_ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", INSTANT, nullable=False),
    Column("expires_at", INSTANT, nullable=False, index=True),
    Column("agent", String(200)),
    CheckConstraint("length(digest) = 64", name="digest"),
)
"""Browsers that are logged in; ``agent`` is what they call themselves.

``digest``: of the session's id, which only the cookie holds.
"""

events = Table(
    "events",
    metadata,
    Column("position", POSITION, Identity(always=True), primary_key=True),
    Column("match", MATCH_ID, nullable=False),
    Column("version", Integer, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("at", INSTANT, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", DIGEST, nullable=False),
    Column("openings", LargeBinary),
    Column(
        "txid",
        TransactionId(),
        nullable=False,
        server_default=text("log_transaction()"),
        info={"dialect": "postgresql"},
    ),
    UniqueConstraint("match", "version"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint("length(hash) = 64", name="hash"),
    sqlite_autoincrement=True,
)
"""``body``: the canonical bytes that ``hash`` covers. ``openings``: see ``codec``.

``txid`` is there on PostgreSQL alone (see ``feed``); SQLite has no such thing.
"""

Index("ix_events_txid_position", events.c.txid, events.c.position, info={"dialect": "postgresql"})

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
``readmodels.PACES`` has it.
"""

_TIMED = matches.c.deadline.isnot(None)
Index(None, matches.c.deadline, matches.c.id, sqlite_where=_TIMED, postgresql_where=_TIMED)

snapshots = Table(
    "snapshots",
    metadata,
    Column("match", MATCH_ID, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("head", DIGEST, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("format", DIGEST, nullable=False),
)
"""A cache of states as ``domain.match.fold.dump`` writes them. ``head``: the hash it follows on.

``format``: the form that it is written in, which another release may not know.
"""

idempotency = Table(
    "idempotency",
    metadata,
    Column("player", PLAYER_ID, ForeignKey("players.id"), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("fingerprint", DIGEST, nullable=False),
    Column("status", Integer, nullable=False),
    Column("headers", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", INSTANT, nullable=False, index=True),
)
"""Answers that were given, to be given again. ``headers``: a JSON object."""
