"""A statement of our own stores what it is given, and fails as Core's statements do."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DataError, IntegrityError

from services.errors import Unavailable
from services.store.db.engine import Database, run

pytestmark = pytest.mark.postgres

INSERT = "INSERT INTO kinds VALUES (?, ?, ?, ?, ?)"
EVERY_KIND = (1, 'a "word", 千, 🂡', b"\x00\\x\xff'", True, None)


@pytest.fixture
def kinds(postgres_database: Database) -> Iterator[Database]:
    """Give a database with a table that has a column of each kind."""
    with postgres_database.write() as connection:
        connection.execute(
            text(
                "CREATE TABLE kinds (id int PRIMARY KEY, word text, body bytea, yes bool, no text)"
            )
        )
    yield postgres_database
    with postgres_database.write() as connection:
        connection.execute(text("DROP TABLE kinds"))


def insert(database: Database, *values: object) -> None:
    with database.state() as connection:
        run(connection, INSERT, values)


def stored(database: Database) -> list[tuple[object, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.execute(text("SELECT * FROM kinds ORDER BY id"))]


def test_values_of_every_kind_are_stored_as_they_are(kinds: Database) -> None:
    other = (2, "", b"", False, "no more")
    insert(kinds, *EVERY_KIND)
    insert(kinds, *other)
    assert stored(kinds) == [EVERY_KIND, other]


def test_texts_arrive_whatever_encoding_the_machine_prefers(
    kinds: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    elsewhere = Database(kinds.url)
    insert(elsewhere, *EVERY_KIND)
    assert stored(elsewhere) == [EVERY_KIND]
    elsewhere.dispose()


def test_a_text_that_cannot_be_stored_is_refused_and_not_cut(kinds: Database) -> None:
    with pytest.raises(DataError):
        insert(kinds, 1, "a word\0and more", b"", True, None)
    assert stored(kinds) == []


def test_what_is_refused_says_why_and_the_next_one_is_taken(kinds: Database) -> None:
    insert(kinds, 1, "first", b"", True, None)
    with pytest.raises(IntegrityError) as caught:
        insert(kinds, 1, "again", b"", True, None)
    assert getattr(caught.value.orig, "diag").constraint_name == "kinds_pkey"  # noqa: B009
    insert(kinds, 2, "second", b"", True, None)
    assert [row[1] for row in stored(kinds)] == ["first", "second"]


def test_a_session_that_the_server_ended_costs_one_statement(kinds: Database) -> None:
    insert(kinds, 1, "before", b"", True, None)
    with kinds.state() as connection:
        mine = connection.execute(text("SELECT pg_backend_pid()")).scalar()
    with kinds.read() as connection:
        # Until it is gone, for at most so many milliseconds.
        connection.execute(text("SELECT pg_terminate_backend(:pid, 10000)"), {"pid": mine})
    with pytest.raises(Unavailable):
        insert(kinds, 2, "lost", b"", True, None)
    insert(kinds, 3, "after", b"", True, None)
    assert [row[1] for row in stored(kinds)] == ["before", "after"]


def test_a_line_that_was_cut_costs_one_statement(kinds: Database) -> None:
    with kinds.state() as connection:
        line: Any = connection.connection.driver_connection
        with socket.socket(fileno=os.dup(line.pgconn.socket)) as cut:
            cut.shutdown(socket.SHUT_RDWR)
    with pytest.raises(Unavailable):
        insert(kinds, 2, "lost", b"", True, None)
    insert(kinds, 3, "after", b"", True, None)
    assert [row[1] for row in stored(kinds)] == ["after"]
