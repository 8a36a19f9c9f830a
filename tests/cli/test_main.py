"""Start-up: help is quick because nothing heavy is imported for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import COMMANDS
from tests.cli.processes import ROOT

HEAVY = ("alembic", "domain", "flask", "granian", "orjson", "rich", "seeds", "services",
         "sqlalchemy", "structlog", "web")  # fmt: skip

IMPORTED = """
import json, sys
from cli.main import main
main({words!r}, standalone_mode=False)
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})), file=sys.stderr)
"""


def imported_by(*words: str) -> list[str]:
    """Return the top-level packages that a call has imported."""
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(words=list(words))],
        check=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    packages: list[str] = json.loads(ran.stderr.splitlines()[-1])
    return packages


@pytest.mark.parametrize("words", [(), *((command,) for command in COMMANDS)], ids=" ".join)
def test_help_imports_nothing_heavy(words: tuple[str, ...]) -> None:
    assert set(imported_by(*words, "--help")) & set(HEAVY) == set()


def test_looking_at_the_games_needs_no_database() -> None:
    assert "sqlalchemy" not in imported_by("games")
    assert "sqlalchemy" not in imported_by("rules", "path-capture")


def test_a_database_in_a_file_needs_no_driver_of_another(database: Path) -> None:
    assert "psycopg" not in imported_by("--database", str(database), "match", "list")


def test_nothing_here_meets_the_web() -> None:
    assert "flask" not in imported_by("settings")
