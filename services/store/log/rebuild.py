"""What a rebuild asks of the store: how far it has come, and which matches come next."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch_all, fetch_first, run
from services.store.db.metadata import MATCH_ID, metadata

rebuild = sa.Table(
    "rebuild",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("after", MATCH_ID, nullable=False),
    sa.Column("since", sa.String(16), nullable=False),
    sa.CheckConstraint("id = 1", name="one"),
)
"""One row while caches are to be made anew, none otherwise; all matches up to ``after`` are.

``since``: the revision whose step asked for it, or "" if somebody did.
"""

FIRST = ""
"""Before the id of every match."""

_SAVE = """
INSERT INTO rebuild (id, after, since) VALUES (1, ?, ?)
ON CONFLICT (id) DO UPDATE SET after = excluded.after
"""
_IDS = """
SELECT id FROM (
    SELECT id FROM (
        SELECT DISTINCT "match" AS id FROM events WHERE "match" > ? ORDER BY 1 LIMIT ?
    ) AS played
    UNION SELECT id FROM (SELECT id FROM matches WHERE id > ? ORDER BY 1 LIMIT ?) AS listed
    UNION SELECT id FROM (
        SELECT DISTINCT "match" AS id FROM snapshots WHERE "match" > ? ORDER BY 1 LIMIT ?
    ) AS kept
) AS every ORDER BY 1 LIMIT ?
"""


def find_progress(connection: Connection) -> str | None:
    """Return the match behind which a rebuild has to go on; None: there is none to be done."""
    return fetch_first(connection, str, "SELECT after FROM rebuild")


def save(connection: Connection, after: str) -> None:
    """Keep how far the rebuild has come."""
    run(connection, _SAVE, [after, ""])


def finish(connection: Connection) -> None:
    """Say that there is none to be done any more."""
    run(connection, "DELETE FROM rebuild")


def list_matches_behind(connection: Connection, after: str, limit: int) -> list[str]:
    """Return at most so many ids behind one, in order, of which there are events or caches."""
    return fetch_all(connection, str, _IDS, [*[after, limit] * 3, limit])
