"""Tables of what players keep beside a match, outside of its events.

Conditional moves are private to the seat that wrote them, notes to their author; chat belongs
to a room of a match. None of it is in the chain, and none of it can be made anew.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from services.store.db.metadata import INSTANT, MATCH_ID, PLAYER_ID, metadata

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
