"""A second house, for matches that go from one to another."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.container import Services
from services.runtime.settings import Settings
from tests.services.conftest import Clock
from tests.support.games import test_games


@pytest.fixture
def elsewhere(sqlite_template: Path, tmp_path: Path, clock: Clock) -> Iterator[Services]:
    """Give another house, whose matches are exported."""
    path = tmp_path / "elsewhere.sqlite"
    shutil.copy(sqlite_template, path)
    made = Services(Settings(database_url=str(path)), games=test_games(), now=clock)
    yield made
    made.close()
