"""Analyses of finished matches: which were asked for, how far each has come, and what was found.

All of it is a cache: it follows from a match's events, named by their ``head``, and from the
version of the engine. A rebuild leaves it alone; whoever reads one compares both.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db import engine
from services.store.db.engine import fetch_all, fetch_first, insert_rows, make_save_sql, run
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, PLAYER_ID, metadata

OPEN, DONE, FAILED = "open", "done", "failed"

LOCAL = "local"
"""Stands in the place of a player for whoever holds the database itself, as a terminal does."""

analyses = sa.Table(
    "analyses",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("head", DIGEST, nullable=False),
    sa.Column("engine", sa.String(16), nullable=False),
    sa.Column("asked_by", PLAYER_ID),
    sa.Column("asked_at", INSTANT, nullable=False),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("positions", sa.Integer, nullable=False),
    sa.CheckConstraint("state IN ('open', 'done', 'failed')", name="state"),
    sa.CheckConstraint("done >= 0 AND done <= positions", name="done"),
    sa.Index(None, "state", "asked_at"),
)
"""``positions``: how many there are to be analysed, of which ``done`` are. ``asked_by``: a
player's id, or ``LOCAL``; null: a visitor."""

analysed_positions = sa.Table(
    "analysed_positions",
    metadata,
    sa.Column("match", MATCH_ID, sa.ForeignKey("analyses.match"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("found", sa.Text, nullable=False),
    sa.CheckConstraint("number >= 0", name="number"),
)
"""``found``: JSON, as the API shows it."""


class AnalysisRow(NamedTuple):
    """A row of ``analyses``."""

    match: str
    head: str
    engine: str
    asked_by: str | None
    asked_at: str
    state: str
    done: int
    positions: int


_COLUMNS = '"match", head, engine, asked_by, asked_at, state, done, positions'
_GET = f'SELECT {_COLUMNS} FROM analyses WHERE "match" = ?'  # noqa: S608
_NEXT = f'SELECT {_COLUMNS} FROM analyses WHERE state = ? ORDER BY asked_at, "match" LIMIT 1'  # noqa: S608
_SAVE = make_save_sql("analyses", ["match"], AnalysisRow._fields[1:])
_GO_ON = """
UPDATE analyses SET done = done + 1, state = CASE WHEN done + 1 = positions THEN ? ELSE ? END
WHERE "match" = ? AND head = ? AND engine = ? AND state = ? AND done = ?
"""
_FAIL = 'UPDATE analyses SET state = ? WHERE "match" = ? AND state = ? AND done = ?'
_ADD = 'INSERT INTO analysed_positions ("match", number, found) VALUES (?, ?, ?)'
_CLEAR = 'DELETE FROM analysed_positions WHERE "match" = ?'
_FOUND = 'SELECT found FROM analysed_positions WHERE "match" = ? ORDER BY number'
_COUNT = "SELECT count(*) FROM analyses WHERE state = ?"

_LOCK = 0x706C7961


def take_turns(connection: Connection) -> None:
    """Let those who ask for an analysis do so one after the other, until the transaction ends."""
    engine.take_turns(connection, _LOCK)


def find(connection: Connection, match: str) -> AnalysisRow | None:
    """Return the analysis of a match, whatever it is of and however far."""
    return fetch_first(connection, AnalysisRow, _GET, [match])


def find_next(connection: Connection) -> AnalysisRow | None:
    """Return the analysis that has waited longest of those that are not done."""
    return fetch_first(connection, AnalysisRow, _NEXT, [OPEN])


def count_waiting(connection: Connection) -> int:
    """Count those that are not done."""
    return fetch_first(connection, int, _COUNT, [OPEN]) or 0


def count_waiting_of(connection: Connection, player: str | None) -> int:
    """Count those that are not done and that a player has asked for; None: visitors."""
    sql = f"{_COUNT} AND coalesce(asked_by, '') = ?"
    return fetch_first(connection, int, sql, [OPEN, player or ""]) or 0


def save(connection: Connection, row: AnalysisRow) -> None:
    """Begin an analysis; what was found before is dropped."""
    run(connection, _CLEAR, [row.match])
    insert_rows(connection, _SAVE, [row])


def go_on(connection: Connection, row: AnalysisRow, found: str) -> bool:
    """Keep what was found of the next position behind ``row``; False: somebody else has."""
    values = [DONE, OPEN, row.match, row.head, row.engine, OPEN, row.done]
    if run(connection, _GO_ON, values).rowcount != 1:
        return False
    run(connection, _ADD, [row.match, row.done, found])
    return True


def fail(connection: Connection, row: AnalysisRow) -> None:
    """Say that an analysis cannot go on where it is."""
    run(connection, _FAIL, [FAILED, row.match, OPEN, row.done])


def list_found(connection: Connection, match: str) -> list[str]:
    """Return what was found of a match's positions, in their order."""
    return fetch_all(connection, str, _FOUND, [match])
