"""Houses on migrated databases, and applications around them."""

import io
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from types import SimpleNamespace

import pytest
from flask import Flask

from services.container import Services
from services.runtime import logs
from services.runtime.settings import Settings
from tests.support.games import test_games
from tests.web.people import Person
from web.app import create_app


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Give what the log writes, once it is set up."""
    written = io.BytesIO()
    stderr = SimpleNamespace(buffer=written)
    monkeypatch.setattr(logs, "sys", SimpleNamespace(stderr=stderr))
    return written


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run modules about storage, which say ``ON_BOTH_DATABASES``, on PostgreSQL too."""
    if "database_kind" in metafunc.fixturenames and hasattr(metafunc.module, "ON_BOTH_DATABASES"):
        postgres = pytest.param("postgres", marks=pytest.mark.postgres)
        metafunc.parametrize("database_kind", ["sqlite", postgres])


@pytest.fixture
def database_kind() -> str:
    """Say which database a test runs on."""
    return "sqlite"


@pytest.fixture
def url_at_head(request: pytest.FixtureRequest, database_kind: str) -> str:
    """Give a migrated database."""
    url: str = request.getfixturevalue(f"migrated_{database_kind}_url")
    return url


@pytest.fixture
def settings(url_at_head: str) -> Settings:
    """Give settings without limits, with streams that end soon, and notices to this machine."""
    return Settings(database_url=url_at_head, rate_limit=0, stream_seconds=2, webhooks_private=1)


@pytest.fixture
def house(settings: Settings) -> Iterator[Services]:
    """Give a house with the games of the installation and those of the tests."""
    made = Services(settings, games=test_games())
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
        other = copy(house)
        other.settings = replace(house.settings, **changes)  # type: ignore[arg-type]
        return create_app(other)

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
