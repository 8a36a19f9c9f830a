"""Snapshots: states of matches, so that a long match need not be folded from its start.

A cache (law 7): whoever uses one compares its head with the hash that the log has there. What
another release wrote may be of another form, which its ``format`` says; nobody looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch_first, format_places, insert_rows, make_save_sql, run
from services.store.db.metadata import DIGEST, HIGHEST, MATCH_ID, metadata

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("head", DIGEST, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
    sa.Column("format", DIGEST, nullable=False),
)
"""A cache of states as ``domain.match.state.dump`` writes them. ``head``: the hash it follows on.

``format``: the form that it is written in, which another release may not know.
"""


class Snapshot(NamedTuple):
    """A state, as JSON, after the event ``version``, whose hash is ``head``.

    ``format``: the form in which it is written, as ``domain.match.state.format_of`` names it.
    """

    match: str
    version: int
    head: str
    format: str
    state: bytes


_COLUMNS = '"match", version, head, format, state'
_LATEST = f"""
SELECT {_COLUMNS} FROM snapshots
WHERE "match" = ? AND version <= ? AND format IN ({{}}) ORDER BY version DESC LIMIT 1
"""  # noqa: S608 - only our own text
_SAVE = make_save_sql("snapshots", ["match", "version"], ["head", "format", "state"])
_OF_OTHERS = 'DELETE FROM snapshots WHERE "match" = ? AND format <> ?'


def find_latest(
    connection: Connection, match: str, formats: Sequence[str], upto: int = HIGHEST
) -> Snapshot | None:
    """Return a match's newest snapshot of these formats, at or before the version ``upto``."""
    sql = _LATEST.format(format_places(formats))
    return fetch_first(connection, Snapshot, sql, [match, upto, *formats])


def save(connection: Connection, snapshot: Snapshot) -> None:
    """Keep a snapshot, in place of one of the same version, and of all in another format."""
    run(connection, _OF_OTHERS, [snapshot.match, snapshot.format])
    save_all(connection, [snapshot])


def save_all(connection: Connection, wanted: Sequence[Snapshot]) -> None:
    """Keep snapshots, of which no two are of the same version of a match."""
    insert_rows(connection, _SAVE, wanted)


def delete(connection: Connection, match: str | None = None) -> int:
    """Remove a match's snapshots, or all there are; return how many."""
    unwanted = sa.delete(snapshots)
    if match is not None:
        unwanted = unwanted.where(snapshots.c.match == match)
    return connection.execute(unwanted).rowcount
