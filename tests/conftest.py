"""The databases and the browser of the tests, and how hard hypothesis looks."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import hypothesis
import pytest

from tests.support.postgres import PostgresServer, PostgresUnavailableError, start_postgres

# The same examples every time, so that a change is judged by what it did; `--hypothesis-profile
# explore` looks elsewhere and longer. No deadline: the machine has other things to do as well.
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=2_000)
hypothesis.settings.load_profile("ci")

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """Run one PostgreSQL server for the session (under xdist: for the worker)."""
    try:
        with start_postgres() as server:
            yield server
    except PostgresUnavailableError as reason:
        pytest.skip(str(reason))


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """Give the URL of an empty PostgreSQL database."""
    name = f"test_{next(_numbers)}"
    yield postgres_server.create_database(name)
    postgres_server.drop_database(name)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Give the URL of an SQLite file that is not there yet."""
    return f"sqlite:///{tmp_path / 'plybook.sqlite'}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> str:
    """Give the URL of an empty database, one test for each kind; nothing is migrated."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    url: str = request.getfixturevalue(name)
    return url


@pytest.fixture(scope="session")
def chromium() -> str:
    """Give the path of the Chromium that `./dev` found."""
    if path := os.environ.get("TEST_CHROMIUM"):
        return path
    return pytest.skip(os.environ.get("TEST_NO_CHROMIUM", "./dev was not asked to find Chromium"))
