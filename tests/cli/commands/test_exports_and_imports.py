"""Exports to files, folders and pipes that can be gone on with; imports that say what they did."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from services.exchange.formats import VERIFIER_NAME
from services.store.schema import upgrade
from tests.cli.calls import Plybook, begun, lines

OVER = ("3", "2", "2", "3")


@pytest.fixture
def matches(plybook: Plybook) -> list[str]:
    """Play some matches to their end."""
    return [begun(plybook, "path-capture", *OVER) for _ in range(3)]


def test_an_export_that_broke_off_goes_on(
    plybook: Plybook, matches: list[str], tmp_path: Path
) -> None:
    for form in ("ndjson", "csv", "csv-analysis"):
        whole, part = tmp_path / f"whole.{form}", tmp_path / f"part.{form}"
        words = ("export", "--all", "--format", form, "--out")
        assert plybook(*words, str(whole)).exit_code == 0
        written = whole.read_bytes()
        for size in (0, 10, len(written) // 2, len(written) - 1, len(written)):
            part.write_bytes(written[:size])
            result = plybook(*words, str(part), "--resume")
            assert result.exit_code == 0, result.output
            assert part.read_bytes() == written
        packed = tmp_path / f"whole.{form}.gz"
        assert plybook(*words, str(packed)).exit_code == 0
        packed.write_bytes(packed.read_bytes()[:-30])
        assert plybook(*words, str(packed), "--resume").exit_code == 0
        assert gzip.decompress(packed.read_bytes()) == written
    assert len(matches) == 3


def elsewhere(plybook: Plybook, tmp_path: Path, file: Path) -> str:
    """Make another database with a match that is over, and export it; return its path."""
    other = str(tmp_path / "other.sqlite3")
    upgrade(other)
    words = ("play", "path-capture", "--names", "cleo", "dan")
    typed = lines(*OVER, "quit")
    assert plybook(*words, typed=typed, PLYBOOK_DATABASE_URL=other).exit_code == 0
    out = ("export", "--all", "--out", str(file))
    assert plybook(*out, PLYBOOK_DATABASE_URL=other).exit_code == 0
    return other


def test_an_export_that_goes_on_gets_what_is_imported_and_of_long_ago(
    plybook: Plybook, matches: list[str], tmp_path: Path
) -> None:
    old, file = tmp_path / "old.ndjson", tmp_path / "all.ndjson"
    assert plybook("export", "--all", "--out", str(old)).exit_code == 0
    other = elsewhere(plybook, tmp_path, file)
    before = file.read_bytes()
    assert plybook("import", str(old), PLYBOOK_DATABASE_URL=other).exit_code == 0
    words = ("export", "--all", "--out", str(file), "--resume")
    result = plybook(*words, PLYBOOK_DATABASE_URL=other)
    assert f"{len(matches)} matches" in result.stderr
    assert file.read_bytes() == before + old.read_bytes()


def test_a_file_of_another_history_is_left_as_it_is(
    plybook: Plybook, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "all.ndjson"
    elsewhere(plybook, tmp_path, file)
    written = file.read_bytes() + b"a line that broke off"
    file.write_bytes(written)
    refused = plybook("export", "--all", "--out", str(file), "--resume")
    assert (refused.exit_code, file.read_bytes()) == (1, written)
    assert "cannot be gone on with" in refused.stderr
    assert "--force" in refused.stderr
    assert len(matches) == 3


def test_a_file_that_is_there_is_not_written_over(
    plybook: Plybook, matches: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "match.txt"
    path.write_text("mine", encoding="utf-8")
    refused = plybook("export", matches[0], "--format", "text", "--out", str(path))
    assert (refused.exit_code, path.read_text(encoding="utf-8")) == (1, "mine")
    assert "--force" in refused.stderr
    words = ("export", matches[0], "--format", "text", "--out", str(path), "--force")
    assert plybook(*words).exit_code == 0
    assert "ada against P2 bob" in path.read_text(encoding="utf-8")


def test_what_to_export_must_be_said_and_fit(plybook: Plybook, matches: list[str]) -> None:
    assert plybook("export").exit_code == 2
    assert plybook("export", matches[0], "--all").exit_code == 2
    assert plybook("export", "--all", "--format", "png").exit_code == 2
    assert plybook("export", "--all", "--at", "3").exit_code == 2
    assert plybook("export", "--player", "nobody").exit_code == 4
    assert plybook("export", "0" * 16).exit_code == 4


def test_matches_go_from_one_database_to_another(
    plybook: Plybook, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "all.ndjson.gz"
    assert plybook("export", "--all", "--out", str(file)).exit_code == 0
    other = str(tmp_path / "other.sqlite3")
    upgrade(other)
    dry = plybook("import", "--dry-run", str(file), PLYBOOK_DATABASE_URL=other)
    assert "3 would be imported" in dry.stderr
    done = plybook("import", str(file), "--json", PLYBOOK_DATABASE_URL=other)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(one["match"], one["outcome"]) for one in told} == {
        (match, "imported") for match in matches
    }
    again = plybook("import", str(file), PLYBOOK_DATABASE_URL=other)
    assert (again.exit_code, "3 here already" in again.stderr) == (0, True)
    back = plybook("export", "--all", PLYBOOK_DATABASE_URL=other)
    assert back.stdout_bytes == gzip.decompress(file.read_bytes())
    shown = plybook("match", "show", matches[0], PLYBOOK_DATABASE_URL=other)
    assert "Imported on" in shown.stdout


def test_a_refused_match_is_told_of_with_its_line(plybook: Plybook, tmp_path: Path) -> None:
    file = tmp_path / "bad.ndjson"
    file.write_text("hello\n", encoding="utf-8")
    result = plybook("import", str(file))
    assert result.exit_code == 1
    assert "line 1" in result.stdout
    assert "0 imported, 0 here already, 1 refused" in result.stderr
    assert plybook("import", str(tmp_path / "none")).exit_code == 1


def checked_by(program: Path, file: Path) -> tuple[int, bool]:
    words = [sys.executable, "-I", str(program), str(file)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    return ran.returncode, "holds" in ran.stdout


def test_the_verifier_comes_with_a_bundle_and_with_what_goes_into_a_folder(
    plybook: Plybook, matches: list[str], tmp_path: Path
) -> None:
    bundle = tmp_path / "match.zip"
    assert plybook("export", matches[0], "--format", "bundle", "--out", str(bundle)).exit_code == 0
    unpacked, folder = tmp_path / "unpacked", tmp_path / "folder"
    ZipFile(bundle).extractall(unpacked)
    assert checked_by(unpacked / VERIFIER_NAME, unpacked / f"{matches[0]}.ndjson") == (0, True)
    folder.mkdir()
    assert plybook("export", "--all", "--out", str(folder)).exit_code == 0
    assert checked_by(folder / VERIFIER_NAME, folder / "plybook-export.ndjson") == (0, True)
