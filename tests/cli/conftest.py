"""A database to call commands on, and the program as a person calls it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest
import structlog
from click.testing import CliRunner, Result

from cli.main import main
from tests.cli.calls import Plybook, json_lines, lines
from tests.cli.remote.someone import Someone
from tests.support.servers import running_server


@pytest.fixture
def database(sqlite_template: Path, tmp_path: Path) -> Path:
    """Give the path of a database of the test's own."""
    path = tmp_path / "plybook.sqlite3"
    copyfile(sqlite_template, path)
    return path


@pytest.fixture
def plybook(database: Path) -> Iterator[Plybook]:
    """Give the program, on a database of the test's own."""
    runner = CliRunner()

    def call(*words: str, typed: str = "", **environment: str) -> Result:
        env = {"PLYBOOK_DATABASE_URL": str(database), "COLUMNS": "80", **environment}
        result = runner.invoke(main, list(words), input=typed, env=env, prog_name="plybook")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    yield call
    # A command's log goes to its own standard error, which is closed by now.
    structlog.reset_defaults()


@pytest.fixture
def match(plybook: Plybook) -> str:
    """Give a match of Path Capture that P2 has won, of 6 frames: events 4 to 9."""
    plybook("play", "path-capture", "--names", "ada", "bob", typed=lines("3", "2", "2", "3"))
    [row] = json_lines(plybook("match", "list", "--json"))
    found: str = row["id"]
    return found


@pytest.fixture(scope="session")
def remote_url(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("remote") / "plybook.sqlite3"
    copyfile(sqlite_template, path)
    with running_server(str(path), log_in_limit=0) as server:
        yield server.url


_numbers = iter(range(1000))


@pytest.fixture
def ada(remote_url: str, tmp_path: Path) -> Someone:
    return Someone(remote_url, f"ada-{next(_numbers)}", tmp_path / "ada")


@pytest.fixture
def eve(remote_url: str, tmp_path: Path) -> Someone:
    return Someone(remote_url, f"eve-{next(_numbers)}", tmp_path / "eve")


@pytest.fixture
def bob(remote_url: str, tmp_path: Path) -> Someone:
    return Someone(remote_url, f"bob-{next(_numbers)}", tmp_path / "bob")
