"""What a person at a real terminal meets: keys, colours, Ctrl-C, screens that are cleared."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.cli.calls import Plybook, begun, json_lines
from tests.cli.processes import CODE, PATIENCE, Terminal, environment, piped
from tests.support.warm import WarmPopen

LEFT, RIGHT, HOME, END = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[4~"
ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*3[0-7]m")
WIPED = "\x1b[H\x1b[2J\x1b[3J"


def test_a_replay_is_steered_by_keys_and_leaves_the_terminal_as_it_was(
    database: Path, match: str
) -> None:
    with Terminal(["replay", match], environment(database)) as terminal:
        terminal.until("@4 paused")
        terminal.press(RIGHT)
        assert "Move 1 of 4: ada goes 3 nodes forward to node 3." in terminal.until("@5 paused")
        terminal.press(RIGHT + RIGHT + LEFT)
        terminal.until("@6 paused")
        terminal.press(END)
        assert "P2 bob wins (capture)." in terminal.until("@9 paused")
        terminal.press(RIGHT)
        terminal.until("@9 paused")
        terminal.press(HOME)
        terminal.until("@4 paused")
        terminal.press("?")
        assert "previous step" in terminal.until("Press any key to go on.")
        terminal.press("x")
        terminal.until("@4 paused")
        terminal.press("q")
        assert terminal.ends() == 0
        assert terminal.raw.rindex(NORMAL) > terminal.raw.index(ALTERNATE)
        assert terminal.modes() == terminal.before


def test_a_replay_plays_by_itself_to_its_end(database: Path, match: str) -> None:
    with Terminal(["replay", match, "--speed", "20"], environment(database)) as terminal:
        terminal.until("@4 playing at 20/s")
        terminal.until("@9 paused")
        terminal.press(" ")
        terminal.until("@4 playing")
        terminal.until("@9 paused")
        terminal.press("q")
        assert terminal.ends() == 0


def test_ctrl_c_in_a_replay_restores_the_terminal(database: Path, match: str) -> None:
    with Terminal(["replay", match, "--at", "6"], environment(database)) as terminal:
        terminal.until("@6 paused")
        terminal.press("\x03")
        assert terminal.ends() == 130
        assert terminal.raw.rindex(NORMAL) > terminal.raw.index(ALTERNATE)
        assert terminal.modes() == terminal.before
        assert "Traceback" not in terminal.raw


def test_ctrl_c_at_the_prompt_tells_how_to_go_on(database: Path) -> None:
    words = ["play", "path-capture", "--names", "ada", "bob"]
    with Terminal(words, environment(database)) as terminal:
        terminal.until("P1 ada> ")
        terminal.press("\x03")
        terminal.until("To go on: plybook play --resume ")
        assert terminal.ends() == 130
        assert "Traceback" not in terminal.raw


def test_names_are_asked_for_at_a_terminal(database: Path) -> None:
    with Terminal(["play", "path-capture"], environment(database)) as terminal:
        terminal.until("Name of P1 [player-1]: ")
        terminal.press("a\n")
        terminal.until("Error: A name has 2 to 24 characters")
        terminal.until("Name of P1 [player-1]: ")
        terminal.press("ada\n")
        terminal.until("Name of P2 [player-2]: ")
        terminal.press("\n")
        terminal.until("P1 ada> ")
        terminal.press("3\n")
        terminal.until("P2 player-2> ")
        terminal.press("quit\n")
        assert terminal.ends() == 0


def test_the_screen_is_cleared_between_two_hands(database: Path, plybook: Plybook) -> None:
    match = begun(plybook, "power-lines", "")
    [state] = json_lines(plybook("match", "show", match, "--json"))
    mover = state["to_act"]
    [own] = json_lines(plybook("match", "show", match, "--json", "--as", f"seat-{mover}"))
    card = own["state"]["players"][mover - 1]["hand"][0]
    with Terminal(["play", "--resume", match], environment(database)) as terminal:
        terminal.until("press Enter when only you see the screen.")
        terminal.press("\n")
        terminal.until("Your hand:")
        terminal.press(f"place {card}@{ {1: 1, 2: 11}[mover] },0\n")
        terminal.until("Press Enter to hide your cards and hand over")
        hidden_after = len(terminal.raw)
        terminal.press("\n")
        terminal.until("press Enter when only you see the screen.")
        assert WIPED in terminal.raw[hidden_after:]
        assert "Your hand" not in terminal.raw[hidden_after:]
        terminal.press("\x04")
        assert terminal.ends() == 0


def test_a_move_is_entered_step_by_step(database: Path) -> None:
    words = ["play", "grid-power", "--names", "ada", "bob"]
    with Terminal(words, environment(database)) as terminal:
        terminal.until("step by step.")
        terminal.until("P1 ada> ")
        terminal.press("\n")
        terminal.until("step 1> ")
        terminal.press("8\n")
        assert "Step 2, the last (9 moves left)" in terminal.until("step 2> ")
        terminal.press("2,2\n")
        terminal.until("Play it? [y, back, cancel] ")
        terminal.press("y\n")
        assert "ada places 8 on (2,2)" in terminal.until("P2 bob> ")
        terminal.press("step\n")
        terminal.until("step 1> ")
        terminal.press("\x03")
        terminal.until("To go on: plybook play --resume ")
        assert terminal.ends() == 130


def test_leaving_before_ones_cards_are_shown_shows_none(database: Path) -> None:
    words = ["play", "power-lines", "--names", "ada", "bob"]
    with Terminal(words, environment(database)) as terminal:
        terminal.until("press Enter when only you see the screen.")
        terminal.press("quit\n")
        assert terminal.ends() == 0
        assert "To go on: plybook play --resume " in terminal.plain()
        assert "Your hand" not in terminal.plain()


@pytest.mark.parametrize(
    "words",
    [
        ["match", "log", "MATCH"],
        ["verify", "MATCH"],
        ["match", "list", "--database", "/a/path/that/leads/nowhere/plybook.sqlite3"],
    ],
)
def test_lines_that_are_too_long_are_broken_between_words(
    database: Path, match: str, words: list[str]
) -> None:
    words = [match if word == "MATCH" else word for word in words]
    done = piped(words, environment(database))
    whole = done.stdout + done.stderr
    with Terminal(words, environment(database)) as terminal:
        terminal.ends()
        shown = terminal.plain()
    assert max(map(len, whole.splitlines())) > 80
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.split() == whole.split()


def test_a_terminal_gets_colours_and_no_color_takes_them_away(database: Path, match: str) -> None:
    for more, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        with Terminal(["match", "show", match], environment(database, **more)) as terminal:
            assert terminal.ends() == 0
            assert (COLOUR.search(terminal.raw) is not None) is coloured
            assert "P2 bob wins (capture)." in terminal.plain()


def test_a_pipe_gets_plain_text(database: Path, match: str) -> None:
    shown = piped(["match", "show", match], environment(database))
    assert shown.returncode == 0
    assert "\x1b" not in shown.stdout


def test_a_rule_book_is_formatted_for_a_terminal(database: Path) -> None:
    with Terminal(["rules", "path-capture"], environment(database)) as terminal:
        assert terminal.ends() == 0
        assert "# Path Capture" not in terminal.plain()
        assert "Path Capture" in terminal.plain()


def test_a_reader_who_goes_away_ends_the_command_quietly(database: Path, match: str) -> None:
    for words in (["match", "log", match, "--json"], ["replay", match], ["games"]):
        process = WarmPopen(CODE, *words, env=environment(database), stdout=PIPE, stderr=PIPE)
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
        process.stderr.close()
        assert process.wait(PATIENCE) == 141


def test_ctrl_c_in_a_pipe_is_no_traceback(database: Path) -> None:
    words = ("play", "path-capture", "--names", "ada", "bob")
    env = environment(database)
    with WarmPopen(CODE, *words, env=env, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        try:
            assert process.stdout is not None
            while "to move." not in (line := process.stdout.readline()):
                assert line, "it ended before anybody was to move"
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            # One that still waits would be left to whatever test runs when it is collected.
            process.kill()
    assert (process.returncode, errors) == (130, "Stopped.\n")
