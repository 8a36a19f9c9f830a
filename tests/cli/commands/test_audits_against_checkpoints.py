"""``plybook verify --checkpoint``: what holds in itself, held against what was kept elsewhere."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from domain.json_types import JsonObject
from domain.log.event_format import write_canonical
from services.store.db.engine import Database
from tests.cli.calls import Plybook, begun
from tests.services.checkpoints.attacks import remove, rewrite, unguarded

STANDALONE = Path(__file__).parents[3] / "services" / "exchange" / "verify_match.py"
OVER = ("3", "2", "2", "3")
FORGED = [(b'"visibility":"public"', b'"visibility":"unlisted"')]


@pytest.fixture
def matches(plybook: Plybook) -> list[str]:
    """Give three matches that are over, with a checkpoint of them, and keys to trust."""
    return [begun(plybook, "path-capture", *OVER) for _ in range(3)]


@pytest.fixture
def kept(plybook: Plybook, matches: list[str], tmp_path: Path) -> Path:
    assert len(matches) == 3
    assert plybook("checkpoint").exit_code == 0
    (tmp_path / "keys.json").write_text(plybook("keys", "export").stdout)
    path = tmp_path / "kept.json"
    path.write_text(plybook("checkpoint", "export").stdout)
    return path


@pytest.fixture
def rewritten(database: Path, matches: list[str], kept: Path) -> str:
    """Write a match anew after the checkpoint was kept, so that it holds in itself."""
    assert kept.exists()
    at = Database(str(database))
    with unguarded(at) as connection:
        rewrite(connection, matches[1], FORGED)
        connection.exec_driver_sql(
            f"UPDATE matches SET visibility = 'unlisted' WHERE id = '{matches[1]}'"
        )
        connection.exec_driver_sql("DELETE FROM snapshots")
    at.dispose()
    return matches[1]


def test_an_honest_match_is_as_the_checkpoint_has_it(
    plybook: Plybook, matches: list[str], kept: Path
) -> None:
    done = plybook("verify", matches[0], "--checkpoint", str(kept))
    assert done.exit_code == 0
    assert "ok       checkpoint: the events are those" in done.stdout
    everything = plybook("verify", "--all", "--jobs", "1", "--checkpoint", str(kept))
    assert everything.exit_code == 0
    assert "Everything that the checkpoint of size 3 covers is as it was then." in everything.stdout


def test_a_match_written_anew_holds_in_itself_and_is_found_by_the_checkpoint(
    plybook: Plybook, rewritten: str, kept: Path
) -> None:
    assert plybook("verify", rewritten).exit_code == 0
    done = plybook("verify", rewritten, "--checkpoint", str(kept))
    assert done.exit_code == 3
    assert "the match was rewritten" in done.stdout
    told = json.loads(plybook("verify", rewritten, "--checkpoint", str(kept), "--json").stdout)
    assert [fault["check"] for fault in told["faults"]] == ["checkpoint"]


def test_everything_names_the_match_that_was_written_anew(
    plybook: Plybook, rewritten: str, kept: Path
) -> None:
    assert plybook("verify", "--all", "--jobs", "1").exit_code == 0
    done = plybook("verify", "--all", "--jobs", "1", "--checkpoint", str(kept))
    assert done.exit_code == 3
    assert f"{rewritten} does not hold" in done.stdout
    assert "does not go with the checkpoint of size 3" in done.stdout


def test_a_match_that_vanished_is_found_by_the_checkpoint(
    plybook: Plybook, matches: list[str], kept: Path, database: Path
) -> None:
    at = Database(str(database))
    with unguarded(at) as connection:
        remove(connection, matches[2])
    at.dispose()
    assert plybook("verify", matches[2]).exit_code == 4
    assert plybook("verify", "--all", "--jobs", "1").exit_code == 0
    done = plybook("verify", matches[2], "--checkpoint", str(kept))
    assert (done.exit_code, "has vanished" in done.stdout) == (3, True)
    done = plybook("verify", "--all", "--jobs", "1", "--checkpoint", str(kept))
    assert (done.exit_code, "has vanished" in done.stdout) == (3, True)
    assert plybook("verify", "0" * 16, "--checkpoint", str(kept)).exit_code == 4


def test_what_came_after_the_checkpoint_is_said(plybook: Plybook, kept: Path) -> None:
    late = begun(plybook, "path-capture", "3")
    done = plybook("verify", late, "--checkpoint", str(kept))
    assert done.exit_code == 0
    assert "not checked: against the checkpoint: the match began after it" in done.stdout


def exported(plybook: Plybook, path: Path, *words: str) -> Path:
    path.write_bytes(plybook("export", *words).stdout_bytes)
    return path


def test_an_export_of_many_is_compared_match_by_match_without_the_database(
    plybook: Plybook, kept: Path, tmp_path: Path
) -> None:
    file = exported(plybook, tmp_path / "all.ndjson", "--all", "--proof")
    words = ("verify", str(file), "--checkpoint", str(kept))
    nowhere = {"PLYBOOK_DATABASE_URL": str(tmp_path / "nowhere")}
    done = plybook(*words, "--keys", str(tmp_path / "keys.json"), **nowhere)
    assert (done.exit_code, "3 matches: 3 hold" in done.stdout) == (0, True)
    assert plybook(*words, **nowhere).exit_code == 2


def test_an_export_of_a_match_written_anew_is_found_by_the_checkpoint(
    plybook: Plybook, rewritten: str, kept: Path, tmp_path: Path
) -> None:
    bare = exported(plybook, tmp_path / "bare.ndjson", rewritten)
    assert plybook("verify", str(bare)).exit_code == 0
    file = exported(plybook, tmp_path / "it.ndjson", rewritten, "--proof")
    # The tree knows better, and its proof in the file says so by itself.
    assert plybook("verify", str(file)).exit_code == 3
    words = ("--checkpoint", str(kept), "--keys", str(tmp_path / "keys.json"))
    done = plybook("verify", str(file), *words)
    assert (done.exit_code, "the match was rewritten" in " ".join(done.stdout.split())) == (3, True)


def test_an_export_that_cannot_be_compared_does_not_pass(
    plybook: Plybook, matches: list[str], kept: Path, tmp_path: Path
) -> None:
    whole = exported(plybook, tmp_path / "it.ndjson", matches[0], "--proof").read_bytes()
    proof = whole.splitlines(keepends=True)[-1]
    words = ("--checkpoint", str(kept), "--keys", str(tmp_path / "keys.json"))
    for content, code, said in (
        (whole.removesuffix(proof), 5, "has no proof"),
        (whole + b"hello\n", 3, "It cannot be compared: Line 12 is not JSON"),
    ):
        file = tmp_path / "it.ndjson"
        file.write_bytes(content)
        done = plybook("verify", str(file), *words)
        assert (done.exit_code, said in " ".join(done.stdout.split())) == (code, True), done.output


def test_a_later_export_brings_the_link_to_a_checkpoint_that_was_kept(
    plybook: Plybook, matches: list[str], kept: Path, tmp_path: Path
) -> None:
    begun(plybook, "path-capture", "3")
    plybook("checkpoint")
    keys = ("--checkpoint", str(kept), "--keys", str(tmp_path / "keys.json"))
    for name, words in (
        ("one", (matches[0],)),
        ("many", ("--player", "ada", "--until", "2100-01-01")),
    ):
        bare = exported(plybook, tmp_path / f"{name}.bare", *words, "--proof")
        undecided = plybook("verify", str(bare), *keys)
        assert undecided.exit_code == 5
        assert "undecided: The proof is for the tree of" in " ".join(undecided.stdout.split())
        assert "does not hold" not in undecided.stdout
        told = json.loads(plybook("verify", str(bare), *keys, "--json").stdout.splitlines()[0])
        assert (told["holds"], told["faults"], len(told["undecided"])) == (None, [], 1)
        alone = ("--export", str(bare), "--keys", keys[-1])
        assert plybook("checkpoint", "verify", str(kept), *alone).exit_code == 5
        linked = exported(plybook, tmp_path / f"{name}.linked", *words, "--proof", "--link", "3")
        done = plybook("verify", str(linked), *keys)
        late = name == "many"
        assert done.exit_code == (5 if late else 0), done.output
        assert ("came into the tree only after" in " ".join(done.stdout.split())) == late


def _proved(plybook: Plybook, match: str, path: Path, *words: str) -> list[JsonObject]:
    plybook("checkpoint")
    file = exported(plybook, path, match, "--proof", *words)
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def _other(digits: str) -> str:
    return ("0" if digits[0] != "0" else "1") + digits[1:]


@pytest.mark.usefixtures("kept")
def test_a_forged_proof_is_a_fault_without_a_checkpoint_too(
    plybook: Plybook, matches: list[str], tmp_path: Path
) -> None:
    begun(plybook, "path-capture", "3")
    file = tmp_path / "it.ndjson"
    *events, proof, link = _proved(plybook, matches[0], file, "--link", "3")
    leaf, tree = proof["leaf"], proof["checkpoint"]
    forged = {
        "the path": {**proof, "path": [_other(proof["path"][0]), *proof["path"][1:]]},
        "a path too short": {**proof, "path": proof["path"][1:]},
        "the place": {**proof, "index": proof["index"] + 1},
        "the root": {**proof, "checkpoint": {**tree, "root": _other(tree["root"])}},
        "the head": {**proof, "leaf": {**leaf, "head": _other(leaf["head"])}},
        "the version": {**proof, "leaf": {**leaf, "version": leaf["version"] - 1}},
        "an event to come": {**proof, "leaf": {**leaf, "version": leaf["version"] + 1}},
        "the match": {**proof, "leaf": {**leaf, "match": matches[1]}},
        "more": {**proof, "more": 1},
    }
    for what, made in forged.items():
        for lines in ([*events, made], [*events, made, link]):
            file.write_bytes(b"".join(write_canonical(line) + b"\n" for line in lines))
            done = plybook("verify", str(file))
            assert (done.exit_code, "checkpoint:" in done.stdout) == (3, True), what
            ran = subprocess.run([sys.executable, STANDALONE, file], check=False)
            # What else a proof has in it, it does not ask.
            assert (ran.returncode == 3) is (what != "more"), what
    for changes in ({"path": [_other(link["path"][0]), *link["path"][1:]]}, {"to": link["from"]}):
        lines = [*events, proof, {**link, **changes}]
        file.write_bytes(b"".join(write_canonical(line) + b"\n" for line in lines))
        assert plybook("verify", str(file)).exit_code == 3


@pytest.mark.usefixtures("kept")
def test_the_signatures_in_a_file_are_checked_with_keys_and_else_said_to_be_unchecked(
    plybook: Plybook, matches: list[str], tmp_path: Path
) -> None:
    begun(plybook, "path-capture", "3")
    file, keys = tmp_path / "it.ndjson", ("--keys", str(tmp_path / "keys.json"))
    *events, proof, link = _proved(plybook, matches[0], file, "--link", "3")
    done = plybook("verify", str(file))
    assert done.exit_code == 0
    assert "not checked: the signature of the checkpoint of size 4" in " ".join(done.stdout.split())
    assert "not checked: the signature of the checkpoint of size 3" in " ".join(done.stdout.split())
    done = plybook("verify", str(file), *keys)
    assert (done.exit_code, "not checked" in done.stdout) == (0, False)
    for of, at in ((proof, "checkpoint"), (link, "from")):
        signed = {**of[at], "signature": _other(of[at]["signature"])}
        lines = [*events, *({**one, at: signed} if one is of else one for one in (proof, link))]
        if at == "checkpoint":
            lines[-1] = {**link, "to": signed}
        file.write_bytes(b"".join(write_canonical(line) + b"\n" for line in lines))
        assert plybook("verify", str(file)).exit_code == 0
        done = plybook("verify", str(file), *keys)
        assert (done.exit_code, "not what its key has signed" in done.stdout) == (3, True)


def test_an_honest_proof_of_how_others_go_together_decides_nothing(
    plybook: Plybook, matches: list[str], kept: Path, tmp_path: Path
) -> None:
    for _ in range(2):
        begun(plybook, "path-capture", "3")
        plybook("checkpoint")
    linked = exported(plybook, tmp_path / "it", matches[0], "--proof", "--link", "4")
    words = ("--checkpoint", str(kept), "--keys", str(tmp_path / "keys.json"))
    assert plybook("verify", str(linked)).exit_code == 0
    assert plybook("verify", str(linked), *words).exit_code == 5


def test_what_belongs_to_a_checkpoint_is_wrong_without_one(
    plybook: Plybook, matches: list[str], kept: Path, tmp_path: Path
) -> None:
    keys = str(tmp_path / "keys.json")
    assert plybook("verify", "--all", "--keys", keys).exit_code == 2
    plybook("checkpoint")
    proof = tmp_path / "proof.json"
    proof.write_text(plybook("checkpoint", "prove", matches[0]).stdout)
    words = ("--checkpoint", str(kept), "--proof", str(proof))
    assert plybook("verify", "--all", *words).exit_code == 2
    assert plybook("verify", "0" * 16, *words).exit_code == 2


def test_a_checkpoint_of_somebody_elses_key_is_told(
    plybook: Plybook, matches: list[str], kept: Path, database: Path
) -> None:
    connection = sqlite3.connect(database)
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='trigger'"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("DELETE FROM signing_keys")
    connection.commit()
    connection.close()
    done = plybook("verify", matches[0], "--checkpoint", str(kept))
    assert (done.exit_code, "none of the known ones" in done.stdout) == (3, True)


def test_an_export_with_proofs_that_broke_off_goes_on_with_all_of_them(
    plybook: Plybook, kept: Path, tmp_path: Path
) -> None:
    assert kept.exists()
    whole, part = tmp_path / "whole.ndjson", tmp_path / "part.ndjson"
    words = ("export", "--all", "--proof", "--link", "3", "--out")
    assert plybook(*words, str(whole)).exit_code == 0
    written = whole.read_bytes()
    lines = written.splitlines(keepends=True)
    for size in (len(lines) - 1, len(lines) - 2, len(lines) - 3, len(lines) // 2, 1, 0):
        part.write_bytes(b"".join(lines[:size]))
        result = plybook(*words, str(part), "--resume")
        assert result.exit_code == 0, result.output
        assert part.read_bytes() == written, size
