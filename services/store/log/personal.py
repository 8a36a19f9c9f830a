"""What has happened in the matches of one player, read from the log; see ``feed`` for its order."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from services.store.db.sql import rows


class Place(NamedTuple):
    """A place in the order of all events: the transaction (0 on SQLite), then the position.

    ``hash``: the start of that of the event there, which no other history has; empty: not known.
    """

    transaction: int
    position: int
    hash: str = ""


class Changed(NamedTuple):
    """A match that has gone on, and the place of its newest event."""

    match: str
    place: Place


START = Place(0, 0)
_HASH = 12

_OWN = "(seat_1 = ? OR seat_2 = ? OR opponent = ?)"

_LAST = {
    "sqlite": "SELECT 0, position, hash FROM events ORDER BY position DESC LIMIT 1",
    "postgresql": """
SELECT txid::text AS transaction, position, hash FROM events
WHERE txid < (SELECT log_horizon())
ORDER BY txid DESC, position DESC LIMIT 1
""",
}
_CHANGED = {
    "sqlite": f"""
SELECT events."match", 0, max(position) AS newest, hash FROM events
JOIN matches ON id = events."match" WHERE position > ? AND position <= ? AND {_OWN}
GROUP BY events."match" ORDER BY newest LIMIT ?
""",  # noqa: S608 - our own text
    "postgresql": f"""
SELECT * FROM (
  SELECT DISTINCT ON (events."match") events."match", txid::text::numeric AS txid, position, hash
  FROM events JOIN matches ON id = events."match"
  WHERE (txid, position) > (?::text::xid8, ?) AND (txid, position) <= (?::text::xid8, ?) AND {_OWN}
  ORDER BY events."match", events.txid DESC, position DESC
) AS newest ORDER BY txid, position LIMIT ?
""",  # noqa: S608 - our own text
}

_AT = {
    "sqlite": "SELECT 0, position, hash FROM events WHERE position = ?",
    "postgresql": "SELECT txid::text AS number, position, hash FROM events WHERE position = ?",
}

_WAITING = """
SELECT id FROM matches WHERE to_act_player = ? OR (opponent = ? AND status = 'open')
ORDER BY updated_at, id
"""


def last(connection: Connection) -> Place:
    """Return the place up to which nothing can turn up any more."""
    found = rows(connection, _LAST[connection.dialect.name], [])
    return _place(*found[0]) if found else START


def is_known(connection: Connection, place: Place) -> bool:
    """Whether the event that stood at a place stands there in this history of the log."""
    if not place.position:
        return place == START
    found = rows(connection, _AT[connection.dialect.name], [place.position])
    there = _place(*found[0]) if found else START
    return there[:2] == place[:2] and there.hash.startswith(place.hash)


def changed(
    connection: Connection, player: str, after: Place, upto: Place, limit: int
) -> list[Changed]:
    """Return this player's matches with events behind ``after`` and up to ``upto``.

    Challenges to the player are among them. Those whose newest such event is oldest come first.
    """
    sqlite = connection.dialect.name == "sqlite"
    bounds: list[object] = [after.position, upto.position]
    if not sqlite:
        bounds = [str(after.transaction), after.position, str(upto.transaction), upto.position]
    values = [*bounds, player, player, player, limit]
    found = rows(connection, _CHANGED[connection.dialect.name], values)
    return [Changed(match, _place(*where)) for match, *where in found]


def waiting(connection: Connection, player: str) -> list[str]:
    """Return the matches that wait for a player: to move, or to answer a challenge."""
    return [row[0] for row in rows(connection, _WAITING, [player, player])]


def _place(transaction: str | int, position: int, hashed: str) -> Place:
    return Place(int(transaction), int(position), hashed[:_HASH])
