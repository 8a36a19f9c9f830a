"""A replay on the whole screen of a real terminal: keys, words, other eyes, new moves, sizes."""

from __future__ import annotations

import json
import re
import signal
from base64 import b64encode
from pathlib import Path
from subprocess import PIPE

import pytest

from cli.replay.source import StoredReplay
from services.container import Services
from services.matches.requests import ChangeRequest, NewMatch
from services.runtime.settings import Settings
from tests.cli.calls import Plybook, begun, lines
from tests.cli.processes import CODE, PATIENCE, Terminal, environment, piped
from tests.support.warm import WarmPopen

RIGHT, HOME, END, ESCAPE = "\x1b[C", "\x1b[H", "\x1b[F", "\x1b"
ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*3[0-7]m")


def test_board_and_moves_stand_side_by_side_in_24_rows(database: Path, match: str) -> None:
    with Terminal(["replay", match], environment(database), rows=24) as terminal:
        terminal.until("@4 paused")
        terminal.press(RIGHT)
        shown = terminal.until("@5 paused").splitlines()
        assert len(shown) == 24
        assert [line for line in shown if re.search(r" \| >  ?1  ada goes", line)]
        terminal.press("q")
        assert terminal.ends() == 0


def test_a_replay_is_searched_and_gone_through(database: Path, match: str) -> None:
    with Terminal(["replay", match], environment(database)) as terminal:
        terminal.until("@4 paused")
        terminal.press("/")
        terminal.until("Search: _")
        terminal.press("p2 goes\n")
        shown = terminal.until("2 steps found. ] next   [ before")
        assert "Move 2 of 4:" in shown
        terminal.press("]")
        assert "Move 4 of 4:" in terminal.until("@8 paused")
        terminal.press("]")
        terminal.until("No further place.")
        terminal.press("/nowhere\n")
        terminal.until("No step says 'nowhere'.")
        terminal.press("q")
        assert terminal.ends() == 0


def test_a_replay_is_entered_at_an_event_and_at_a_time(database: Path, match: str) -> None:
    shown = piped(["replay", match, "--json"], environment(database)).stdout
    frames = [json.loads(line) for line in shown.splitlines()]
    with Terminal(["replay", f"{match}@8"], environment(database)) as terminal:
        terminal.until("@8 paused")
        terminal.press(":2\n")
        assert "Move 2 of 4:" in terminal.until("@6 paused")
        terminal.press(":12\n")
        terminal.until("Moves are 0 to 4, events @1 to @9.")
        terminal.press(":@9\n")
        assert "After move 4 of 4:" in terminal.until("@9 paused")
        terminal.press(":0\n")
        terminal.until("@4 paused")
        terminal.press(f"t{frames[3]['event']['at']}\n")
        assert "Move 3 of 4:" in terminal.until("@7 paused")
        terminal.press("t2020-01-01\n")
        terminal.until("@4 paused")
        terminal.press("tnever\n")
        terminal.until("A time is 22:03 or 2026-11-27 22:03, in UTC.")
        terminal.press("q")
        assert terminal.ends() == 0


def test_event_and_differences_open_and_escape_closes_them(database: Path, match: str) -> None:
    with Terminal(["replay", match], environment(database)) as terminal:
        terminal.until("@4 paused")
        terminal.press("m" + RIGHT + RIGHT + "i")
        assert "Event 6: move-made" in terminal.until("it is the SHA-256 of what is shown")
        terminal.press("d")
        terminal.until("Before the first move (@4) -> Move 2 (@6)")
        terminal.until("players.0.node: 0 -> 3")
        terminal.press(ESCAPE)
        terminal.until("Move 2 of 4: ")
        terminal.press(ESCAPE)
        assert terminal.ends() == 0


def test_the_place_is_shown_and_given_to_the_clipboard(database: Path, match: str) -> None:
    with Terminal(["replay", match], environment(database)) as terminal:
        terminal.until("@4 paused")
        terminal.press(RIGHT + "c")
        terminal.until(f"{match}@5 is copied")
        assert f"\x1b]52;c;{b64encode(f'{match}@5'.encode()).decode()}\x07" in terminal.raw
        terminal.press("q")
        assert terminal.ends() == 0


def test_a_flipped_board_begins_at_its_other_end(database: Path, match: str) -> None:
    with Terminal(["replay", match], environment(database)) as terminal:
        assert re.search(r"^ +0 +1 ", terminal.until("@4 paused"), re.MULTILINE)
        terminal.press("f")
        assert re.search(r"^ +10 +9 ", terminal.until("@4 paused"), re.MULTILINE)
        terminal.press("q")
        assert terminal.ends() == 0


def test_another_size_is_taken_up(database: Path, match: str) -> None:
    with Terminal(["replay", match], environment(database), rows=24) as terminal:
        assert " | " in terminal.until("@4 paused")
        terminal.resize(30, 50)
        shown = terminal.until("@4 paused").splitlines()[1:]
        assert max(map(len, shown)) <= 50
        assert not [line for line in shown if " | " in line]
        terminal.resize(5, 20)
        terminal.until("@4 paused")
        terminal.press("q")
        assert terminal.ends() == 0


def test_a_running_match_is_followed_to_its_end(database: Path, plybook: Plybook) -> None:
    match = begun(plybook, "path-capture", "3", "2")
    with Terminal(["replay", match, "--follow"], environment(database)) as terminal:
        terminal.until("@6 paused")
        plybook("play", "--resume", match, typed=lines("2", "quit"))
        assert "Move 3 of 3:" in terminal.until("@7 paused")
        terminal.press(HOME)
        terminal.until("@4 paused")
        plybook("play", "--resume", match, typed=lines("3"))
        terminal.until("@4 paused   2 new steps")
        terminal.press(END)
        assert "P2 bob wins (capture)." in terminal.until("@9 paused")
        terminal.press("q")
        assert terminal.ends() == 0


def test_while_a_match_runs_no_key_shows_a_hand_that_was_not_asked_for(
    database: Path, plybook: Plybook
) -> None:
    match = begun(plybook, "power-lines", "")
    with Terminal(["replay", match], environment(database)) as terminal:
        assert "as spectator" in terminal.until(" paused")
        terminal.press("s")
        terminal.until("While a match runs, only --as shows what a seat sees.")
        assert not re.search(r"[Hh]and( \(\w+\))?: \[", terminal.plain())
        terminal.press("q")
        assert terminal.ends() == 0
    words = ["replay", match, "--as", "seat-1"]
    with Terminal(words, environment(database)) as terminal:
        assert "Your hand: [" in terminal.until(" paused")
        terminal.press("s")
        assert "Your hand" not in terminal.until("Seen now: as spectator.")
        terminal.press("s")
        assert "Your hand: [" in terminal.until("Seen now: as seat-1.")
        assert "Hand (bob): [" not in terminal.plain()
        terminal.press("q")
        assert terminal.ends() == 0


def test_a_finished_match_is_seen_through_all_eyes(database: Path, match: str) -> None:
    with Terminal(["replay", match], environment(database)) as terminal:
        assert "everything" in terminal.until("@4 paused")
        for eyes in ("as seat-1", "as seat-2", "as spectator", "everything"):
            terminal.press("s")
            terminal.until(f"Seen now: {eyes}.")
        terminal.press("q")
        assert terminal.ends() == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_end_from_outside_restores_the_terminal(
    database: Path, match: str, number: int, code: int
) -> None:
    with Terminal(["replay", match], environment(database)) as terminal:
        terminal.until("@4 paused")
        terminal.process.send_signal(number)
        assert terminal.ends() == code
        assert terminal.raw.rindex(NORMAL) > terminal.raw.index(ALTERNATE)
        assert terminal.modes() == terminal.before
        assert "Traceback" not in terminal.raw


def test_no_color_takes_the_colours_away_and_leaves_the_marks(database: Path, match: str) -> None:
    for more, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        with Terminal(["replay", match], environment(database, **more)) as terminal:
            terminal.until("@4 paused")
            terminal.press(RIGHT)
            assert re.search(r"\| >  ?1 ", terminal.until("@5 paused"))
            assert (COLOUR.search(terminal.raw) is not None) is coloured
            terminal.press("q")
            assert terminal.ends() == 0


def test_following_in_a_pipe_prints_frames_until_the_match_is_over(
    database: Path, plybook: Plybook, match: str
) -> None:
    over = piped(["replay", match, "--follow", "--json"], environment(database))
    assert [frame["version"] for frame in map(json.loads, over.stdout.splitlines())] == [
        4,
        5,
        6,
        7,
        8,
        9,
    ]
    refused = plybook("replay", match, "--follow", "--at", "5")
    assert refused.exit_code == 2
    assert "--follow goes on by itself" in refused.stderr


def test_following_in_a_pipe_prints_new_moves_as_they_come(
    database: Path, plybook: Plybook
) -> None:
    match = begun(plybook, "path-capture", "3", "2")
    words = ["replay", match, "--follow", "--json"]
    with WarmPopen(CODE, *words, env=environment(database), stdout=PIPE) as process:
        assert process.stdout is not None
        assert [json.loads(process.stdout.readline())["version"] for _ in range(3)] == [4, 5, 6]
        plybook("play", "--resume", match, typed=lines("2", "quit"))
        assert json.loads(process.stdout.readline())["version"] == 7
        plybook("play", "--resume", match, typed=lines("3"))
        assert [json.loads(line)["version"] for line in process.stdout] == [8, 9]
        assert process.wait(PATIENCE) == 0


def test_a_match_that_is_not_begun_is_followed_from_its_start_on(database: Path) -> None:
    house = Services(Settings(database_url=str(database)))
    ada, bob = (house.accounts.get_local_player(name).id for name in ("ada", "bob"))
    match = house.matches.create(ChangeRequest(ada), NewMatch("path-capture", seat=1)).shown.view.id
    source = StoredReplay(house, match, None)
    found = source.load()
    assert source.find_news(found) is None
    house.matches.join(ChangeRequest(bob), match)
    begun_match = source.find_news(found)
    assert begun_match is not None
    assert [frame.version for frame in begun_match.frames] == [begun_match.shown.view.version]
    house.matches.play(ChangeRequest(ada, begun_match.shown.view.version), match, {"steps": 3})
    moved = source.find_news(begun_match)
    assert moved is not None
    assert [frame.text for frame in moved.frames] == [
        "The position before the first move.",
        "P1 goes 3 nodes forward to node 3.",
    ]
    assert source.find_news(moved) is None
    house.close()
