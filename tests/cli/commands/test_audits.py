"""``plybook verify`` of files and of everything."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from cli.commands import audits
from cli.commands.import_report import Intake
from domain.log.event_format import hash_bytes, restore_body, write_canonical
from services.audits import database as whole_database
from services.audits.chain import Fault, Verdict
from services.exchange.imports import ImportOutcome, ImportResult
from tests.cli.calls import Plybook, begun, json_lines


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


@pytest.fixture
def series(plybook: Plybook) -> list[str]:
    """Play a series that bob, ada and then bob win; give its matches as they are exported."""
    return played(plybook)


def played(plybook: Plybook) -> list[str]:
    words = ("--names", "ada", "bob", "--best-of", "3")
    known = {one["id"] for one in json_lines(plybook("match", "list", "--json"))}
    plybook("play", "path-capture", *words, typed="resign\ny\n" * 3)
    listed = json_lines(plybook("match", "list", "--json"))
    new = [one for one in listed if one["id"] not in known]
    new.sort(key=lambda one: int(one["series"]["number"]))
    return [plybook("export", one["id"]).stdout for one in new]


def test_a_file_of_a_series_tells_the_score_after_each_match_and_the_champion(
    plybook: Plybook, series: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "series.ndjson"
    path.write_text("".join(series))
    first = json.loads(series[0].splitlines()[0])["match"]
    told = [
        f"series {first} after match 1: ada 0, bob 2 half points; it goes on",
        f"series {first} after match 2: ada 2, bob 2 half points; it goes on",
        f"series {first} after match 3: ada 2, bob 4 half points; bob is the champion",
    ]
    result = plybook("verify", str(path), COLUMNS="200")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[1::2] == [f"  {one}." for one in told]
    assert result.stdout.endswith("3 matches: 3 hold, 0 do not.\n")
    assert [one["series"] for one in json_lines(plybook("verify", str(path), "--json"))] == told


def test_a_file_whose_middle_match_is_left_out_or_another_one_proves_no_champion(
    plybook: Plybook, series: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "series.ndjson"
    for middle in ([], [played(plybook)[1]]):
        path.write_text("".join([series[0], *middle, series[2]]))
        result = plybook("verify", str(path))
        assert result.exit_code == 3, result.output
        assert "champion" not in result.stdout
        last = json.loads(series[2].splitlines()[0])["match"]
        told = " ".join(result.stdout.split())
        assert f"{last} does not hold" in told
        assert "chain: event 1: " in told


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


BAD = '{"count":\n'


def test_a_file_of_bad_lines_is_left_behind_a_told_number_of_faults(
    plybook: Plybook, tmp_path: Path
) -> None:
    plybook("db", "upgrade")
    path = tmp_path / "it.ndjson"
    path.write_text(BAD * 3_000)
    for words, code in ((("verify",), 3), (("import",), 1), (("import", "--dry-run"), 1)):
        for most, more in ((1_000, ()), (7, ("--most-faults", "7"))):
            done = plybook(*words, str(path), *more)
            assert done.exit_code == code, done.output
            said = " ".join(done.stderr.split())
            assert f"{most:,} matches" in said
            assert "what follows on them" in said
            assert "--most-faults" in said
            assert done.stdout.count("not JSON") <= most
    done = plybook("verify", str(path), "--most-faults", "0")
    assert "3,000 matches: 0 hold, 3,000 do not." in done.stdout


def test_a_pass_over_everything_stops_behind_so_many_faults_and_goes_on(
    plybook: Plybook, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = sorted(begun(plybook, "path-capture", "3") for _ in range(3))
    connection = sqlite3.connect(database)
    connection.execute("UPDATE matches SET ply = 9")
    connection.commit()
    connection.close()
    monkeypatch.setattr(whole_database, "MATCHES", 1)
    words = ("verify", "--all", "--jobs", "1", "--most-faults", "2")
    done = plybook(*words)
    assert done.exit_code == 3
    assert done.stdout.count("does not hold") == 2
    assert f"plybook verify --all --after {matches[1]}" in " ".join(done.stderr.split())
    done = plybook(*words, "--after", matches[1])
    assert (done.exit_code, done.stdout.count("does not hold")) == (3, 1)


def test_of_one_match_no_more_faults_are_told_than_anybody_reads(
    plybook: Plybook, tmp_path: Path
) -> None:
    match = begun(plybook, "path-capture", "3")
    header, *events = map(json.loads, plybook("export", match).stdout.splitlines())
    previous, made = events[-1]["hash"], [*events]
    for version in range(len(events) + 1, 200):
        odd = {**events[-1], "version": version, "previous": previous, "at": f"{version}"}
        odd["hash"] = previous = hash_bytes(restore_body(odd))
        made.append(odd)
    lines = [{**header, "count": len(made), "head": previous}, *made]
    path = tmp_path / "it.ndjson"
    path.write_bytes(b"".join(write_canonical(line) + b"\n" for line in lines))
    told = json.loads(plybook("verify", str(path), "--json").stdout)
    assert len(told["faults"]) == 101
    assert "There are more" in told["faults"][-1]["detail"]


WIPES = "\x1b[2K\x1b[1Aholds\x9b2K"
"""What would wipe a line off a terminal, or write another one over it."""


@pytest.mark.parametrize("command", [("verify",), ("import",), ("import", "--dry-run")])
def test_nothing_in_a_file_steers_the_terminal(
    plybook: Plybook, tmp_path: Path, command: tuple[str, ...]
) -> None:
    match = begun(plybook, "path-capture", "3", "3", "3", "1")
    header, first, *events = plybook("export", match).stdout.splitlines()
    named = write_canonical({**json.loads(header), "match": WIPES})
    born = json.loads(first)
    born["data"]["game"] = WIPES
    born["hash"] = hash_bytes(restore_body(born))
    made = [write_canonical(born)]
    for event in map(json.loads, events):
        event["previous"] = json.loads(made[-1])["hash"]
        event["hash"] = hash_bytes(restore_body(event))
        made.append(write_canonical(event))
    other = write_canonical(
        {**json.loads(header), "head": json.loads(made[-1])["hash"], "game": WIPES}
    )
    path = tmp_path / "it.ndjson"
    for lines in ([named, *map(str.encode, [first, *events])], [other, *made]):
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        done = plybook(*command, str(path))
        assert done.exit_code in (1, 3), done.output
        assert not {"\x1b", "\x9b"} & {*done.output}, done.output


@pytest.mark.parametrize("checks", [None, ("chain",)], ids=["of many", "of one"])
def test_no_verdict_steers_the_terminal(
    checks: tuple[str, ...] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = Verdict("m_1", 3, [Fault(2, "chain", WIPES)])
    if checks:
        audits.tell(verdict, as_json=False, checks=checks)
    else:
        audits.tell_short(verdict, as_json=False)
    said = capsys.readouterr().out
    assert r"holds\x9b2K" in said
    assert not {"\x1b", "\x9b"} & {*said}


def test_no_reason_of_a_refused_import_steers_the_terminal() -> None:
    intake = Intake()
    intake.add("it.ndjson", ImportResult(1, "m_1", None, 3, ImportOutcome.REFUSED, WIPES))
    why = [*intake.build_table(dry=False).columns[-1].cells]
    assert why == [r"\x1b[2K\x1b[1Aholds\x9b2K"]


def test_what_has_no_name_is_called_by_its_line(plybook: Plybook, tmp_path: Path) -> None:
    path = tmp_path / "it.ndjson"
    path.write_text("[]\n")
    said = plybook("verify", str(path)).stdout
    assert said.startswith("What begins in line 1 does not hold (0 events).\n"), said
