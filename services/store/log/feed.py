"""All events, or those of one player, in an order in which none can be missed; and the newest.

A reader keeps the cursor of the last page and asks for what is behind it, so an event must never
turn up before a place that was read already. On SQLite positions are given out by one writer at a
time. On PostgreSQL they are given out before their transactions commit, and a transaction that
commits late would be missed: there the order is that of transactions, and only those are read
that no running transaction can come before. A log that comes to another server brings numbers of
transactions along that may lie ahead of that server's; so ``txid`` is the server's number and a
shift (``log_transaction``): what was there comes before what is new.

The newest event tells a moment of one history from those of another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_all, fetch_first, format_places, run

NONE = "0"
"""There is no event yet: that was so in every history."""

_NEWEST_HASH = 16
_FORM = re.compile(r"([0-9]{1,18})-([0-9a-f]{16})-([0-9]{1,20})?", re.ASCII)


def name_newest(connection: Connection) -> str:
    """Name the newest event, for ``is_in_history``."""
    row = run(connection, _NEWEST, []).fetchone()
    return NONE if row is None else f"{row[0]}-{row[1][:_NEWEST_HASH]}-{_name_cluster(connection)}"


def is_in_history(connection: Connection, name: str) -> bool:
    """Whether the log has the event that was the newest when it was named so."""
    found = _FORM.fullmatch(name)
    if found is None:
        return name == NONE
    row = run(connection, _HASH_AT, [int(found[1])]).fetchone()
    same = row is not None and row[0].startswith(found[2])
    return same and (found[3] or "") == _name_cluster(connection)


def _name_cluster(connection: Connection) -> str:
    """Name the cluster whose transactions are counted: another one counts anew."""
    if connection.dialect.name == "sqlite":
        return ""
    return str(next(iter(fetch(connection, _CLUSTER, [])))[0])


_NEWEST = "SELECT position, hash FROM events ORDER BY position DESC LIMIT 1"
_HASH_AT = "SELECT hash FROM events WHERE position = ?"
_CLUSTER = "SELECT system_identifier FROM pg_control_system()"


START = "0.0"
"""The cursor before the first event."""

_CURSOR = re.compile(r"(\d{1,20})\.(\d{1,19})", re.ASCII)

_SQLITE = "FROM events WHERE position > ? ORDER BY position LIMIT ?"
_POSTGRES = """
FROM events
WHERE (txid, position) > (?::xid8, ?) AND txid < (SELECT log_horizon())
ORDER BY txid, position LIMIT ?
"""


class FeedMark(NamedTuple):
    """An event in short: what its row says beside the body."""

    match: str
    version: int
    kind: str
    hash: str


class Marks(NamedTuple):
    """Events in short, and the cursor to go on with."""

    events: list[FeedMark]
    cursor: str


def list_marks(connection: Connection, cursor: str = START, limit: int = 500) -> Marks:
    """Return the next events behind ``cursor`` in short, at most ``limit``; no body is opened.

    Events of one match come by version. The newest may stay away for as long as an older
    transaction runs. Raises ``ValueError`` for what is no cursor of this feed.
    """
    place = _CURSOR.fullmatch(cursor)
    if place is None:
        raise ValueError("This is no cursor of the feed of events.")
    transaction, position = place[1], int(place[2])
    columns = '"match", version, kind, hash'
    if connection.dialect.name == "sqlite":
        sql = f"SELECT {columns}, 0, position {_SQLITE}"
        found = fetch(connection, sql, [position, limit])
    else:
        sql = f"SELECT {columns}, txid::text AS transaction, position {_POSTGRES}"
        found = fetch(connection, sql, [transaction, position, limit])
    last = f"{found[-1][-2]}.{found[-1][-1]}" if found else cursor
    return Marks([FeedMark(*row[:4]) for row in found], last)


class FeedPosition(NamedTuple):
    """A place in the order of all events: the transaction (0 on SQLite), then the position.

    ``hash``: the start of that of the event there, which no other history has; empty: not known.
    """

    transaction: int
    position: int
    hash: str = ""


class Changed(NamedTuple):
    """A match that has gone on, and the place of its newest event."""

    match: str
    place: FeedPosition


OWN_START = FeedPosition(0, 0)
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

_PLAYING = 'SELECT seat_1, seat_2, opponent FROM matches WHERE id IN (SELECT "match" FROM events'
_CONCERNED = {
    "sqlite": f"{_PLAYING} WHERE position > ? AND position <= ?)",
    "postgresql": f"""{_PLAYING}
  WHERE (txid, position) > (?::text::xid8, ?) AND (txid, position) <= (?::text::xid8, ?))
""",
}

_AT = {
    "sqlite": "SELECT 0, position, hash FROM events WHERE position = ?",
    "postgresql": "SELECT txid::text AS number, position, hash FROM events WHERE position = ?",
}

_WAITING = """
SELECT id FROM matches WHERE to_act_player = ? OR (opponent = ? AND status = 'open')
ORDER BY updated_at, id
"""


def get_last_place(connection: Connection) -> FeedPosition:
    """Return the place up to which nothing can turn up any more."""
    return fetch_first(connection, _make_place, _LAST[connection.dialect.name], []) or OWN_START


def is_known(connection: Connection, place: FeedPosition) -> bool:
    """Whether the event that stood at a place stands there in this history of the log."""
    if not place.position:
        return place == OWN_START
    at = _AT[connection.dialect.name]
    there = fetch_first(connection, _make_place, at, [place.position]) or OWN_START
    return there[:2] == place[:2] and there.hash.startswith(place.hash)


def list_changed(
    connection: Connection, player: str, after: FeedPosition, upto: FeedPosition, limit: int
) -> list[Changed]:
    """Return this player's matches with events behind ``after`` and up to ``upto``.

    Challenges to the player are among them. Those whose newest such event is oldest come first.
    """
    values = [*_make_bounds(connection, after, upto), player, player, player, limit]
    found = fetch(connection, _CHANGED[connection.dialect.name], values)
    return [Changed(match, _make_place(*where)) for match, *where in found]


def list_concerned(
    connection: Connection, after: FeedPosition, upto: FeedPosition
) -> set[str | None]:
    """Return who plays, or is challenged, in matches with events behind ``after`` up to ``upto``.

    A seat that is free gives None.
    """
    bounds = _make_bounds(connection, after, upto)
    found = fetch(connection, _CONCERNED[connection.dialect.name], bounds)
    return {player for row in found for player in row}


def _make_bounds(connection: Connection, after: FeedPosition, upto: FeedPosition) -> list[object]:
    if connection.dialect.name == "sqlite":
        return [after.position, upto.position]
    return [str(after.transaction), after.position, str(upto.transaction), upto.position]


def list_waiting(connection: Connection, player: str) -> list[str]:
    """Return the matches that wait for a player: to move, or to answer a challenge."""
    return fetch_all(connection, str, _WAITING, [player, player])


_OWED = """
SELECT id, CASE WHEN seat_1 IN ({0}) THEN seat_2 ELSE seat_1 END FROM matches
JOIN events ON events."match" = matches.id AND events.version = matches.version
WHERE status = 'active' AND (to_act_player IN ({0}) OR (
  (seat_1 IN ({0}) OR seat_2 IN ({0})) AND events.kind NOT IN ({1})
))
ORDER BY matches.updated_at, id
"""
_PLAYED_BY = """
SELECT id, CASE WHEN seat_1 IN ({0}) THEN seat_2 ELSE seat_1 END FROM matches
WHERE id IN ({1}) AND status = 'active' AND (seat_1 IN ({0}) OR seat_2 IN ({0}))
ORDER BY updated_at, id
"""
_LEAVE_NO_OFFER = ("match-started", "chance-drawn", "turn-passed", "takeback-accepted")
_AT_ONCE = 500


def list_owed(connection: Connection, players: Sequence[str]) -> dict[str, str]:
    """Return the matches that wait for one of these players: for a move, or perhaps an answer.

    Each has who sits in the other seat; those come first that have waited longest. Behind a move
    and what follows by itself no offer of the other seat stands.
    """
    sql = _OWED.format(format_places(players), format_places(["move-made", *_LEAVE_NO_OFFER]))
    values = [*players, *players, *players, *players, "move-made", *_LEAVE_NO_OFFER]
    return dict(fetch(connection, sql, values))


def list_played_by(
    connection: Connection, players: Sequence[str], among: Sequence[str]
) -> dict[str, str]:
    """Return those of some matches that go on and are played by one of these players.

    Each has who sits in the other seat; those come first that have waited longest.
    """
    found: dict[str, str] = {}
    for start in range(0, len(among), _AT_ONCE):
        some = among[start : start + _AT_ONCE]
        sql = _PLAYED_BY.format(format_places(players), format_places(some))
        values = [*players, *some, *players, *players]
        found |= fetch(connection, sql, values)
    return found


def get_end_cursor(connection: Connection) -> str:
    """Return the cursor behind all events that are there now, for ``list_marks``."""
    place = get_last_place(connection)
    return f"{place.transaction}.{place.position}"


def _make_place(transaction: str | int, position: int, hashed: str) -> FeedPosition:
    return FeedPosition(int(transaction), int(position), hashed[:_HASH])
