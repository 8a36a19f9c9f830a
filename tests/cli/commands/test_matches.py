"""Looking at stored matches: lists, boards, logs, replays, audits."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.calls import Plybook, begun, json_lines, lines


@pytest.fixture
def match(plybook: Plybook) -> str:
    """Give a match of Path Capture that P2 has won, of 9 events."""
    call = plybook("play", "path-capture", "--names", "ada", "bob", typed=lines("3", "2", "2", "3"))
    assert call.exit_code == 0
    [row] = json_lines(plybook("match", "list", "--json"))
    found: str = row["id"]
    return found


def test_the_list_names_players_state_and_result(plybook: Plybook, match: str) -> None:
    listed = plybook("match", "list").stdout
    assert listed.startswith(f"{match}  path-capture   20")
    assert listed.endswith("  ada - bob: bob wins (capture).\n")
    assert len(listed) <= 80


FILTERS = [
    (("--status", "active"), 0),
    (("--status", "finished"), 1),
    (("--game", "path-capture"), 1),
    (("--game", "power-line"), 0),
    (("--player", "bob"), 1),
    (("--to-act", "bob"), 0),
]


def test_the_list_is_filtered(plybook: Plybook, match: str) -> None:
    for words, count in FILTERS:
        result = plybook("match", "list", *words)
        assert result.exit_code == 0, words
        assert result.stdout.count(match) == count, words
        assert ("There are no such matches." in result.stderr) is (count == 0)


def test_a_match_is_shown_as_it_stands_and_as_it_stood(plybook: Plybook, match: str) -> None:
    assert "P2 bob wins (capture)." in plybook("match", "show", match).stdout
    before = plybook("match", "show", match, "--at", "5").stdout
    assert "[ . ][   ][   ][>A<]" in before
    assert "P2 bob to move." in before


def test_the_log_tells_every_event(plybook: Plybook, match: str) -> None:
    told = plybook("match", "log", match).stdout.splitlines()
    assert [line.split()[0] for line in told] == [str(number) for number in range(1, 10)]
    assert 'options={"length":11}' in told[0]
    assert "seat-1   move-made 1 " in told[4]
    assert told[4].endswith("ada goes 3 nodes forward to node 3.")
    assert all(line == line.rstrip() for line in told)


def test_the_log_as_json_is_the_chain(plybook: Plybook, match: str) -> None:
    events = json_lines(plybook("match", "log", match, "--json"))
    assert [event["previous"] for event in events[1:]] == [event["hash"] for event in events[:-1]]


def test_a_piped_replay_prints_every_frame(plybook: Plybook, match: str) -> None:
    shown = plybook("replay", match).stdout
    assert shown.startswith(f"Path Capture  {match}  P1 ada against P2 bob\n")
    frames = shown.split("-" * 40)[1:]
    told = [frame.strip().splitlines()[:2] for frame in frames]
    assert [at for _, at in told] == [f"@{version}" for version in (4, 5, 6, 7, 8, 9)]
    assert [line.partition(":")[0] for line, _ in told[1:]] == [
        *(f"Move {number}" for number in (1, 2, 3, 4)),
        "After move 4",
    ]
    assert "\x1b" not in shown


def test_a_replay_at_an_event_prints_that_frame_alone(plybook: Plybook, match: str) -> None:
    shown = plybook("replay", match, "--at", "6").stdout
    assert shown.count("-" * 40) == 1
    assert "Move 2: bob goes 2 nodes forward to node 8." in shown


def test_a_replay_before_the_first_move_starts_at_its_first_frame(
    plybook: Plybook, match: str
) -> None:
    assert (
        "The position before the first move.\n@4\n" in plybook("replay", match, "--at", "2").stdout
    )


def test_a_replay_beyond_the_end_is_refused(plybook: Plybook, match: str) -> None:
    refused = plybook("replay", match, "--at", "10")
    assert (refused.exit_code, refused.stdout) == (4, "")
    assert refused.stderr == "Error: This match has events 1 to 9 only.\n"


def test_a_replay_as_json_gives_the_frames_of_the_contract(plybook: Plybook, match: str) -> None:
    frames = json_lines(plybook("replay", match, "--json"))
    assert [frame["version"] for frame in frames] == [4, 5, 6, 7, 8, 9]
    assert frames[0]["event"] is None
    assert frames[2]["state"] == {"players": [{"node": 3}, {"node": 8}]}
    assert json_lines(plybook("replay", match, "--json", "--at", "6")) == [frames[2]]


def test_a_replay_by_steps_waits_for_enter_and_stops_at_q(plybook: Plybook, match: str) -> None:
    shown = plybook("replay", match, "--step", typed=lines("", "q")).stdout
    assert "Move 1:" in shown
    assert "Move 2:" not in shown
    whole = plybook("replay", match, "--step", typed=lines("", "", "", "", "")).stdout
    assert "After move 4:" in whole


def test_local_looks_are_a_spectators_unless_a_seat_is_asked_for(plybook: Plybook) -> None:
    match = begun(plybook, "power-lines", "")
    assert plybook("replay", match).stdout.count("hidden") == 2
    assert plybook("replay", match, "--as", "seat-2").stdout.count("hidden") == 1
    own = plybook("match", "show", match, "--as", "seat-1").stdout
    assert "Hand (bob): 8 hidden" in own
    assert "value" not in plybook("match", "log", match, "--json").stdout
    assert '"value"' in plybook("match", "log", match, "--json", "--as", "seat-1").stdout


@pytest.mark.parametrize("words", [("match", "show"), ("match", "log"), ("replay",), ("verify",)])
def test_a_match_that_is_not_there_is_exit_code_4(plybook: Plybook, words: tuple[str, ...]) -> None:
    missing = plybook(*words, "0000000000000000")
    assert (missing.exit_code, missing.stdout) == (4, "")
    what = "neither a match nor a file" if words == ("verify",) else "no match"
    assert missing.stderr == f"Error: There is {what} 0000000000000000.\n"


def test_a_sound_match_verifies(plybook: Plybook, match: str) -> None:
    result = plybook("verify", match)
    assert result.exit_code == 0
    assert result.stdout.count("ok     ") == 4
    assert result.stdout.endswith(f"Match {match} holds (9 events).\n")


def test_a_forged_event_is_exit_code_3_and_named(
    plybook: Plybook, match: str, database: Path
) -> None:
    forge(database, match, 6, b'"steps":2', b'"steps":3')
    result = plybook("verify", match)
    assert result.exit_code == 3
    assert "FAULT    chain" in result.stdout
    assert "event 6: Event 6 is not what was hashed." in result.stdout
    assert result.stdout.endswith(f"Match {match} does not hold (9 events).\n")
    [verdict] = json_lines(plybook("verify", match, "--json"))
    assert verdict["holds"] is False
    assert verdict["faults"][0]["version"] == 6


def forge(database: Path, match: str, version: int, old: bytes, new: bytes) -> None:
    """Change a stored event behind the service's back."""
    with closing(sqlite3.connect(database)) as connection, connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        changed = connection.execute(
            "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)"
            " WHERE match = ? AND version = ?",
            (old.decode(), new.decode(), match, version),
        )
        assert changed.rowcount == 1
