"""Conditional moves in the store: a seat's lines, and what became of them.

The column ``conditional`` of ``matches`` is a flag on the row that every append touches. Whoever
stores lines sets it while holding that row, and an append that does not know of them is refused
with ``ConditionalMovesStored``: so nobody can append past lines that are stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from domain.json_types import JsonObject
from domain.match.conditional_moves import ConditionalMoves, dump_lines, load_lines
from domain.match.events import MoveMade
from services.store.db.engine import fetch, insert_rows, make_save_sql, run
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, metadata
from services.store.log.events import VersionTaken

conditional_keys = sa.Table(
    "conditional_keys",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("key", DIGEST, primary_key=True),
)
"""Digests of the moves of the opponent with which a seat's lines begin."""

conditional_moves = sa.Table(
    "conditional_moves",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("pending", sa.Boolean, nullable=False),
    sa.Column("seen", sa.Integer, nullable=False),
    sa.Column("lines", sa.LargeBinary, nullable=False),
    sa.Column("updated_at", INSTANT, nullable=False),
    sa.CheckConstraint("seat IN (1, 2)", name="seat"),
    sa.CheckConstraint("version >= 1", name="version"),
)
"""A seat's lines, as JSON. ``version`` counts their changes; ``pending``: there are any.

``seen`` is the version of the match up to which they have been followed.
"""

conditional_happenings = sa.Table(
    "conditional_happenings",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("at", INSTANT, nullable=False),
    sa.Column("detail", sa.LargeBinary, nullable=False),
    sa.CheckConstraint("seat IN (1, 2)", name="seat"),
    sa.CheckConstraint("number >= 1", name="number"),
)
"""What became of a seat's lines, for that seat alone; ``number`` counts from 1 on.

``version``: that of the match's event at which it happened. ``detail`` is JSON.
"""


class StoredConditionalMoves(NamedTuple):
    """A seat's lines. ``version`` counts their changes; 0: none were ever stored.

    ``seen``: the version of the match up to which they have been followed.
    """

    match: str
    seat: int
    version: int
    seen: int
    lines: ConditionalMoves
    updated_at: str


class Happening(NamedTuple):
    """What became of some lines, at the event ``version`` of their match."""

    seat: int
    kind: str
    version: int
    at: str
    detail: JsonObject


class Followed(NamedTuple):
    """What comes of lines when events are appended.

    ``read``: seat and version of all the lines that it was decided on. ``kept``: those that
    changed, as they are to be.
    """

    read: tuple[tuple[int, int], ...]
    kept: tuple[StoredConditionalMoves, ...]
    happenings: tuple[Happening, ...]


class Numbered(NamedTuple):
    """A happening in its place in the list of its seat."""

    number: int
    kind: str
    version: int
    at: str
    detail: JsonObject


_COLUMNS = '"match", seat, version, seen, lines, updated_at'
_LOAD = f'SELECT {_COLUMNS} FROM conditional_moves WHERE "match" = ? ORDER BY seat'  # noqa: S608
_SAVE = make_save_sql(
    "conditional_moves", ["match", "seat"], ["version", "seen", "lines", "updated_at", "pending"]
)
_LOOK = """
SELECT count(*), coalesce(sum(CASE WHEN seat = ? OR (EXISTS (
    SELECT 1 FROM conditional_keys AS known
    WHERE known."match" = kept."match" AND known.seat = kept.seat AND known.key = ?
) AND NOT EXISTS (
    SELECT 1 FROM events
    WHERE events."match" = kept."match" AND events.version > kept.seen AND events.kind = 'move-made'
)) THEN 1 ELSE 0 END), 0), EXISTS (
    SELECT 1 FROM matches JOIN notice_channels AS told
    ON told.player IN (matches.seat_1, matches.seat_2, matches.opponent)
    WHERE matches.id = ? AND told.off_at IS NULL
)
FROM conditional_moves AS kept WHERE kept."match" = ? AND pending
"""
_SAVE_KEYS = 'INSERT INTO conditional_keys ("match", seat, key) VALUES {}'
_FORGET = 'DELETE FROM conditional_keys WHERE "match" = ? AND seat = ?'
_FLAG = """
UPDATE matches SET conditional = EXISTS (
    SELECT 1 FROM conditional_moves WHERE "match" = ? AND pending
) WHERE id = ?
"""
_FLAGGED = """
SELECT conditional, EXISTS (SELECT 1 FROM conditional_moves WHERE "match" = ? AND pending)
FROM matches WHERE id = ?
"""
_HAPPENED = """
INSERT INTO conditional_happenings ("match", seat, number, kind, version, "at", detail)
SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM conditional_happenings
WHERE "match" = ? AND seat = ?
"""
_HAPPENINGS = """
SELECT number, kind, version, "at", detail FROM conditional_happenings
WHERE "match" = ? AND seat = ? AND number < ? ORDER BY number DESC LIMIT ?
"""


def load(connection: Connection, match: str) -> list[StoredConditionalMoves]:
    """Return the lines of both seats, as far as any were ever stored."""
    return [
        StoredConditionalMoves(
            id_, seat, version, seen, load_lines(orjson.loads(lines)), updated_at
        )
        for id_, seat, version, seen, lines, updated_at in fetch(connection, _LOAD, [match])
    ]


def get(connection: Connection, match: str, seat: int) -> StoredConditionalMoves:
    """Return a seat's lines."""
    none = StoredConditionalMoves(match, seat, 0, 0, (), "")
    return next((kept for kept in load(connection, match) if kept.seat == seat), none)


def save(connection: Connection, kept: StoredConditionalMoves) -> None:
    """Keep a seat's lines, in place of those that there were. Then ``flag`` the match."""
    lines = orjson.dumps(dump_lines(kept.lines))
    row = [*kept[:4], lines, kept.updated_at, bool(kept.lines)]
    insert_rows(connection, _SAVE, [row])
    run(connection, _FORGET, [kept.match, kept.seat])
    keys = sorted({key_of(line.when) for line in kept.lines})
    insert_rows(connection, _SAVE_KEYS, [(kept.match, kept.seat, key) for key in keys])


def key_of(move: JsonObject) -> str:
    """Return the key by which lines that begin with a move of the opponent are found."""
    return sha256(orjson.dumps(move, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Concerned(NamedTuple):
    """How many seats have lines, and how many of these a move concerns.

    ``told``: whether one of its players wants to be told of anything.
    """

    pending: int
    concerned: int
    told: bool


def look(connection: Connection, match: str, made: MoveMade | None) -> Concerned:
    """Look whom a move that was made by hand, if any was, concerns of those who have lines.

    Lines that an earlier move has passed by are of the past. It costs the same however many lines
    there are. Whether anybody is to be told is asked with it: on PostgreSQL a question of its own
    would cost a round trip.
    """
    seat, key = (0, "") if made is None else (made.seat, key_of(made.move))
    return Concerned(*fetch(connection, _LOOK, [seat, key, match, match])[0])


def hold(connection: Connection, match: str, read: Sequence[tuple[int, int]]) -> None:
    """Make whoever else appends to the match, or stores lines of it, wait for this transaction.

    Until ``flag`` is called, the transaction itself may append past the lines. Raises
    ``VersionTaken`` if the lines are not, by seat and version, those that were ``read``.
    """
    run(connection, "UPDATE matches SET conditional = false WHERE id = ?", [match])
    present = [(kept.seat, kept.version) for kept in load(connection, match)]
    if present != list(read):
        raise VersionTaken(f"the conditional moves of match {match} have changed")


def flag(connection: Connection, match: str) -> None:
    """Say on the match's row whether there are lines."""
    run(connection, _FLAG, [match, match])


def is_flagged(connection: Connection, match: str) -> bool:
    """Say whether the match's row says what ``flag`` would say."""
    row = run(connection, _FLAGGED, [match, match]).fetchone()
    return row is None or bool(row[0]) == bool(row[1])


def keep(connection: Connection, match: str, followed: Followed) -> None:
    """Keep lines as they became, and tell their authors; the match must be on ``hold``."""
    for kept in followed.kept:
        save(connection, kept)
    for seat, kind, version, at, detail in followed.happenings:
        values = [match, seat, kind, version, at, orjson.dumps(detail), match, seat]
        run(connection, _HAPPENED, values)
    flag(connection, match)


def list_happenings(
    connection: Connection, match: str, seat: int, before: int, limit: int
) -> Sequence[Numbered]:
    """Return what happened to a seat's lines, newest first, numbers below ``before`` only."""
    found = fetch(connection, _HAPPENINGS, [match, seat, before, limit])
    return [
        Numbered(number, kind, version, at, orjson.loads(detail))
        for number, kind, version, at, detail in found
    ]
