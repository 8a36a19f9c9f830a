"""What players keep beside a match, outside of its events: chat and their own notes.

Notes are private to their author; chat belongs to a room of a match. Neither is in the chain, and
neither can be made anew. Messages are numbered in each room by itself: a number that ran through
all rooms would tell one room how much is said in another.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_all, fetch_first, run
from services.store.db.metadata import INSTANT, MATCH_ID, PLAYER_ID, metadata

notes = sa.Table(
    "notes",
    metadata,
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("updated_at", INSTANT, nullable=False),
    sa.CheckConstraint("version >= 0", name="version"),
)
"""A player's own notes: of a match at a version of it, or of the whole match (0)."""

chat_messages = sa.Table(
    "chat_messages",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("room", sa.String(16), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("text", sa.Text),
    sa.Column("at", INSTANT, nullable=False),
    sa.Column("hidden", sa.Text),
    sa.Column("deleted_at", INSTANT),
    sa.CheckConstraint("room IN ('players', 'spectators')", name="room"),
    sa.CheckConstraint("number >= 1", name="number"),
    sa.Index(None, "player", "at"),
)
"""What was said; ``number`` counts in each room by itself. A ``text`` of null was deleted.

``hidden``: why an administrator has hidden it; null: nobody has. ``deleted_at``: since when only
administrators read it, of one that was deleted after it had been reported or hidden: its text is
what moderation went by, and stays until its author's account is deleted.
"""


class Room(NamedTuple):
    """A room of a match."""

    match: str
    name: str


class MessageRow(NamedTuple):
    """A message; ``player`` is an id. ``text`` None: it was deleted. ``hidden``: why it is.

    ``deleted_at`` stands with a text in what moderation alone reads: ``find_evidence``.
    """

    number: int
    player: str
    text: str | None
    at: str
    hidden: str | None = None
    deleted_at: str | None = None


_MESSAGE_COLUMNS = 'number, player, CASE WHEN deleted_at IS NULL THEN "text" END, "at", hidden'
_ADD = """
INSERT INTO chat_messages ("match", room, number, player, "text", "at")
SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ? FROM chat_messages
WHERE "match" = ? AND room = ? RETURNING number
"""
_PAGE = f"""
SELECT {_MESSAGE_COLUMNS} FROM chat_messages
WHERE "match" = ? AND room = ? AND number > ? AND number < ?
ORDER BY number DESC LIMIT ?
"""  # noqa: S608 - only our own text
_EVIDENCE = """
SELECT number, player, "text", "at", hidden, deleted_at FROM chat_messages
WHERE "match" = ? AND room = ? AND number = ?
"""
_COUNT = """
SELECT count(*), count(CASE WHEN deleted_at IS NULL THEN "text" END) - count(hidden)
FROM chat_messages WHERE "match" = ? AND room = ?
"""
_WIPE = 'UPDATE chat_messages SET "text" = NULL WHERE "match" = ? AND room = ? AND number = ?'
_WIPE_ALL = """
UPDATE chat_messages SET "text" = NULL, hidden = NULL, deleted_at = NULL WHERE player = ?
"""
_TAKE_AWAY = """
UPDATE chat_messages SET deleted_at = coalesce(deleted_at, ?)
WHERE "match" = ? AND room = ? AND number = ? AND "text" IS NOT NULL
"""
_HIDE = 'UPDATE chat_messages SET hidden = ? WHERE "match" = ? AND room = ? AND number = ?'
_SINCE = 'SELECT "at" FROM chat_messages WHERE player = ? AND "at" > ? ORDER BY "at"'


def add(connection: Connection, room: Room, player: str, text: str, at: str) -> MessageRow:
    """Add a message to a room. Raises ``IntegrityError`` where somebody else has its number now."""
    found = run(connection, _ADD, [*room, player, text, at, *room]).fetchall()
    return MessageRow(found[0][0], player, text, at)


def list_page(
    connection: Connection, room: Room, after: int, before: int, limit: int
) -> list[MessageRow]:
    """Return messages of a room, newest first: numbers above ``after``, below ``before``."""
    return fetch_all(connection, MessageRow, _PAGE, [*room, after, before, limit])


def find(connection: Connection, room: Room, number: int) -> MessageRow | None:
    """Return a message, or None."""
    return next(iter(list_page(connection, room, number - 1, number + 1, 1)), None)


def find_evidence(
    connection: Connection, room: Room, number: int, *, lock: bool = False
) -> MessageRow | None:
    """Return a message as moderation reads it: one that was deleted may have its text.

    ``lock``: whoever wants to delete it waits until the transaction ends.
    """
    postgres = connection.dialect.name == "postgresql"
    sql = f"{_EVIDENCE} FOR UPDATE" if lock and postgres else _EVIDENCE
    return fetch_first(connection, MessageRow, sql, [*room, number])


def count(connection: Connection, room: Room) -> tuple[int, int]:
    """Return how many messages a room has, and a number that changes when one goes or is hidden."""
    found = fetch(connection, _COUNT, [*room])[0]
    return found[0], found[1]


def wipe(connection: Connection, room: Room, number: int) -> None:
    """Remove a message's text for good; that there was one stays."""
    run(connection, _WIPE, [*room, number])


def take_away(connection: Connection, room: Room, number: int, at: str) -> None:
    """Let nobody but administrators read a message any more; its text stays for them."""
    run(connection, _TAKE_AWAY, [at, *room, number])


def wipe_all(connection: Connection, player: str) -> None:
    """Remove all texts of a player for good; that there were some stays."""
    run(connection, _WIPE_ALL, [player])


def hide(connection: Connection, room: Room, number: int, reason: str) -> None:
    """Hide a message from all but its author; its text stays."""
    run(connection, _HIDE, [reason, *room, number])


def has_said(connection: Connection, match: str, player: str, instant: str) -> bool:
    """Tell whether a player has said anything beside a match after an instant."""
    sql = 'SELECT 1 FROM chat_messages WHERE player = ? AND at > ? AND "match" = ? LIMIT 1'
    return run(connection, sql, [player, instant, match]).fetchone() is not None


def list_times_since(connection: Connection, player: str, instant: str) -> list[str]:
    """Return when a player said something after an instant, in any room, in order."""
    return fetch_all(connection, str, _SINCE, [player, instant])


class OwnMessage(NamedTuple):
    """Something that a player has said, and where. ``hidden``: why it is, if it is.

    ``deleted_at``: when they deleted it, where it is kept nevertheless.
    """

    match: str
    room: str
    number: int
    text: str
    at: str
    hidden: str | None
    deleted_at: str | None


_SAID_BY = """
SELECT "match", room, number, "text", "at", hidden, deleted_at FROM chat_messages
WHERE player = ? AND "text" IS NOT NULL ORDER BY "at", "match", number
"""


def list_said_by(connection: Connection, player: str) -> list[OwnMessage]:
    """Return all that a player has said and of which there is the text, in order."""
    return fetch_all(connection, OwnMessage, _SAID_BY, [player])


class NoteRow(NamedTuple):
    """A note of a player's on a match, at a version of it or on the whole of it (0)."""

    player: str
    match: str
    version: int
    text: str
    updated_at: str


_NOTE_COLUMNS = 'player, "match", version, "text", updated_at'
_SAVE = f"""
INSERT INTO notes ({_NOTE_COLUMNS}) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (player, "match", version)
DO UPDATE SET "text" = excluded."text", updated_at = excluded.updated_at
"""  # noqa: S608 - only our own text
_LIST = f'SELECT {_NOTE_COLUMNS} FROM notes WHERE player = ? AND "match" = ? ORDER BY version'  # noqa: S608
_NOTES_OF = f'SELECT {_NOTE_COLUMNS} FROM notes WHERE player = ? ORDER BY "match", version'  # noqa: S608
_DELETE = 'DELETE FROM notes WHERE player = ? AND "match" = ? AND version = ?'


def save(connection: Connection, note: NoteRow) -> None:
    """Keep a note, in place of the one that there was."""
    run(connection, _SAVE, note)


def list_notes(connection: Connection, player: str, match: str) -> list[NoteRow]:
    """Return a player's notes on a match, by version."""
    return fetch_all(connection, NoteRow, _LIST, [player, match])


def list_all_notes(connection: Connection, player: str) -> list[NoteRow]:
    """Return all notes of a player, by match and version."""
    return fetch_all(connection, NoteRow, _NOTES_OF, [player])


def delete(connection: Connection, player: str, match: str, version: int) -> bool:
    """Remove a note; say whether there was one."""
    return run(connection, _DELETE, [player, match, version]).rowcount == 1
