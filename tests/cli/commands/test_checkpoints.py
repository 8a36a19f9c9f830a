"""Checkpoints and keys at the terminal: made, shown, kept, rotated, compared."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.calls import Plybook, begun


@pytest.fixture
def match(plybook: Plybook) -> str:
    """Give a match that was begun, and that a checkpoint has."""
    begun_match = begun(plybook, "power-line")
    assert plybook("checkpoint").exit_code == 0
    return begun_match


@pytest.fixture
def kept(plybook: Plybook, match: str, tmp_path: Path) -> Path:
    """Give the file of a checkpoint that has the match."""
    assert match
    return written(tmp_path / "kept.json", plybook("checkpoint", "export").stdout)


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def unguarded(database: Path, statement: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        names = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (name,) in connection.execute(names).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)


def test_without_matches_there_is_nothing_to_sign(plybook: Plybook) -> None:
    assert "nothing to sign" in plybook("checkpoint").stdout
    assert "There is no key yet" in plybook("keys", "list").stdout
    assert plybook("checkpoint", "show").exit_code == 4
    exported = plybook("keys", "export")
    assert (exported.exit_code, exported.stdout) == (1, "")
    assert "plybook checkpoint" in exported.stderr


def test_a_checkpoint_is_made_at_once_and_again_changes_nothing(
    plybook: Plybook, match: str
) -> None:
    assert match
    first, again = plybook("checkpoint", "--json"), plybook("checkpoint", "--json")
    assert first.stdout == again.stdout == plybook("checkpoint", "export").stdout
    assert json.loads(first.stdout)["size"] == 1
    assert plybook("checkpoint", "show", "1").stdout == plybook("checkpoint").stdout
    assert "Checkpoint of 1 head, signed at" in plybook("checkpoint").stdout
    assert plybook("checkpoint", "show", "2").exit_code == 4


def test_keys_are_listed_and_rotated(plybook: Plybook, kept: Path, database: Path) -> None:
    [first] = plybook("keys", "list", "--json").stdout.splitlines()
    rotated = plybook("keys", "rotate")
    assert "signs now" in rotated.stdout
    assert f"{database}.signing-key.pem" in rotated.stdout
    listed = plybook("keys", "list")
    assert listed.stdout.count("signs now") == 1
    assert json.loads(first)["id"] in listed.stdout
    exported = json.loads(plybook("keys", "export").stdout)
    assert next(key["id"] for key in exported["keys"]) == json.loads(first)["id"]
    assert plybook("checkpoint", "verify", str(kept)).exit_code == 0


def test_a_key_that_is_gone_is_named_in_a_sentence(
    plybook: Plybook, match: str, database: Path
) -> None:
    Path(f"{database}.signing-key.pem").unlink()
    assert match
    begun(plybook, "power-line")
    refused = plybook("checkpoint")
    assert refused.exit_code == 1
    assert "plybook keys rotate" in refused.stderr


def test_an_honest_database_goes_with_a_kept_checkpoint(plybook: Plybook, kept: Path) -> None:
    done = plybook("checkpoint", "verify", str(kept))
    assert (done.exit_code, done.stdout) == (
        0, "Everything that the checkpoint of size 1 covers holds.\n",
    )  # fmt: skip


def test_a_match_that_vanished_is_told_with_exit_code_3(
    plybook: Plybook, kept: Path, match: str, database: Path
) -> None:
    unguarded(database, "DELETE FROM events")
    done = plybook("checkpoint", "verify", str(kept))
    assert (done.exit_code, done.stdout) == (3, f"history    {match}: The match has vanished.\n")
    told = json.loads(plybook("checkpoint", "verify", str(kept), "--json").stdout)
    assert told == {
        "check": "history", "match": match, "version": None, "detail": "The match has vanished."
    }  # fmt: skip


def test_an_export_is_compared_without_the_database(
    plybook: Plybook, kept: Path, match: str, tmp_path: Path
) -> None:
    export = written(tmp_path / "match.ndjson", plybook("export", match).stdout)
    keys = written(tmp_path / "keys.json", plybook("keys", "export").stdout)
    proof = written(tmp_path / "proof.json", plybook("checkpoint", "prove", match).stdout)
    words = ("checkpoint", "verify", str(kept), "--export", str(export))
    nowhere = {"PLYBOOK_DATABASE_URL": str(tmp_path / "nowhere")}
    done = plybook(*words, "--keys", str(keys), "--proof", str(proof), **nowhere)
    assert done.exit_code == 0, done.output
    assert f"{match}: all 4 events are as the checkpoint has them." in done.stderr
    alone = plybook(*words, "--keys", str(keys), **nowhere)
    assert alone.exit_code == 5
    assert "undecided" in alone.stdout
    assert "inclusion?size=1" in alone.stdout
    assert plybook(*words, **nowhere).exit_code == 2
    forged = export.read_text("utf-8").replace('"nodes":5', '"nodes":6')
    written(export, forged)
    found = plybook(*words, "--keys", str(keys), "--proof", str(proof), **nowhere)
    assert found.exit_code == 3
    assert f"{match}: " in found.stdout


def test_a_checkpoint_that_the_kept_one_is_linked_to(
    plybook: Plybook, kept: Path, match: str, tmp_path: Path
) -> None:
    begun(plybook, "power-line")
    plybook("checkpoint")
    export = written(tmp_path / "match.ndjson", plybook("export", match).stdout)
    keys = written(tmp_path / "keys.json", plybook("keys", "export").stdout)
    proof = written(tmp_path / "proof.json", plybook("checkpoint", "prove", match).stdout)
    link = written(tmp_path / "link.json", plybook("checkpoint", "link", "1", "2").stdout)
    words = ("checkpoint", "verify", str(kept), "--export", str(export), "--keys", str(keys))
    assert plybook(*words, "--proof", str(proof)).exit_code == 5
    assert plybook(*words, "--proof", str(proof), "--link", str(link)).exit_code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no JSON"),
        ("[]", "is a JSON object"),
        ("{}", '"format" is not "plybook/checkpoint"'),
        ('{"format":"plybook/checkpoint","format_version":2}', "of a version"),
        ('{"format":"plybook/checkpoint","format_version":1}', "exactly these members"),
    ],
)
def test_a_file_that_is_no_checkpoint_is_told_apart(
    plybook: Plybook, tmp_path: Path, content: str, said: str
) -> None:
    done = plybook("checkpoint", "verify", str(written(tmp_path / "x.json", content)))
    assert done.exit_code == 1
    assert said in done.stderr


def test_an_export_brings_its_proof_if_that_is_wanted(
    plybook: Plybook, kept: Path, match: str, tmp_path: Path
) -> None:
    without, whole = plybook("export", match), plybook("export", match, "--proof")
    proof = plybook("checkpoint", "prove", match).stdout
    assert whole.stdout == without.stdout + proof
    export = written(tmp_path / "match.ndjson", whole.stdout)
    keys = written(tmp_path / "keys.json", plybook("keys", "export").stdout)
    done = plybook("checkpoint", "verify", str(kept), "--export", str(export), "--keys", str(keys))
    assert done.exit_code == 0, done.output
    document = json.loads(plybook("export", match, "--proof", "--format", "json").stdout)
    assert document["proof"] == json.loads(proof)


def test_a_proof_that_cannot_be_is_refused(plybook: Plybook, match: str) -> None:
    assert plybook("export", match, "--proof", "--format", "csv").exit_code == 1
    assert plybook("export", "--all", "--proof", "--format", "csv").exit_code == 1
    assert plybook("export", match, "--link", "1").exit_code == 1
    assert plybook("export", match, "--proof", "--link", "7").exit_code == 4
    late = begun(plybook, "power-line")
    refused = plybook("export", late, "--proof")
    assert refused.exit_code == 4
    assert "in no checkpoint yet" in refused.stderr
