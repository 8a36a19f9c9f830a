"""The database refuses too (law 4): attacks on stored events over its plain connection."""

import sqlite3

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from services.store.db.engine import Database
from services.store.log import events
from tests.services.store.streams import AT, MATCH, moves, of_one_match

OTHER = "fedcba9876543210"
COLUMNS = '"match", version, kind, "at", body, hash, openings'
ROW = ":match, :version, 'forged', :at, :body, :hash, NULL"

UPSERT = f"""
INSERT INTO events ({COLUMNS}) VALUES ({ROW})
ON CONFLICT ("match", version) DO UPDATE SET kind = 'forged'
"""
ON_BOTH = {
    "update": "UPDATE events SET kind = 'forged' WHERE version = 2",
    "update-of-all": "UPDATE events SET body = body",
    "delete": "DELETE FROM events WHERE version = 3",
    "delete-of-all": "DELETE FROM events",
    "repeated": f"INSERT INTO events ({COLUMNS}) VALUES ({ROW})",
    "upsert": UPSERT,
}
ON_SQLITE = {
    "replace": f"INSERT OR REPLACE INTO events ({COLUMNS}) VALUES ({ROW})",
    "replace-the-last": f"REPLACE INTO events ({COLUMNS}) VALUES ({ROW.replace(':version', '3')})",
    "replace-by-position": f"""
        INSERT OR REPLACE INTO events (position, {COLUMNS})
        VALUES (2, {ROW.replace(":match", "'newnewnewnewnew1'").replace(":version", "1")})
    """,
    "replace-the-last-position": f"""
        INSERT OR REPLACE INTO events (position, {COLUMNS})
        VALUES (3, {ROW.replace(":match", "'newnewnewnewnew1'").replace(":version", "1")})
    """,
    "upsert-by-position": f"""
        INSERT INTO events (position, {COLUMNS})
        VALUES (2, {ROW.replace(":match", "'newnewnewnewnew1'").replace(":version", "1")})
        ON CONFLICT (position) DO UPDATE SET kind = 'forged'
    """,
    "an-early-position": f"""
        INSERT INTO events (position, {COLUMNS}) VALUES (0, {ROW.replace(":version", "4")})
    """,
    "update-or-replace": "UPDATE OR REPLACE events SET position = 1 WHERE version = 2",
}
ON_POSTGRES = {
    "truncate": "TRUNCATE events",
    "truncate-cascade": "TRUNCATE events RESTART IDENTITY CASCADE",
    "a-chosen-position": f"""
        INSERT INTO events (position, {COLUMNS}) VALUES (2, {ROW.replace(":version", "4")})
    """,
    "upsert-by-position": f"""
        INSERT INTO events (position, {COLUMNS}) OVERRIDING SYSTEM VALUE
        VALUES (2, {ROW.replace(":version", "4")})
        ON CONFLICT (position) DO UPDATE SET kind = 'forged'
    """,
    "merge": """
        MERGE INTO events USING (SELECT 2 AS version) AS new ON events.version = new.version
        WHEN MATCHED THEN DELETE
    """,
}


def values(version: int) -> dict[str, object]:
    return {"match": MATCH, "version": version, "at": AT, "body": b"{}", "hash": "0" * 64}


def attack(database: Database, statement: str, version: int = 2) -> None:
    before = moves(3)
    with database.write() as connection:
        events.append(connection, of_one_match(before))
    with pytest.raises(DBAPIError), database.write() as connection:
        connection.execute(text(statement), values(version))
    with database.read() as connection:
        assert events.load(connection, MATCH) == before
        assert connection.scalar(text("SELECT count(*) FROM events")) == 3


@pytest.mark.parametrize("statement", ON_BOTH.values(), ids=ON_BOTH)
def test_stored_events_withstand(database: Database, statement: str) -> None:
    attack(database, statement)


@pytest.mark.parametrize("statement", ON_SQLITE.values(), ids=ON_SQLITE)
def test_stored_events_withstand_on_sqlite(sqlite_database: Database, statement: str) -> None:
    attack(sqlite_database, statement)


@pytest.mark.parametrize("statement", (ON_BOTH | ON_SQLITE).values(), ids=ON_BOTH | ON_SQLITE)
def test_stored_events_withstand_whoever_opens_the_file_without_our_pragmas(
    sqlite_database: Database, statement: str
) -> None:
    before = moves(3)
    with sqlite_database.write() as connection:
        events.append(connection, of_one_match(before))
    stranger = sqlite3.connect(sqlite_database.url.removeprefix("sqlite:///"))
    taken = {name: value for name, value in values(2).items() if f":{name}" in statement}
    with pytest.raises(sqlite3.IntegrityError), stranger:
        stranger.execute(statement, taken)
    stranger.close()
    with sqlite_database.read() as connection:
        assert events.load(connection, MATCH) == before
        assert connection.scalar(text("SELECT count(*) FROM events")) == 3


@pytest.mark.postgres
@pytest.mark.parametrize("statement", ON_POSTGRES.values(), ids=ON_POSTGRES)
def test_stored_events_withstand_on_postgresql(postgres_database: Database, statement: str) -> None:
    attack(postgres_database, statement)


@pytest.mark.parametrize("version", [-1, 0, 1, 3, 5, 6])
def test_only_the_next_version_can_be_inserted(database: Database, version: int) -> None:
    attack(database, f"INSERT INTO events ({COLUMNS}) VALUES ({ROW})", version)


def test_a_row_that_skips_within_one_statement_is_refused(database: Database) -> None:
    rows = f"({ROW.replace(':version', '4')}), ({ROW.replace(':version', '6')})"
    attack(database, f"INSERT INTO events ({COLUMNS}) VALUES {rows}")


def test_a_hash_that_is_none_is_refused(database: Database) -> None:
    row = ROW.replace(":version", "4").replace(":hash", "'short'")
    attack(database, f"INSERT INTO events ({COLUMNS}) VALUES ({row})")
