"""A migrated database of each kind; migrated once, then copied."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from services.store import schema
from services.store.db.engine import Database
from tests.support.postgres import PostgresServer

_numbers = count(1)


@pytest.fixture
def sqlite_database(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Give a migrated SQLite database."""
    path = tmp_path / "plybook.sqlite"
    shutil.copy(sqlite_template, path)
    database = Database(str(path))
    yield database
    database.dispose()


@pytest.fixture
def postgres_database(
    postgres_server: PostgresServer, postgres_template: str
) -> Iterator[Database]:
    """Give a migrated PostgreSQL database."""
    name = f"store_{next(_numbers)}"
    database = Database(postgres_server.create_database(name, template=postgres_template))
    yield database
    database.dispose()
    postgres_server.drop_database(name)


@pytest.fixture
def database_at_brink(server_at_brink: PostgresServer, brink: int) -> Iterator[Database]:
    """Give a migrated database where the next transactions have numbers of another kind."""
    database = Database(server_at_brink.create_database("store"))
    schema.upgrade(database.url)
    server_at_brink.burn(brink - 5)
    yield database
    database.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest) -> Database:
    """Give a migrated database, one test for each kind."""
    name = "sqlite_database" if request.param == "sqlite" else "postgres_database"
    made: Database = request.getfixturevalue(name)
    return made
