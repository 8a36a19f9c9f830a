"""Decisions are numbered without gaps or doubles, and all of them are in the index, in order."""

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "decisions"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")


def test_numbers_have_no_gaps_and_no_doubles() -> None:
    assert [int(path.name[:4]) for path in PAGES] == list(range(1, len(PAGES) + 1))
    for number, path in enumerate(PAGES, 1):
        assert path.read_text(encoding="utf-8").startswith(f"# {number}. "), path.name


def test_the_index_has_them_all_in_order() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^([0-9]+)\. \[.+\]\((.+)\)$", index, re.MULTILINE)
    assert listed == [(str(number), path.name) for number, path in enumerate(PAGES, 1)]
