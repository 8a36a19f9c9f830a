"""Matches that were imported: which they are, and what their players are called.

Their events lie among all others. What cannot be told from the events is kept here: that the
players of such a match are none of ours, whatever their ids and names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from domain.log.event_format import write_canonical
from services.store.db.engine import fetch_among, insert_rows
from services.store.db.metadata import INSTANT, MATCH_ID, metadata

imported_matches = sa.Table(
    "imported_matches",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("imported_at", INSTANT, nullable=False),
    sa.Column("names", sa.LargeBinary, nullable=False),
)
"""``names``: canonical JSON, player's id -> name, as the file had it.

It is bytes, since a name may have characters that a database's texts do not take.
"""


class ImportedRow(NamedTuple):
    """An imported match: when it came in, and its players' names by id."""

    match: str
    imported_at: str
    names: dict[str, str]


_COLUMNS = '"match", imported_at, names'


def insert(connection: Connection, wanted: Iterable[ImportedRow]) -> None:
    """Mark matches as imported."""
    values = [(match, at, write_canonical(names)) for match, at, names in wanted]
    insert_rows(connection, f"INSERT INTO imported_matches ({_COLUMNS}) VALUES {{}}", values)  # noqa: S608


def find(connection: Connection, match: str) -> ImportedRow | None:
    """Return what is known of an imported match; None of one that was played here."""
    return find_many(connection, [match]).get(match)


def find_many(connection: Connection, matches: Collection[str]) -> dict[str, ImportedRow]:
    """Return those of these matches that were imported, by id."""
    sql = f'SELECT {_COLUMNS} FROM imported_matches WHERE "match" IN ({{}})'  # noqa: S608
    found = fetch_among(connection, sql, matches)
    return {row[0]: ImportedRow(row[0], row[1], orjson.loads(row[2])) for row in found}
