"""Puzzles, what players have solved of them, and which matches were looked through for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import (
    fetch_all,
    fetch_among,
    fetch_first,
    format_places,
    insert_rows,
    make_save_sql,
    run,
)
from services.store.db.metadata import INSTANT, MATCH_ID, PLAYER_ID, metadata

PUZZLE_ID = sa.String(16)

puzzles = sa.Table(
    "puzzles",
    metadata,
    sa.Column("id", PUZZLE_ID, primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("match", MATCH_ID),
    sa.Column("version", sa.Integer),
    sa.Column("start", sa.Text),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("aim", sa.String(4), nullable=False),
    sa.Column("line", sa.Text, nullable=False),
    sa.Column("difficulty", sa.Integer, nullable=False),
    sa.CheckConstraint("seat IN (1, 2)", name="seat"),
    sa.CheckConstraint("aim IN ('win', 'save')", name="aim"),
    sa.CheckConstraint("difficulty BETWEEN 1 AND 5", name="difficulty"),
    sa.CheckConstraint(
        '("match" IS NULL) = ("version" IS NULL) AND ("match" IS NULL) <> ("start" IS NULL)',
        name="source",
    ),
    sa.Index(None, "difficulty", "id"),
    sa.Index(None, "game", "difficulty", "id"),
    sa.Index(None, "match"),
)
"""Positions with one right move. ``id`` follows from the position, so that no position is there
twice. It is that of a ``match`` at a ``version`` of it, or, of the demo, what ``start`` leads to:
JSON of options and moves. ``line``: JSON of moves, in notation."""

puzzle_attempts = sa.Table(
    "puzzle_attempts",
    metadata,
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("puzzle", PUZZLE_ID, sa.ForeignKey("puzzles.id"), primary_key=True),
    sa.Column("wrong", sa.Integer, nullable=False),
    sa.Column("solved_at", INSTANT),
    sa.Column("shown_at", INSTANT),
    sa.CheckConstraint("wrong >= 0", name="wrong"),
)
"""What an account did with a puzzle: how often it was wrong, when it was solved, and when its
solution was shown."""

puzzle_searches = sa.Table(
    "puzzle_searches",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("method", sa.Integer, nullable=False),
)
"""Matches that were looked through, and by which ``method``: a newer one looks again."""


class PuzzleRow(NamedTuple):
    """A puzzle as it is stored."""

    id: str
    game: str
    rules_version: int
    match: str | None
    version: int | None
    start: str | None
    seat: int
    aim: str
    line: str
    difficulty: int


class AttemptRow(NamedTuple):
    """What an account did with a puzzle."""

    puzzle: str
    wrong: int
    solved_at: str | None
    shown_at: str | None


class PuzzlePlace(NamedTuple):
    """Where a puzzle stands in the list: by its difficulty, then by its id."""

    difficulty: int
    id: str


FIRST = PuzzlePlace(0, "")

_NAMES = ("id", "game", "rules_version", '"match"', "version", "start", "seat", "aim")
_COLUMNS = ", ".join((*_NAMES, "line", "difficulty"))
_P = ", ".join(f"p.{name}" for name in (*_NAMES, "line", "difficulty"))
_OPEN = (
    f'SELECT {_P} FROM puzzles p LEFT JOIN matches m ON m.id = p."match" '  # noqa: S608 - our names
    "WHERE (p.\"match\" IS NULL OR (m.visibility = 'public' AND m.status = 'finished'))"
)
"""Only these are ever shown: a match that is not public, or not finished, gives none away."""


def insert(connection: Connection, wanted: Sequence[PuzzleRow]) -> int:
    """Add puzzles; return how many are new. One that is there stays as it is."""
    before = count(connection)
    sql = f"INSERT INTO puzzles ({_COLUMNS}) VALUES {{}} ON CONFLICT (id) DO NOTHING"  # noqa: S608
    insert_rows(connection, sql, wanted)
    return count(connection) - before


def count(connection: Connection) -> int:
    """Return how many puzzles are stored."""
    return fetch_first(connection, int, "SELECT count(*) FROM puzzles") or 0


def find(connection: Connection, puzzle: str) -> PuzzleRow | None:
    """Return a puzzle that everybody may see, or None."""
    return fetch_first(connection, PuzzleRow, f"{_OPEN} AND p.id = ?", [puzzle])


def list_stored(connection: Connection, puzzles: Collection[str]) -> set[str]:
    """Return which of these puzzles are stored."""
    found = fetch_among(connection, "SELECT id FROM puzzles WHERE id IN ({})", puzzles)
    return {row[0] for row in found}


def list_page(
    connection: Connection,
    games: Collection[str],
    difficulty: int | None,
    after: PuzzlePlace,
    limit: int,
) -> list[PuzzleRow]:
    """Return at most ``limit`` puzzles of these games behind a place, the easiest first."""
    if not games:
        return []
    asked = f"{_OPEN} AND p.game IN ({format_places(games)})"
    values: list[object] = [*games]
    if difficulty is not None:
        asked += " AND p.difficulty = ?"
        values.append(difficulty)
    asked += " AND (p.difficulty > ? OR (p.difficulty = ? AND p.id > ?))"
    asked += " ORDER BY p.difficulty, p.id LIMIT ?"
    values += [after.difficulty, after.difficulty, after.id, limit]
    return fetch_all(connection, PuzzleRow, asked, values)


def list_by_match(connection: Connection, match: str) -> list[PuzzleRow]:
    """Return the puzzles of a match that everybody may see, in its order."""
    sql = f'{_OPEN} AND p."match" = ? ORDER BY p.version'
    return fetch_all(connection, PuzzleRow, sql, [match])


_ATTEMPTS = "SELECT puzzle, wrong, solved_at, shown_at FROM puzzle_attempts WHERE player = ?"


def find_attempts(
    connection: Connection, player: str, puzzles: Collection[str]
) -> dict[str, AttemptRow]:
    """Return what a player did with these puzzles, by their ids."""
    sql = f"{_ATTEMPTS} AND puzzle IN ({{}})"
    return {row[0]: AttemptRow(*row) for row in fetch_among(connection, sql, puzzles, player)}


def list_attempts(connection: Connection, player: str) -> list[AttemptRow]:
    """Return all that a player did with puzzles."""
    return fetch_all(connection, AttemptRow, f"{_ATTEMPTS} ORDER BY puzzle", [player])


_KEEP = (
    "INSERT INTO puzzle_attempts (player, puzzle, wrong, solved_at, shown_at) "
    "VALUES (?, ?, ?, ?, ?) ON CONFLICT (player, puzzle) DO UPDATE SET "
    "wrong = puzzle_attempts.wrong + excluded.wrong, "
    "solved_at = CASE WHEN puzzle_attempts.solved_at IS NULL AND puzzle_attempts.shown_at IS NULL "
    "THEN excluded.solved_at ELSE puzzle_attempts.solved_at END, "
    "shown_at = COALESCE(puzzle_attempts.shown_at, excluded.shown_at)"
)


def keep(connection: Connection, player: str, done: AttemptRow) -> None:
    """Add what a player did; what was solved with its solution at hand is not solved."""
    run(connection, _KEEP, [player, *done])


def is_searched(connection: Connection, match: str, method: int) -> bool:
    """Say whether a match was looked through by this method, or a newer one."""
    sql = 'SELECT 1 FROM puzzle_searches WHERE "match" = ? AND method >= ?'
    return run(connection, sql, [match, method]).fetchone() is not None


_ANALYSED = (
    'SELECT a."match" FROM analyses a JOIN matches m ON m.id = a."match" '
    'LEFT JOIN puzzle_searches s ON s."match" = a."match" AND s.method >= ? '
    "WHERE a.state = 'done' AND m.visibility = 'public' AND m.status = 'finished' "
    'AND s."match" IS NULL ORDER BY a.asked_at, a."match" LIMIT 1'
)


def find_unsearched(connection: Connection, method: int) -> str | None:
    """Return a public match that was analysed and not looked through yet, the oldest request."""
    return fetch_first(connection, str, _ANALYSED, [method])


def save_search(connection: Connection, match: str, method: int) -> None:
    """Remember that a match was looked through."""
    sql = make_save_sql("puzzle_searches", ["match"], ["method"])
    insert_rows(connection, sql, [[match, method]])


def list_ids(found: Iterable[PuzzleRow]) -> list[str]:
    """Return the ids of puzzles."""
    return [one.id for one in found]
