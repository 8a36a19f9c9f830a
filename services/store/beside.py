"""Tables of what players keep beside a match, outside of its events.

Conditional moves are private to the seat that wrote them, notes to their author; chat belongs
to a room of a match. None of it is in the chain, and none of it can be made anew.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
)

from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, PLAYER_ID, metadata

conditional_keys = Table(
    "conditional_keys",
    metadata,
    Column("match", MATCH_ID, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("key", DIGEST, primary_key=True),
)
"""Digests of the moves of the opponent with which a seat's lines begin."""

conditional_moves = Table(
    "conditional_moves",
    metadata,
    Column("match", MATCH_ID, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("pending", Boolean, nullable=False),
    Column("seen", Integer, nullable=False),
    Column("lines", LargeBinary, nullable=False),
    Column("updated_at", INSTANT, nullable=False),
    CheckConstraint("seat IN (1, 2)", name="seat"),
    CheckConstraint("version >= 1", name="version"),
)
"""A seat's lines, as JSON. ``version`` counts their changes; ``pending``: there are any.

``seen`` is the version of the match up to which they have been followed.
"""

conditional_happenings = Table(
    "conditional_happenings",
    metadata,
    Column("match", MATCH_ID, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", INSTANT, nullable=False),
    Column("detail", LargeBinary, nullable=False),
    CheckConstraint("seat IN (1, 2)", name="seat"),
    CheckConstraint("number >= 1", name="number"),
)
"""What became of a seat's lines, for that seat alone; ``number`` counts from 1 on.

``version``: that of the match's event at which it happened. ``detail`` is JSON.
"""

notes = Table(
    "notes",
    metadata,
    Column("player", PLAYER_ID, ForeignKey("players.id"), primary_key=True),
    Column("match", MATCH_ID, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("updated_at", INSTANT, nullable=False),
    CheckConstraint("version >= 0", name="version"),
)
"""A player's own notes: of a match at a version of it, or of the whole match (0)."""

chat_messages = Table(
    "chat_messages",
    metadata,
    Column("match", MATCH_ID, primary_key=True),
    Column("room", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player", PLAYER_ID, ForeignKey("players.id"), nullable=False),
    Column("text", Text),
    Column("at", INSTANT, nullable=False),
    CheckConstraint("room IN ('players', 'spectators')", name="room"),
    CheckConstraint("number >= 1", name="number"),
    Index(None, "player", "at"),
)
"""What was said; ``number`` counts in each room by itself. A ``text`` of null was deleted."""
