"""`./dev new-game` lays out a game that is right at once, and so is what the page makes of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from tests.support.type_checker import checked

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```\w+ (\S+/\S+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
TEST = "tests/domain/games/test_high_number.py"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy what a game needs to be there, with a new game in it."""
    root = tmp_path_factory.mktemp("plybook")
    for room in ("cli", "domain", "seeds", "services", "tests", "web"):
        copytree(ROOT / room, root / room, ignore=ignore_patterns("bench"))
    for file in ("pyproject.toml", "docs/cli.md"):
        (root / file).parent.mkdir(exist_ok=True)
        (root / file).write_bytes((ROOT / file).read_bytes())
    run(root, "-m", "tests.new_game", "high-number")
    return root


def run(root: Path, *words: str) -> str:
    """Run Python in the copy, which comes before the real tree."""
    ran = subprocess.run(
        [sys.executable, *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def is_right(root: Path, *more: str) -> None:
    """Check the style of the new game, and run what ``./dev test`` would of it."""
    code = ["domain/games/high_number", TEST]
    run(root, "-m", "ruff", "check", *code)
    run(root, "-m", "ruff", "format", "--check", *code)
    run(root, "-m", "pytest", "-q", "-n", "0", "-k", "high", TEST, *more)


def test_what_is_laid_out_is_right_at_once(copy: Path) -> None:
    # Its types are those of the pattern, which are checked with everything else.
    is_right(copy)


def test_the_game_of_the_page_is_right_and_has_all_that_is_made(copy: Path, tmp_path: Path) -> None:
    assert {Path(name).suffix for name, _ in FILES} == {".py", ".md"}
    for name, text in FILES:
        assert (copy / name).exists(), name
        (copy / name).write_text(text, encoding="utf-8")
    assert checked(copy, tmp_path, "domain/games/high_number", TEST) == []
    (gone,) = re.findall(r"^rm (domain/\S+)$", PAGE, re.MULTILINE)
    (copy / gone).unlink(missing_ok=True)
    run(copy, "-m", "tests.golden.write", "high-number")
    run(copy, "-m", "tests.golden.analyses")
    run(copy, "-m", "tests.seeds.write")
    # No file of the pattern is left over, nor any other that nobody wants.
    run(copy, "-m", "pytest", "-q", "-n", "0", "tests/golden", "-k", "nothing")
    suites = ("game/test_contract.py", "game/test_scene.py", "match/test_secrecy.py")
    is_right(copy, "tests/golden", "tests/seeds", *(f"tests/domain/{one}" for one in suites))


def test_a_game_has_a_name_that_nobody_has(copy: Path) -> None:
    for name in ("high-number", "path-capture", "Upper", "two words", "9", ""):
        with pytest.raises(AssertionError, match=r"There is a game|Usage"):
            run(copy, "-m", "tests.new_game", name)
