"""Houses on migrated databases, and applications around them."""

import io
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from services.container import Services, build
from services.runtime import logs
from services.runtime.settings import Settings
from tests.support.games import test_games
from tests.support.postgres import PostgresServer
from tests.web.people import Person
from web.app import create_app

_numbers = count(1)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Give what the log writes, once it is set up."""
    written = io.BytesIO()
    stderr = SimpleNamespace(buffer=written)
    monkeypatch.setattr(logs, "sys", SimpleNamespace(stderr=stderr))
    return written


@pytest.fixture
def sqlite_at_head(sqlite_template: Path, tmp_path: Path) -> str:
    """Give the path of a migrated SQLite database."""
    path = tmp_path / "web.sqlite"
    shutil.copy(sqlite_template, path)
    return str(path)


@pytest.fixture
def postgres_at_head(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """Give the URL of a migrated PostgreSQL database."""
    name = f"web_{next(_numbers)}"
    yield postgres_server.create_database(name, template=postgres_template)
    postgres_server.drop_database(name)


@pytest.fixture
def database_kind() -> str:
    """Say which database a test runs on; modules about storage override this with both."""
    return "sqlite"


@pytest.fixture
def url_at_head(request: pytest.FixtureRequest, database_kind: str) -> str:
    """Give a migrated database."""
    url: str = request.getfixturevalue(f"{database_kind}_at_head")
    return url


@pytest.fixture
def settings(url_at_head: str) -> Settings:
    """Give settings without rate limits, and with streams that end soon."""
    return Settings(database_url=url_at_head, rate_limit=0, stream_seconds=2)


@pytest.fixture
def house(settings: Settings) -> Iterator[Services]:
    """Give a house with the games of the installation and those of the tests."""
    made = build(settings, games=test_games())
    yield made
    made.close()


@pytest.fixture
def app(house: Services) -> Flask:
    """Give the application."""
    return create_app(house)


@pytest.fixture
def make_app(house: Services) -> Callable[..., Flask]:
    """Give a function that makes an application with some settings changed."""

    def make(**changes: object) -> Flask:
        return create_app(house, replace(house.settings, **changes))  # type: ignore[arg-type]

    return make


@pytest.fixture
def anyone(app: Flask) -> Person:
    """Give somebody without a token."""
    return Person(app.test_client())


@pytest.fixture
def ada(anyone: Person) -> Person:
    """Give a player."""
    return anyone.sign_up("ada")


@pytest.fixture
def bob(anyone: Person) -> Person:
    """Give another player."""
    return anyone.sign_up("bob")


@pytest.fixture
def eve(anyone: Person) -> Person:
    """Give a player who has no seat in any match of these tests."""
    return anyone.sign_up("eve")
