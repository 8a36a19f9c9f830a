"""The heartbeat of the service, and the times in which it did not beat.

The worker beats, and a server when it starts (``services.matches.downtime``). A time between two
beats that is longer than the grace is kept for good, so that a match that is next touched days
later still gets its time back.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch_all, fetch_first, run
from services.store.db.metadata import INSTANT, MATCH_ID, metadata

heartbeat = sa.Table(
    "heartbeat",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("beat_at", INSTANT, nullable=False),
    sa.CheckConstraint("id = 1", name="one"),
)
"""One row from the first beat of a server on: when the newest one was."""

downtimes = sa.Table(
    "downtimes",
    metadata,
    sa.Column("began_at", INSTANT, primary_key=True),
    sa.Column("ended_at", INSTANT, nullable=False),
    sa.Column("given_up_to", MATCH_ID),
    sa.Column("given_at", INSTANT),
    sa.CheckConstraint("began_at < ended_at", name="order"),
)
"""``given_at``: when the sweep was through with giving time back for it in all matches that ran.

``given_up_to``: the match that it has come to until then.
"""


class Away(NamedTuple):
    """A time in which the service, or its database, was away."""

    began_at: str
    ended_at: str


class Giving(NamedTuple):
    """A time for which not all matches were given theirs yet, and the last one that was."""

    began_at: str
    ended_at: str
    given_up_to: str


_TO_GIVE = """
SELECT began_at, ended_at, coalesce(given_up_to, '') FROM downtimes
WHERE given_at IS NULL ORDER BY began_at
"""

_RUNNING = """
SELECT id FROM matches
WHERE status = 'active' AND deadline IS NOT NULL AND updated_at < ? AND id > ?
ORDER BY id LIMIT ?
"""


def hold_last_beat(connection: Connection) -> str | None:
    """Return when the last beat was; other processes wait until the transaction ends."""
    asked = sa.select(heartbeat.c.beat_at).with_for_update()
    return connection.execute(asked).scalar_one_or_none()


def find_last_beat(connection: Connection) -> str | None:
    """Return when the last beat was; None: no server has ever run on this database."""
    return fetch_first(connection, str, "SELECT beat_at FROM heartbeat")


def save_beat(connection: Connection, at: str) -> None:
    """Keep a beat; none that is older than what is there."""
    run(
        connection,
        "INSERT INTO heartbeat (id, beat_at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET "
        "beat_at = excluded.beat_at WHERE heartbeat.beat_at < excluded.beat_at",
        [at],
    )


def save(connection: Connection, away: Away) -> None:
    """Keep a time in which there was no beat."""
    run(
        connection,
        "INSERT INTO downtimes (began_at, ended_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
        away,
    )


def put_right(connection: Connection, now: str) -> None:
    """Let nothing of the heartbeat lie later than ``now``: a clock had jumped ahead.

    Until when the service was away, if it was, nobody can tell any more: that time ends now, and
    all matches are to be given theirs.
    """
    run(connection, "UPDATE heartbeat SET beat_at = ?", [now])
    run(connection, "DELETE FROM downtimes WHERE began_at >= ?", [now])
    run(
        connection,
        "UPDATE downtimes SET ended_at = ?, given_up_to = NULL, given_at = NULL WHERE ended_at > ?",
        [now, now],
    )


def list_downtimes(connection: Connection) -> list[Away]:
    """Return all times in which the service was away, in order."""
    sql = "SELECT began_at, ended_at FROM downtimes ORDER BY began_at"
    return fetch_all(connection, Away, sql)


def list_to_give(connection: Connection) -> list[Giving]:
    """Return the times for which matches may have to be given theirs, in order."""
    return fetch_all(connection, Giving, _TO_GIVE)


def list_running(connection: Connection, giving: Giving, limit: int) -> list[str]:
    """Return matches with a clock, behind those that were looked at, untouched since that time."""
    values = [giving.ended_at, giving.given_up_to, limit]
    return fetch_all(connection, str, _RUNNING, values)


def save_given(connection: Connection, giving: Giving, given_at: str | None) -> None:
    """Keep how far the sweep has come; ``given_at``: when it was through."""
    run(
        connection,
        "UPDATE downtimes SET given_up_to = ?, given_at = ? WHERE began_at = ?",
        [giving.given_up_to or None, given_at, giving.began_at],
    )
