"""Lay out a new game: `./dev new-game NAME`, or `python -m tests.new_game NAME`.

The package `tests/new_game/stones` and its test are copied under the new name. What is copied is
linted, typed and tested like any other code, so it cannot grow old.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATTERN = Path(__file__).parent
SLUG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def renamed(text: str, slug: str) -> str:
    """Return a file of the pattern as the new game has it."""
    package = slug.replace("-", "_")
    for old, new in (
        ("tests.new_game.stones", f"domain.games.{package}"),
        ('slug="stones"', f'slug="{slug}"'),
        ("STONES", package.upper()),
        ("Stones", slug.replace("-", " ").title()),
    ):
        text = text.replace(old, new)
    return text


def lay_out(slug: str, root: Path = ROOT) -> list[Path]:
    """Write the files of a new game; return where they are."""
    package = slug.replace("-", "_")
    places = {
        source: root / "domain" / "games" / package / source.name
        for source in sorted((PATTERN / "stones").iterdir())
        if source.is_file()
    }
    places[PATTERN / "test_stones.py"] = root / f"tests/domain/games/test_{package}.py"
    places[next(iter(places))].parent.mkdir()
    for source, place in places.items():
        place.write_text(renamed(source.read_text(encoding="utf-8"), slug), encoding="utf-8")
    code = [str(place) for place in places.values() if place.suffix == ".py"]
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "--quiet", "--select=I", "--fix", *code], cwd=root, check=True)
    subprocess.run([*ruff, "format", "--quiet", *code], cwd=root, check=True)
    return list(places.values())


def main() -> None:
    """Lay out the game that the command line names."""
    if len(sys.argv) != 2 or not SLUG.fullmatch(sys.argv[1]):
        raise SystemExit("Usage: ./dev new-game NAME    (such as: high-number)")
    slug = sys.argv[1]
    if (ROOT / "domain" / "games" / slug.replace("-", "_")).exists():
        raise SystemExit(f"There is a game {slug} already.")
    for place in lay_out(slug):
        sys.stdout.write(f"{place.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
