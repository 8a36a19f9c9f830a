"""Databases that are migrated step by step."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine

from services.store.db.engine import Database

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True, scope="package")
def _steps_are_read_once() -> Iterator[None]:
    """Keep what Alembic reads of the steps: a seventh of the time, for every command anew."""
    whole, kept = ScriptDirectory.from_config, dict[str | None, ScriptDirectory]()

    def once(config: Config) -> ScriptDirectory:
        place = config.get_alembic_option("script_location")
        if place not in kept:
            kept[place] = whole(config)
        return kept[place]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptDirectory, "from_config", once)
        yield


@pytest.fixture
def alembic_config() -> Config:
    """Configure pytest-alembic by the project's own table, as Alembic's command line does."""
    return Config(toml_file=ROOT / "pyproject.toml")


@pytest.fixture
def alembic_engine(database_url: str) -> Iterator[Engine]:
    """Give pytest-alembic an empty database of each kind."""
    engine = create_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    made = Database(database_url)
    yield made
    made.dispose()


@pytest.fixture
def at_head(migrated_url: str) -> Iterator[Database]:
    """Give a database at the newest step, of each kind: a copy of one that was migrated once."""
    made = Database(migrated_url)
    yield made
    made.dispose()
