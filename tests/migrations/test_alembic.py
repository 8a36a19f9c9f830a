"""Alembic's own command line, which minds what ours minds."""

import os
import subprocess
import sys

from services.store import schema
from services.store.db.engine import Database
from tests.migrations.conftest import ROOT
from tests.migrations.steps import fill


def run_alembic(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "alembic", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, **environment},
    )


def test_alembics_own_command_line_works_and_minds_the_events_too(database: Database) -> None:
    up = run_alembic("upgrade", "head", PLYBOOK_DATABASE_URL=database.url)
    assert up.returncode == 0, up.stderr
    assert schema.is_at_head(database)
    fill(database)
    where = f"database={database.url}"
    down = run_alembic("-x", where, "downgrade", "base")
    assert down.returncode != 0
    assert "--destroy-events" in down.stdout + down.stderr
    assert schema.is_at_head(database)
    down = run_alembic("-x", where, "-x", "destroy_events=yes", "downgrade", "base")
    assert down.returncode == 0, down.stderr
    assert schema.find_current(database.url) is None


def test_alembics_own_command_line_asks_for_the_database() -> None:
    lost = run_alembic("upgrade", "head", PLYBOOK_DATABASE_URL="")
    assert lost.returncode != 0
    assert "PLYBOOK_DATABASE_URL" in lost.stdout + lost.stderr
