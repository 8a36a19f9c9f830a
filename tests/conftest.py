"""The databases and the browser of the tests, and how hard hypothesis looks."""

import fcntl
import gc
import logging
import os
import shutil
import signal
import sys
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path
from secrets import token_urlsafe

import hypothesis
import pytest
import structlog
from flask import Flask
from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from werkzeug.routing import Rule

from services.accounts import passwords
from services.drawing.svg import picture, thumbnails
from services.store import schema
from tests.support.cheap import (
    CompiledTemplates,
    asked_once,
    compiled_addresses,
    compiled_statements,
    drawn_once,
    weakest,
)
from tests.support.postgres import PostgresServer, PostgresUnavailableError, Seed, start_postgres
from tests.support.receiver import Receiver, receiving

# The same examples every time, so that a change is judged by what it did; `--hypothesis-profile
# explore` looks elsewhere and longer. No deadline: the machine has other things to do as well.
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=2_000)
hypothesis.settings.load_profile("ci")

_numbers = count(1)


def pytest_xdist_auto_num_workers() -> int:
    """Run two workers more than there are processors, four on two.

    Tests wait for servers, for Chromium, for what happens a second later: with one worker more
    than two processors, a fifth of these was idle in a whole run.
    """
    affine = getattr(os, "sched_getaffinity", None)
    return (len(affine(0)) if affine else os.cpu_count() or 1) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let one worker compile the tests, where they have not been, and the others wait for it.

    Otherwise all of them would do so at once, in the same order: eleven seconds of processor time
    each, half of what it takes to collect. With three workers it is 38 seconds in the place of 55.
    """
    compiled = any((Path(__file__).parent / "__pycache__").glob("test_scaffolding.*-pytest-*.pyc"))
    if compiled or sys.dont_write_bytecode or "PYTEST_XDIST_WORKER" not in os.environ:
        return (yield)
    with Path(__file__).open() as turn:
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(turn, fcntl.LOCK_SH)
        return (yield)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Look into modules of tests alone for what is to be run: no other here has doctests."""
    is_helper = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    return True if is_helper else None


def pytest_configure() -> None:
    """Look for garbage seldom: tests of pages took 59 s of processor time in the place of 63."""
    gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what was collected: thousands of tests, to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from the settings and the databases of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("PLYBOOK_", "XDG_"))]:
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        # Nothing here speaks TLS, and each client of httpx reads the world's certificates anew:
        # thirty milliseconds. In an empty folder there are none.
        patch.delenv("SSL_CERT_FILE", raising=False)
        patch.setenv("SSL_CERT_DIR", str(tmp_path_factory.mktemp("certificates")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _cheap_passwords() -> Iterator[None]:
    """Hash passwords as weakly as can be: these protect nobody."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", weakest())
        yield


@pytest.fixture(autouse=True, scope="session")
def _ctrl_c_counts() -> Iterator[None]:
    """Let Ctrl-C reach the processes of tests, also where whoever started them ignores it.

    A shell without job control starts what goes on in the background with SIGINT ignored, and
    that is inherited, handlers are not.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _log_of_one_test_alone() -> Iterator[None]:
    """Give no test the log that another one has set up: its file may be closed by then.

    Where a test sets none up, faults are shown, and a line for each request would be in the way.
    """
    structlog.reset_defaults()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True, scope="session")
def _addresses_are_compiled_once() -> Iterator[None]:
    """Keep what werkzeug compiles for an address: nearly all of the making of an application.

    Nearly every test of the web has an application of its own, and all have the same addresses.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "compile", compiled_addresses())
        yield


@pytest.fixture(autouse=True, scope="session")
def _templates_are_compiled_once() -> Iterator[None]:
    """Keep what Jinja compiles: nine tenths of the time that an application's first page takes.

    Nearly every test of pages has an application of its own, and all have the same templates.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": CompiledTemplates()})
        yield


@pytest.fixture(autouse=True, scope="session")
def _statements_are_compiled_once() -> Iterator[None]:
    """Keep what SQLAlchemy compiles: each house has engines of its own, and all ask the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "_compiled_cache", compiled_statements(), raising=False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _servers_are_asked_once() -> Iterator[None]:
    """Keep what SQLAlchemy asks of a PostgreSQL server before all else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PGDialect_psycopg, "initialize", asked_once())
        yield


@pytest.fixture(autouse=True, scope="session")
def _boards_are_drawn_once() -> Iterator[None]:
    """Keep what is drawn of a scene: a quarter of the time of tests that ask for many pages."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (picture, thumbnails):
            patch.setattr(module, "draw", drawn_once)
        yield


@pytest.fixture(scope="session")
def postgres_seed(tmp_path_factory: pytest.TempPathFactory) -> Seed:
    """Say where the data are that every PostgreSQL server begins with, of all workers of xdist."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    place = tmp_path_factory.getbasetemp()
    return Seed((place.parent if run else place) / "postgres", run or token_urlsafe(16))


@pytest.fixture(scope="session")
def postgres_server(postgres_seed: Seed) -> Iterator[PostgresServer]:
    """Run one PostgreSQL server for the session (under xdist: for the worker)."""
    where = os.environ.get("TEST_POSTGRES_DATA")
    try:
        with start_postgres(data_in=where, seed=postgres_seed) as server:
            yield server
    except PostgresUnavailableError as reason:
        pytest.skip(str(reason))


@pytest.fixture(params=[1_000, 100_000, 2**32 + 1_000], ids="below {:,}".format)
def brink(request: pytest.FixtureRequest) -> int:
    """Give numbers of transactions at which something has changed that a young server hides."""
    number: int = request.param
    return number


@pytest.fixture
def server_at_brink(brink: int, postgres_seed: Seed) -> Iterator[PostgresServer]:
    """Run a server of the test's own, whose transactions are 200 below such a number."""
    where = os.environ.get("TEST_POSTGRES_DATA")
    try:
        with start_postgres(data_in=where, transaction=brink - 200, seed=postgres_seed) as server:
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
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the path of a migrated SQLite file, to be copied only."""
    path = tmp_path_factory.mktemp("template") / "template.sqlite"
    schema.upgrade(str(path))
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> str:
    """Give the name of a migrated PostgreSQL database, to be copied only."""
    schema.upgrade(postgres_server.create_database("template_migrated"))
    return "template_migrated"


@pytest.fixture
def migrated_sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """Give the path of a migrated SQLite database."""
    path = tmp_path / "plybook.sqlite"
    shutil.copy(sqlite_template, path)
    return str(path)


@pytest.fixture
def migrated_postgres_url(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """Give the URL of a migrated PostgreSQL database."""
    name = f"test_{next(_numbers)}"
    yield postgres_server.create_database(name, template=postgres_template)
    postgres_server.drop_database(name)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def migrated_url(request: pytest.FixtureRequest) -> str:
    """Give the URL of a migrated database, one test for each kind."""
    name = "migrated_sqlite_url" if request.param == "sqlite" else "migrated_postgres_url"
    url: str = request.getfixturevalue(name)
    return url


@pytest.fixture(scope="session")
def chromium() -> str:
    """Give the path of the Chromium that `./dev` found."""
    if path := os.environ.get("TEST_CHROMIUM"):
        return path
    return pytest.skip(os.environ.get("TEST_NO_CHROMIUM", "./dev was not asked to find Chromium"))


@pytest.fixture(scope="session")
def running_receiver() -> Iterator[Receiver]:
    """Run one receiver of notices for all tests."""
    with receiving() as made:
        yield made


@pytest.fixture
def receiver(running_receiver: Receiver) -> Receiver:
    """Give a receiver that nothing was sent to yet."""
    running_receiver.received.clear()
    running_receiver.statuses.clear()
    return running_receiver


@pytest.fixture
def made_up(tmp_path: Path) -> Iterator[Path]:
    """Put the made-up language beside English, in a folder."""
    # It reads all sources, which few tests need.
    from tests.web.pages.made_up import offered

    folder = tmp_path / "translations"
    with offered(folder):
        yield folder
