"""Reading for exports: which matches, in an order to go on from, and their events as they lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, exists, or_, select, tuple_

from domain.events import Event
from services.store.codec import CODEC
from services.store.driver import rows
from services.store.imported import imported_matches
from services.store.readmodels import MatchRow, Place
from services.store.tables import matches


class Chosen(NamedTuple):
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


class StoredEvent(NamedTuple):
    """An event as it lies in the log."""

    body: bytes
    hash: str
    openings: bytes | None

    def decoded(self) -> Event:
        """Return the event. Raises ``Corruption``."""
        return next(CODEC.each([self]))


_ALL = select(*(matches.c[name] for name in MatchRow._fields))
_EVENTS = """
SELECT body, hash, openings FROM events
WHERE "match" = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?
"""


def choose(
    connection: Connection, chosen: Chosen, after: Place | None, limit: int
) -> list[MatchRow]:
    """Return at most ``limit`` matches behind ``after``, by their last event, oldest first.

    A match that goes on meanwhile comes again, further behind; none is left out.
    """
    query = _ALL.where(*_conditions(chosen))
    if after is not None:
        query = query.where(tuple_(matches.c.updated_at, matches.c.id) > tuple_(*after))
    query = query.order_by(matches.c.updated_at, matches.c.id).limit(limit)
    return [MatchRow(*row) for row in connection.execute(query)]


def stored_events(
    connection: Connection, match: str, after: int, upto: int, limit: int
) -> Iterator[StoredEvent]:
    """Yield a match's events with ``after`` < version <= ``upto``, at most ``limit``."""
    for body, hashed, openings in rows(connection, _EVENTS, [match, after, upto, limit]):
        yield StoredEvent(body, hashed, openings)


def played_here() -> ColumnElement[bool]:
    """Return the condition that a match of the read model was not imported.

    Whoever asks for a player's matches needs it: ids in an imported match are nobody's here.
    """
    return ~exists().where(imported_matches.c.match == matches.c.id)


def _conditions(chosen: Chosen) -> list[ColumnElement[bool]]:
    table = matches.c
    conditions = [] if chosen.everything else [_may_see(chosen.own)]
    if chosen.game is not None:
        conditions.append(table.game == chosen.game)
    if chosen.player is not None:
        seated = or_(table.seat_1 == chosen.player, table.seat_2 == chosen.player)
        conditions += [seated, played_here()]
    if chosen.since is not None:
        conditions.append(table.updated_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(table.updated_at < chosen.until)
    return conditions


def _may_see(own: str | None) -> ColumnElement[bool]:
    table = matches.c
    public = table.visibility == "public"
    if own is None:
        return public
    places = (table.seat_1, table.seat_2, table.creator, table.opponent)
    mine = or_(*(place == own for place in places))
    return or_(public, and_(mine, played_here()))
