"""Snapshots: states of matches, so that a long match need not be folded from its start.

A cache (law 7): whoever uses one compares its head with the hash that the log has there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy import delete as delete_from

from services.store.driver import run, run_in_rows
from services.store.tables import snapshots


class Snapshot(NamedTuple):
    """A state, as JSON, after the event ``version``, whose hash is ``head``."""

    match: str
    version: int
    head: str
    state: bytes


_LATEST = """
SELECT "match", version, head, state FROM snapshots
WHERE "match" = ? AND version <= ? ORDER BY version DESC LIMIT 1
"""
_SAVE = """
INSERT INTO snapshots ("match", version, head, state) VALUES {}
ON CONFLICT ("match", version) DO UPDATE SET head = excluded.head, state = excluded.state
"""
_FOR_EVER = 2**31 - 1


def latest(connection: Connection, match: str, upto: int = _FOR_EVER) -> Snapshot | None:
    """Return a match's newest snapshot at or before the version ``upto``."""
    row = run(connection, _LATEST, [match, upto]).fetchone()
    return None if row is None else Snapshot(*row)


def save(connection: Connection, match: str, version: int, head: str, state: bytes) -> None:
    """Keep a snapshot, in place of an earlier one of the same version."""
    save_all(connection, [Snapshot(match, version, head, state)])


def save_all(connection: Connection, wanted: Sequence[Snapshot]) -> None:
    """Keep snapshots, of which no two are of the same version of a match."""
    run_in_rows(connection, _save, wanted)


@cache
def _save(rows: int) -> str:
    return _SAVE.format(", ".join(["(?, ?, ?, ?)"] * rows))


def delete(connection: Connection, match: str | None = None) -> int:
    """Remove a match's snapshots, or all there are; return how many."""
    unwanted = delete_from(snapshots)
    if match is not None:
        unwanted = unwanted.where(snapshots.c.match == match)
    return connection.execute(unwanted).rowcount
