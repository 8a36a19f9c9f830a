"""What was said beside matches.

Messages are numbered in each room by itself: a number that ran through all rooms would tell one
room how much is said in another.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from services.store.db.sql import rows, run

LAST = 2**31 - 1
"""Higher than any number."""


class Room(NamedTuple):
    """A room of a match."""

    match: str
    name: str


class MessageRow(NamedTuple):
    """A message; ``player`` is an id. ``text`` None: it was deleted."""

    number: int
    player: str
    text: str | None
    at: str


class NumberTaken(Exception):
    """Somebody else said something at the same time. The transaction is lost; say it again."""


_COLUMNS = 'number, player, "text", "at"'
_ADD = """
INSERT INTO chat_messages ("match", room, number, player, "text", "at")
SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ? FROM chat_messages
WHERE "match" = ? AND room = ? RETURNING number
"""
_PAGE = f"""
SELECT {_COLUMNS} FROM chat_messages WHERE "match" = ? AND room = ? AND number > ? AND number < ?
ORDER BY number DESC LIMIT ?
"""  # noqa: S608 - only our own text
_WIPE = 'UPDATE chat_messages SET "text" = NULL WHERE "match" = ? AND room = ? AND number = ?'
_SINCE = 'SELECT "at" FROM chat_messages WHERE player = ? AND "at" > ? ORDER BY "at"'


def add(connection: Connection, room: Room, player: str, text: str, at: str) -> MessageRow:
    """Add a message to a room. Raises ``NumberTaken``."""
    try:
        found = run(connection, _ADD, [*room, player, text, at, *room]).fetchall()
    except IntegrityError as error:
        raise NumberTaken(f"somebody spoke in match {room.match} at the same time") from error
    return MessageRow(found[0][0], player, text, at)


def page(
    connection: Connection, room: Room, after: int, before: int, limit: int
) -> list[MessageRow]:
    """Return messages of a room, newest first: numbers above ``after``, below ``before``."""
    return [MessageRow(*row) for row in rows(connection, _PAGE, [*room, after, before, limit])]


def get(connection: Connection, room: Room, number: int) -> MessageRow | None:
    """Return a message, or None."""
    return next(iter(page(connection, room, number - 1, number + 1, 1)), None)


def wipe(connection: Connection, room: Room, number: int) -> None:
    """Remove a message's text for good; that there was one stays."""
    run(connection, _WIPE, [*room, number])


def said_since(connection: Connection, player: str, instant: str) -> list[str]:
    """Return when a player said something after an instant, in any room, in order."""
    return [row[0] for row in rows(connection, _SINCE, [player, instant])]
