"""``plybook verify`` of files and of everything."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calls import begun
from tests.cli.conftest import Plybook


def test_everything_holds_and_is_counted(plybook: Plybook) -> None:
    begun(plybook, "path-capture", "3")
    result = plybook("verify", "--all", "--jobs", "1")
    assert (result.exit_code, result.stdout) == (0, "1 match: 1 hold, 0 do not.\n")


def test_an_export_of_a_running_match_says_what_was_not_checked(
    plybook: Plybook, tmp_path: Path
) -> None:
    match = begun(plybook, "path-capture", "3")
    path = tmp_path / "it.ndjson"
    path.write_text(plybook("export", match).stdout)
    result = plybook("verify", str(path))
    assert result.exit_code == 0
    assert "not checked: dice, legality and result" in " ".join(result.stdout.split())


def test_a_file_that_is_cut_exits_with_3(plybook: Plybook, tmp_path: Path) -> None:
    path = tmp_path / "it.ndjson"
    lines = plybook("export", begun(plybook, "path-capture", "3")).stdout.splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    result = plybook("verify", str(path))
    assert result.exit_code == 3
    assert "does not hold" in result.stdout


def test_a_url_that_cannot_be_reached_is_said(plybook: Plybook) -> None:
    result = plybook("verify", "http://127.0.0.1:1/export")
    assert result.exit_code == 1
    assert "cannot be reached" in result.stderr


def test_neither_a_match_nor_all_is_wrong_usage(plybook: Plybook) -> None:
    assert plybook("verify").exit_code == 2
    assert plybook("verify", "7m2kq9x4tbw0ed5r", "--jobs", "2").exit_code == 2


def test_what_is_neither_a_match_nor_a_file_is_said_to_be_neither(plybook: Plybook) -> None:
    result = plybook("verify", "matches.ndjson")
    assert result.exit_code == 4
    assert "neither a match nor a file matches.ndjson" in result.stderr
