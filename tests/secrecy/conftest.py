"""Worlds on copies of a migrated database, in which nothing differs by accident."""

import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
import structlog
import werkzeug.wrappers.response

import services.container
import web.http.requests
from domain.json_types import Json
from domain.log import event_format
from services.drawing import raster
from services.store import cursors
from tests.secrecy.worlds import Twins, World, keep, two_worlds
from tests.support.postgres import PostgresServer
from web.pages.common import forms, visitors


@pytest.fixture(autouse=True, scope="package")
def _pictures_are_painted_once() -> Iterator[None]:
    """Keep what was painted of a drawing, which both worlds and most viewers have in common.

    The process that paints gets the drawing's bytes and the zoom, and nothing of any world:
    drawings that differ are painted each by itself.
    """
    painted: dict[tuple[bytes, float], bytes] = {}
    paint = raster._Painter.paint  # noqa: SLF001 - the one place that every picture goes through

    def once(painter: raster._Painter, svg: bytes, zoom: float) -> bytes:
        if (svg, zoom) not in painted:
            painted[svg, zoom] = paint(painter, svg, zoom)
        return painted[svg, zoom]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raster._Painter, "paint", once)  # noqa: SLF001 - see above
        yield


@pytest.fixture(autouse=True)
def kept_logs() -> None:
    """Keep what each world logs, whatever its level and way."""
    processors = [structlog.contextvars.merge_contextvars, structlog.processors.add_log_level, keep]
    structlog.configure(processors=processors, wrapper_class=structlog.BoundLogger)


def placeholder(salt: str, _: Json) -> str:
    """Stand in for a commitment: it depends on its salt, and not on what was sealed."""
    return sha256(f"placeholder {salt}".encode()).hexdigest()


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hold still whatever differs from run to run, and from value to value by design."""
    monkeypatch.setattr(event_format, "compute_commitment", placeholder)
    monkeypatch.setattr(web.http.requests, "getrandbits", lambda _: 0)
    monkeypatch.setattr(werkzeug.wrappers.response, "http_date", lambda: "now")
    monkeypatch.setattr(web.http.requests, "perf_counter", lambda: 0.0)
    for module in (cursors, visitors):
        monkeypatch.setattr(module, "token_bytes", bytes)
    for module in (forms, visitors):
        monkeypatch.setattr(module, "token_urlsafe", lambda length: "A" * length)
    monkeypatch.setattr(
        services.container, "locate_signing_key", lambda *_: tmp_path / "signing-key.pem"
    )


@pytest.fixture
def new_sqlite(sqlite_template: Path, tmp_path: Path) -> Callable[[str], str]:
    """Give a function that makes a migrated SQLite database and returns its path."""

    def make(name: str) -> str:
        return str(shutil.copy(sqlite_template, tmp_path / f"{name}.sqlite"))

    return make


@pytest.fixture
def new_postgres(
    postgres_server: PostgresServer, postgres_template: str
) -> Iterator[Callable[[str], str]]:
    """Give a function that makes a migrated PostgreSQL database and returns its URL."""
    made: list[str] = []

    def make(name: str) -> str:
        made.append(f"secrecy_{name}")
        return postgres_server.create_database(made[-1], template=postgres_template)

    yield make
    for name in made:
        postgres_server.drop_database(name)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def any_database(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Give a function that makes a migrated database, one test for each kind."""
    name = "new_sqlite" if request.param == "sqlite" else "new_postgres"
    make: Callable[[str], str] = request.getfixturevalue(name)
    return make


@pytest.fixture
def worlds(new_sqlite: Callable[[str], str], still: None) -> Iterator[Twins]:  # noqa: ARG001
    """Give two worlds in which commitments are placeholders."""
    with two_worlds(new_sqlite("first"), new_sqlite("second")) as twins:
        yield twins


@pytest.fixture
def world(new_sqlite: Callable[[str], str]) -> Iterator[World]:
    """Give one world, with true commitments."""
    made = World("only", new_sqlite("only"))
    yield made
    made.house.close()
