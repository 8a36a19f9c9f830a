"""What was reported, hidden and suspended, by whom and why: rows that are never changed or removed.

The triggers that guard the table stand in its migration. No name stands in a row, and no copy of
what was said: players are ids, a message is named by its place, where its text stays even when it
is deleted. Where a reason has the name of whom it is about, or of who gives it, their id is kept
instead, and read as what they are called then: a row cannot be changed when their account is
deleted.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_all, fetch_first, run
from services.store.db.metadata import INSTANT, MATCH_ID, PLAYER_ID, metadata
from services.store.people import profiles
from services.store.people.profiles import show_name

REPORTED, HIDDEN, SUSPENDED, LIFTED = ("reported", "hidden", "suspended", "lifted")

moderation = sa.Table(
    "moderation",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", INSTANT, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("actor", PLAYER_ID),
    sa.Column("player", PLAYER_ID, nullable=False),
    sa.Column("match", MATCH_ID),
    sa.Column("room", sa.String(16)),
    sa.Column("message", sa.Integer),
    sa.Column("reason", sa.Text, nullable=False),
    sa.CheckConstraint("number >= 1", name="number"),
    sa.CheckConstraint("kind IN ('reported', 'hidden', 'suspended', 'lifted')", name="kind"),
    sa.Index(None, "actor", "at"),
    sa.Index(None, "player", "number"),
)
"""``actor``: who did it; null: whoever holds the database. ``player``: whom it is about."""


class ModerationRow(NamedTuple):
    """A row: what was done, and why. ``match``, ``room`` and ``message``: of what was said."""

    number: int
    at: str
    kind: str
    actor: str | None
    player: str
    match: str | None
    room: str | None
    message: int | None
    reason: str


_COLUMNS = 'number, "at", kind, actor, player, "match", room, message, reason'
_ADD = f"""
INSERT INTO moderation ({_COLUMNS})
SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ? FROM moderation
"""  # noqa: S608 - names of our own
_PAGE = f"""
SELECT {_COLUMNS} FROM moderation WHERE number < ? ORDER BY number DESC LIMIT ?
"""  # noqa: S608 - names of our own
_SINCE = """
SELECT count(*) FROM moderation WHERE actor = ? AND "at" > ? AND kind = 'reported'
"""
_REPORTED_BY = """
SELECT room, message FROM moderation WHERE actor = ? AND kind = 'reported' AND "match" = ?
"""
_IS_ABOUT = """
SELECT 1 FROM moderation WHERE player = ? AND "match" = ? AND room = ? AND message = ? LIMIT 1
"""
_CONCERNING = f"""
SELECT {_COLUMNS} FROM moderation
WHERE (actor = ? AND kind = 'reported') OR (player = ? AND kind <> 'reported') ORDER BY number
"""  # noqa: S608 - names of our own
_LAST_OF = f"""
SELECT {_COLUMNS} FROM moderation WHERE player = ? AND kind = ? ORDER BY number DESC LIMIT 1
"""  # noqa: S608 - names of our own


def add(connection: Connection, row: ModerationRow) -> None:
    """Add a row, with the next number. Raises ``IntegrityError`` where somebody else has it now."""
    nameless = row._replace(reason=_replace_names(connection, row))
    run(connection, _ADD, nameless[1:])


def list_page(connection: Connection, before: int, limit: int) -> list[ModerationRow]:
    """Return rows below a number, the newest first."""
    return _restore_names(connection, fetch_all(connection, ModerationRow, _PAGE, [before, limit]))


def count_reported_since(connection: Connection, actor: str, since: str) -> int:
    """Return how many messages a player has reported since an instant."""
    return fetch_first(connection, int, _SINCE, [actor, since]) or 0


def list_reported(connection: Connection, actor: str, match: str) -> set[tuple[str, int]]:
    """Return which messages beside a match a player has reported: rooms and numbers."""
    return {(row[0], row[1]) for row in fetch(connection, _REPORTED_BY, [actor, match])}


def is_about(connection: Connection, player: str, match: str, room: str, message: int) -> bool:
    """Tell whether a message of a player's was reported or hidden."""
    return bool(fetch(connection, _IS_ABOUT, [player, match, room, message]))


def list_concerning(connection: Connection, player: str) -> list[ModerationRow]:
    """Return what a player has reported, and what was done about them but for reports, in order."""
    return _restore_names(
        connection, fetch_all(connection, ModerationRow, _CONCERNING, [player, player])
    )


def find_last(connection: Connection, player: str, kind: str) -> ModerationRow | None:
    """Return the newest row of a kind about a player."""
    found = _restore_names(
        connection, fetch_all(connection, ModerationRow, _LAST_OF, [player, kind])
    )
    return found[0] if found else None


_ID = re.compile(r"\{(p_[0-9a-z]{16})\}")


def _replace_names(connection: Connection, row: ModerationRow) -> str:
    """Return a row's reason with ids in the place of its players' names."""
    reason = row.reason
    players = [one for one in (row.player, row.actor) if one is not None]
    for player, name in profiles.find_names(connection, players).items():
        for one in sorted({str(name), show_name(name)}, key=len, reverse=True):
            whole = rf"(?<!\w){re.escape(one)}(?!\w)"
            reason = re.sub(whole, f"{{{player}}}", reason, flags=re.IGNORECASE)
    return reason


def _restore_names(connection: Connection, found: Collection[ModerationRow]) -> list[ModerationRow]:
    ids = {one for row in found for one in _ID.findall(row.reason)}
    names = profiles.find_names(connection, ids)

    def name(place: re.Match[str]) -> str:
        return show_name(names.get(place[1], place[0]))

    return [row._replace(reason=_ID.sub(name, row.reason)) for row in found]
