"""Slips of the pen: what is typed almost right is told in a sentence, and does nothing."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from gzip import compress
from pathlib import Path
from textwrap import wrap

import click
import pytest

from cli.terminal.exits import exits, tell_line
from cli.terminal.groups import Program
from services.runtime.settings import describe_unknown
from services.store import schema
from tests.cli.calls import Plybook, begun, lines, match_of
from tests.cli.processes import (
    CONTROL,
    PATIENCE,
    PROGRAM,
    ROOT,
    Terminal,
    environment,
    piped,
)
from tests.cli.remote.someone import Someone
from tests.cli.remote.someone import begun as begun_elsewhere


def test_the_schema_is_taken_a_number_of_steps_down(plybook: Plybook, database: Path) -> None:
    before = schema.find_current(str(database))
    done = plybook("db", "downgrade", "-1")
    assert done.exit_code == 0, done.output
    after = schema.find_current(str(database))
    assert (before, after) == (schema.HEAD, f"{int(schema.HEAD) - 1:04}")


def test_flags_may_stand_before_and_behind_a_number_of_steps(plybook: Plybook) -> None:
    assert plybook("db", "downgrade", "--destroy-events", "-1").exit_code == 0
    assert plybook("db", "downgrade", "-1", "--destroy-events").exit_code == 0
    wrong = plybook("db", "downgrade", "--destroy", "-1", "-2")
    assert wrong.exit_code == 2


def test_the_hint_to_a_refused_downgrade_is_a_command_that_works(plybook: Plybook) -> None:
    begun(plybook, "path-capture")
    refused = plybook("db", "downgrade", "base")
    assert refused.exit_code == 1
    assert "plybook db downgrade REVISION --destroy-events" in refused.stderr
    assert plybook("db", "downgrade", "base", "--destroy-events").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("match", "list", "--player", "nobodyy"),
        ("match", "list", "--to-act", "nobodyy"),
        ("match", "list", "--game", "chess"),
        ("stats", "--game", "chess"),
        ("stats", "--player", "nobodyy"),
        ("export", "--game", "chess"),
        ("export", "--player", "nobodyy"),
        ("find", "--game", "chess", "--text", "a"),
    ],
)
def test_a_name_that_there_is_not_is_told(plybook: Plybook, words: tuple[str, ...]) -> None:
    result = plybook(*words)
    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr.startswith("Error: There is no ")


def test_a_game_that_there_is_not_elsewhere_is_told(ada: Someone) -> None:
    result = ada("matches", "--game", "chess")
    assert (result.exit_code, result.stdout) == (4, "")


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "m\udcff"),
        ("verify", "--all", "--after", "m\udcff"),
        ("replay", "m\udcff"),
        ("match", "list", "--player", "ada\udcff"),
    ],
)
def test_bytes_that_are_no_text_are_wrong_usage(plybook: Plybook, words: tuple[str, ...]) -> None:
    result = plybook(*words)
    assert result.exit_code == 2, result.output
    assert result.stderr == "Error: What was given is no text: it has bytes that are not UTF-8.\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("verify", "http://["), 1),
        (("remote", "login", "http://[", "ada"), 2),
        (("worker", "--once", "--server", "http://["), 2),
    ],
)
def test_an_address_that_is_none_is_told(
    plybook: Plybook, words: tuple[str, ...], code: int
) -> None:
    result = plybook(*words)
    assert result.exit_code == code, result.output
    assert result.stderr.startswith("Error: ")


def test_standard_input_may_be_named_twice(database: Path) -> None:
    ran = piped(("import", "-", "-"), environment(database))
    assert (ran.returncode, ran.stderr) == (0, "0 imported, 0 here already, 0 refused.\n")


def test_an_input_that_is_closed_is_empty(
    plybook: Plybook, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke = Program.invoke

    def closed(self: Program, ctx: click.Context) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", None)
            return invoke(self, ctx)

    monkeypatch.setattr(Program, "invoke", closed)
    result = plybook("player", "add", "ada")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: A password has ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("words", ["games", "--help", "verify match.ndjson --json"])
def test_a_disk_that_is_full_is_told(plybook: Plybook, database: Path, words: str) -> None:
    file = database.parent / "match.ndjson"
    assert plybook("export", begun(plybook, "path-capture"), "--out", str(file)).exit_code == 0
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        ran = subprocess.run(
            [*PROGRAM, *words.replace(file.name, str(file)).split()],
            env=environment(database),
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    told = "Error: The output cannot be written: No space left on device.\n"
    assert (ran.returncode, ran.stderr) == (1, told)


def test_a_file_that_breaks_off_cannot_be_read_to_its_end(plybook: Plybook, tmp_path: Path) -> None:
    file = tmp_path / "match.ndjson.gz"
    file.write_bytes(compress(b"{}" * 5_000)[:-9])
    refused = plybook("verify", str(file))
    assert refused.exit_code == 1
    assert refused.stderr.startswith(f"Error: {file} cannot be read to its end: ")


def test_who_stops_reading_what_a_file_came_to_is_no_fault_of_the_file(
    plybook: Plybook, database: Path
) -> None:
    file = database.parent / "match.ndjson"
    assert plybook("export", begun(plybook, "path-capture"), "--out", str(file)).exit_code == 0
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [*PROGRAM, "verify", str(file), "--json"],
        env=environment(database),
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, "")


def test_what_a_terminal_has_no_letters_for_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", narrow)
        with pytest.raises(SystemExit) as ended, exits():
            narrow.write("za\u010d\u00edn\u00e1me")
    assert ended.value.code == 1
    told = capsys.readouterr().err.replace("\n", " ")
    assert "its encoding ascii, has no letter for '\\u010d'" in told


def test_an_output_that_is_closed_takes_what_is_said(database: Path) -> None:
    ran = subprocess.run(
        ["/bin/sh", "-c", '"$@" >&-', "sh", *PROGRAM, "settings"],
        env=environment(database),
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_path_that_is_no_text_is_wrong_usage(plybook: Plybook) -> None:
    refused = plybook("--database", "/tmp/\udcff", "match", "list")
    assert refused.exit_code == 2, refused.output
    assert refused.stderr == "Error: What was given is no text: it has bytes that are not UTF-8.\n"


@pytest.mark.parametrize("condition", ["a = = 3", "", "((", "x ! 3"])
def test_a_condition_that_cannot_be_read_is_wrong_usage(plybook: Plybook, condition: str) -> None:
    result = plybook("find", "--all", "--where", condition)
    assert result.exit_code == 2
    assert "--where" in result.stderr


@pytest.mark.parametrize("option", ["--since", "--until"])
@pytest.mark.parametrize("command", ["export", "stats"])
def test_a_time_that_cannot_be_read_is_wrong_usage(
    plybook: Plybook, command: str, option: str
) -> None:
    result = plybook(command, option, "yesterdayy")
    assert result.exit_code == 2
    assert "2026-11-27" in result.stderr


def test_two_steps_are_named_in_their_order(plybook: Plybook) -> None:
    match = begun(plybook, "path-capture", "3", "2")
    for words in ([f"{match}@5..4"], [match, "5", "4"]):
        refused = plybook("diff", *words)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "Event 4 comes before event 5" in refused.stderr
    assert plybook("diff", f"{match}@4..5").exit_code == 0
    assert plybook("diff", f"{match}@5..5").exit_code == 0


def test_without_anybody_to_play_nothing_is_stored(plybook: Plybook, database: Path) -> None:
    result = piped(["play", "power-line"], environment(database))
    assert (result.returncode, result.stdout) == (2, "")
    assert "No match was begun." in result.stderr
    assert plybook("match", "list").stdout == ""
    assert plybook("match", "list", "--player", "player-1").exit_code == 4


@pytest.mark.parametrize(("typed", "word"), [("matche", "match"), ("replya", "replay")])
def test_a_command_that_is_alike_is_named(plybook: Plybook, typed: str, word: str) -> None:
    result = plybook(typed)
    assert result.exit_code == 2
    assert f"Did you mean {word}" in result.stderr
    assert "Did you mean" not in plybook("xyzzy").stderr
    assert "Did you mean list" in plybook("match", "lst").stderr


def test_what_looks_like_a_setting_and_is_none_is_told(plybook: Plybook) -> None:
    result = plybook("settings", PLYBOOK_PROT="8090", PLYBOOK_URL="https://plybook.example")
    assert result.exit_code == 0
    told = "PLYBOOK_PROT is no setting, and is ignored. Did you mean PLYBOOK_PORT?"
    assert result.stderr == f"Note: {told}\n"
    assert list(describe_unknown(["PLYBOOK_XYZZY", "PATH"])) == [
        "PLYBOOK_XYZZY is no setting, and is ignored."
    ]


def test_a_challenge_among_my_turns_is_told_to_be_one(ada: Someone, bob: Someone) -> None:
    ada.done("challenge", "power-line", bob.name)
    told = bob.done("turns")
    assert f"A challenge: waits for {bob.name} to accept it." in told
    assert "second player" not in told


@pytest.mark.parametrize("command", ["resign", "withdraw"])
def test_what_cannot_be_undone_asks_for_yes_where_nobody_can_answer(
    ada: Someone, bob: Someone, command: str
) -> None:
    match = begun_elsewhere(ada, bob)
    refused = ada(command, match)
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr
    assert json.loads(ada.done("show", match, "--json"))["status"] == "active"
    assert ada(command, match, typed=lines("n")).exit_code == 130
    assert ada(command, match, "--yes").exit_code == 0


def test_an_account_is_not_closed_where_nobody_can_answer(plybook: Plybook) -> None:
    begun(plybook, "path-capture")
    refused = plybook("player", "close", "ada")
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr


NARROW = 40


ASKED: list[tuple[str, ...]] = [
    ("match", "list"),
    ("match", "show", "MATCH"),
    ("match", "log", "MATCH"),
    ("stats",),
    ("games",),
    ("rules", "power-lines"),
    ("find", "MATCH", "--text", "steps"),
    ("diff", "MATCH@5"),
    ("verify", "MATCH"),
    ("verify", "--all"),
    ("settings",),
    ("db", "current"),
    ("db", "check"),
    ("match", "show", "nosuchmatchthere"),
    ("player", "--help"),
]


def test_nothing_is_wider_than_a_terminal_of_40_columns(plybook: Plybook, database: Path) -> None:
    match = match_of(plybook("play", "path-capture", typed=lines("3", "2", "2", "3")))
    for words in ASKED:
        typed = [word.replace("MATCH", match) for word in words]
        with Terminal(typed, environment(database), columns=NARROW) as terminal:
            terminal.ends()
            # A progress line is written over, again and again.
            told = re.split(r"[\r\n]+", CONTROL.sub("", terminal.raw))
        wide = [line for line in told if len(line) > NARROW and _can_be_broken(line)]
        assert not wide, words


def _can_be_broken(line: str) -> bool:
    return all(len(one) <= NARROW for one in wrap(line, NARROW, break_long_words=False))


def test_lines_of_a_text_stay_and_words_that_are_too_long_are_not_cut(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    address = "http://127.0.0.1:8080/m/0123456789abcdef"
    tell_line(f"ada: One line that is long,\nand another: {address}", behind=2)
    assert capsys.readouterr().out.splitlines() == [
        "ada: One line that",
        "  is long,",
        "  and another:",
        f"  {address}",
    ]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("1700-1400", "The lowest rating is above the highest."),
        ("1400", "no range of ratings such as 1400-1700, 1400- or -1700."),
        ("-", "no range of ratings"),
        ("14.5-1700", "no range of ratings"),
        ("1400-10000", "Ratings are 0 to 9999 points."),
    ],
)
def test_a_range_of_ratings_that_cannot_be_is_told(plybook: Plybook, typed: str, told: str) -> None:
    words = ("remote", "challenge", "power-line", "--rating-range", typed)
    refused = plybook(*words, PLYBOOK_URL="http://127.0.0.1:1", PLYBOOK_TOKEN="x")
    assert refused.exit_code == 2
    assert told in " ".join(refused.stderr.split())
