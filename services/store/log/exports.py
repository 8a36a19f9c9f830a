"""Reading for exports: which matches, in an order to go on from, and their events as they lie."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import Connection

from domain.log.event_format import Stored
from services.store.db.engine import fetch
from services.store.log.feed import OWN_START, FeedPosition


class ExportSelection(NamedTuple):
    """Which matches an export is to have; None: all of them. Players are ids.

    ``since`` <= the instant of a match's last event < ``until``. ``own`` is the caller: besides
    public matches, those that they sit in, created or are challenged to. ``everything`` is for
    whoever holds the database itself.
    """

    game: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None
    own: str | None = None
    everything: bool = False


class ExportLine(NamedTuple):
    """A match of the lists, as far as exports need it; players are ids."""

    id: str
    version: int
    head: str
    game: str
    rules_version: int
    status: str
    creator: str
    opponent: str | None
    seat_1: str | None
    seat_2: str | None
    winner: int | None
    reason: str | None
    updated_at: str
    place: FeedPosition = OWN_START
    """That of its newest event, in the order in which events became visible."""

    @property
    def players(self) -> set[str]:
        """Who sits in it, created it or is challenged to it."""
        return {self.seat_1, self.seat_2, self.creator, self.opponent} - {None}  # type: ignore[return-value]


_COLUMNS = ", ".join(f"matches.{name}" for name in ExportLine._fields[:-1])
_PLACES = {
    "sqlite": "0, coalesce(events.position, 0) AS at_position",
    "postgresql": (
        "coalesce(events.txid::text::numeric, 0) AS at_transaction, "
        "coalesce(events.position, 0) AS at_position"
    ),
}
_ALL = """
FROM matches LEFT JOIN events
ON events."match" = matches.id AND events.version = matches.version WHERE ({})
"""
_BEHIND = """
FROM events {} JOIN matches
ON matches.id = events."match" AND matches.version = events.version WHERE ({})
"""
"""Joined in this order: who goes on with an export wants only what has come since."""
_VISIBLE = {
    "sqlite": "1 = 1",
    # What the log does not have is not left out: whoever reads the match will find that.
    "postgresql": "events.txid IS NULL OR events.txid < (SELECT log_horizon())",
}
_AFTER = {
    "sqlite": "events.position > ?",
    "postgresql": (
        "(events.txid, events.position) > (?::text::xid8, ?) "
        "AND events.txid < (SELECT log_horizon())"
    ),
}
_ORDER = {"sqlite": "events.position", "postgresql": "events.txid NULLS FIRST, events.position"}
_PLAYED_HERE = 'NOT EXISTS (SELECT 1 FROM imported_matches WHERE "match" = matches.id)'
_PAGE = """
SELECT body, hash, openings FROM events
WHERE "match" = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?
"""
_WHOLE = """
SELECT body, hash, openings FROM events WHERE "match" IN ({}) ORDER BY "match", version
"""
_WHOLE_OF_EACH = """
SELECT body, hash, openings, "match" FROM events WHERE "match" IN ({}) ORDER BY "match", version
"""


class Extent(NamedTuple):
    """How far a match goes: its id, its number of events, and the hash of the last one."""

    match: str
    events: int
    head: str


def choose(
    connection: Connection, chosen: ExportSelection, after: FeedPosition | None, limit: int
) -> list[ExportLine]:
    """Return at most ``limit`` matches behind ``after``, by their last event, oldest first.

    The order is that in which these events became visible (see ``feed``). A match that goes on
    meanwhile comes again, further behind; none is left out. One whose last event somebody who
    still writes may come before has to wait for that.
    """
    kind = connection.dialect.name
    conditions = _build_conditions(chosen)
    if after is None:
        conditions.append((_VISIBLE[kind], []))
    else:
        behind = [after.position] if kind == "sqlite" else [str(after.transaction), after.position]
        conditions.append((_AFTER[kind], behind))
    where = " AND ".join(f"({sql})" for sql, _ in conditions)
    joined = _ALL.format(where)
    if after is not None:
        joined = _BEHIND.format("CROSS" if kind == "sqlite" else "", where)
    sql = f"SELECT {_COLUMNS}, {_PLACES[kind]} {joined} ORDER BY {_ORDER[kind]} LIMIT ?"
    values = [value for _, some in conditions for value in some]
    found = fetch(connection, sql, [*values, limit])
    return [ExportLine._make([*row[:-2], FeedPosition(int(row[-2]), row[-1])]) for row in found]


def find_place(connection: Connection, match: str, version: int, head: str) -> FeedPosition | None:
    """Return the place of an event of this hash; None: this history has none there."""
    transaction = "0" if connection.dialect.name == "sqlite" else "txid::text"
    sql = (
        f"SELECT {transaction} AS number, position FROM events "  # noqa: S608 - our own text
        'WHERE "match" = ? AND version = ? AND hash = ?'
    )
    found = fetch(connection, sql, [match, version, head])
    return FeedPosition(int(found[0][0]), found[0][1]) if found else None


def list_events(
    connection: Connection, match: str, after: int, upto: int, limit: int
) -> Sequence[Stored]:
    """Return a match's events with ``after`` < version <= ``upto``, at most ``limit``."""
    return fetch(connection, _PAGE, [match, after, upto, limit], many=True)


def list_events_by_match(
    connection: Connection, wanted: Sequence[Extent]
) -> dict[str, list[Stored]]:
    """Return all events of these matches, by match.

    To say of each event whose it is would take a third of the time. So they are told apart by how
    far each match goes; where one has gone on, or was changed, they are read once more.
    """
    places, ids = ", ".join("?" * len(wanted)), [one.match for one in wanted]
    found = fetch(connection, _WHOLE.format(places), ids, many=True)
    told_apart = _split_by_match(found, sorted(wanted))
    if told_apart is not None:
        return told_apart
    found = fetch(connection, _WHOLE_OF_EACH.format(places), ids, many=True)
    return {match: [row[:3] for row in events] for match, events in groupby(found, itemgetter(3))}


def _split_by_match(
    found: Sequence[Stored], extents: Sequence[Extent]
) -> dict[str, list[Stored]] | None:
    """Return the events of each match, or None if they do not end where the extents say."""
    parts, start = {}, 0
    for match, events, head in extents:
        part = parts[match] = list(found[start : start + events])
        start += events
        if not part or part[-1][1] != head:
            return None
    return parts if start == len(found) else None


def _build_conditions(chosen: ExportSelection) -> list[tuple[str, Sequence[object]]]:
    conditions: list[tuple[str, Sequence[object]]] = []
    if not chosen.everything:
        conditions.append(_may_see(chosen.own))
    if chosen.game is not None:
        conditions.append(("game = ?", [chosen.game]))
    if chosen.player is not None:
        seated = f"(seat_1 = ? OR seat_2 = ?) AND {_PLAYED_HERE}"
        conditions.append((seated, [chosen.player] * 2))
    if chosen.since is not None:
        conditions.append(("updated_at >= ?", [chosen.since]))
    if chosen.until is not None:
        conditions.append(("updated_at < ?", [chosen.until]))
    return conditions


def _may_see(own: str | None) -> tuple[str, list[str]]:
    public = "visibility = 'public'"
    if own is None:
        return public, []
    mine = f"? IN (seat_1, seat_2, creator, opponent) AND {_PLAYED_HERE}"
    return f"{public} OR {mine}", [own]
