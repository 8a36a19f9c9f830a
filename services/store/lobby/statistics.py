"""What statistics are made of, straight from the tables.

Private matches are in no statistic, and unlisted ones are only for who has their id: these
queries see public matches, and no others.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.log.event_format import BEGINNING
from services.store.log.events import events
from services.store.matches import matches, was_played_here


class StatisticsFilter(NamedTuple):
    """Which matches that are over; None: all. ``player`` is an id; whoever asks gives a name.

    ``since`` and ``until`` are instants: of those that ended then, ``until`` left out.
    """

    game: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None


class Ended(NamedTuple):
    """How a match went: ``status`` is ``finished`` or ``aborted``; seats are players' ids.

    ``series``: the id of the series that it is of.
    """

    id: str
    version: int
    game: str
    status: str
    seat_1: str | None
    seat_2: str | None
    ply: int
    winner: int | None
    reason: str
    rated: bool
    series: str | None


class Timed(NamedTuple):
    """An event: what it was, when, and how its bytes begin, which tells who did it."""

    match: str
    kind: str
    at: str
    beginning: bytes


_ENDED = tuple(matches.c[name] for name in Ended._fields)


def list_ended(
    connection: Connection, chosen: StatisticsFilter, after: str, limit: int
) -> list[Ended]:
    """Return the chosen matches by id, those after an id ("": from the first), so many at most."""
    query = sa.select(*_ENDED).where(matches.c.id > after, *_build_conditions(chosen))
    rows = connection.execute(query.order_by(matches.c.id).limit(limit))
    return [Ended(*row) for row in rows]


def list_events(connection: Connection, ids: Collection[str]) -> list[Timed]:
    """Return the events of some matches, by match and version."""
    query = (
        sa.select(
            events.c.match, events.c.kind, events.c.at, sa.func.substr(events.c.body, 1, BEGINNING)
        )
        .where(events.c.match.in_(ids))
        .order_by(events.c.match, events.c.version)
    )
    return [Timed(*row) for row in connection.execute(query)]


def _build_conditions(chosen: StatisticsFilter) -> list[sa.ColumnElement[bool]]:
    table = matches.c
    conditions = [table.visibility == "public", table.status.in_(("finished", "aborted"))]
    if chosen.game is not None:
        conditions.append(table.game == chosen.game)
    if chosen.player is not None:
        conditions.append(sa.or_(table.seat_1 == chosen.player, table.seat_2 == chosen.player))
        # Ids in an imported match are nobody's here. Without a player the match counts as played.
        conditions.append(was_played_here())
    if chosen.since is not None:
        conditions.append(table.updated_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(table.updated_at < chosen.until)
    return conditions
