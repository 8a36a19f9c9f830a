"""Players' own notes on matches."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from services.store.db.sql import rows, run


class NoteRow(NamedTuple):
    """A note of a player's on a match, at a version of it or on the whole of it (0)."""

    player: str
    match: str
    version: int
    text: str
    updated_at: str


_COLUMNS = 'player, "match", version, "text", updated_at'
_SAVE = f"""
INSERT INTO notes ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (player, "match", version)
DO UPDATE SET "text" = excluded."text", updated_at = excluded.updated_at
"""  # noqa: S608 - only our own text
_LIST = f'SELECT {_COLUMNS} FROM notes WHERE player = ? AND "match" = ? ORDER BY version'  # noqa: S608
_DELETE = 'DELETE FROM notes WHERE player = ? AND "match" = ? AND version = ?'


def save(connection: Connection, note: NoteRow) -> None:
    """Keep a note, in place of the one that there was."""
    run(connection, _SAVE, note)


def of_match(connection: Connection, player: str, match: str) -> list[NoteRow]:
    """Return a player's notes on a match, by version."""
    return [NoteRow(*row) for row in rows(connection, _LIST, [player, match])]


def delete(connection: Connection, player: str, match: str, version: int) -> bool:
    """Remove a note; say whether there was one."""
    return run(connection, _DELETE, [player, match, version]).rowcount == 1


def delete_of_player(connection: Connection, player: str) -> None:
    """Remove all notes of a player."""
    run(connection, "DELETE FROM notes WHERE player = ?", [player])
