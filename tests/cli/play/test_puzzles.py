"""Puzzles at a terminal: shown, tried, answered, given up, the next one; nothing is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from cli.container import open_services
from seeds import puzzles as seeded
from services.store.puzzles import PuzzleRow
from tests.cli.calls import Plybook, lines

OURS = [one for one in seeded.read_composed() if one.game == "path-capture"]
EASY = min(OURS, key=lambda one: (one.difficulty, len(one.line)))
LONG = next(one for one in OURS if len(one.line) == 3)


@pytest.fixture
def rows(database: Path) -> list[PuzzleRow]:
    """Give two puzzles of the demo: an easy one, and one with two moves to find."""
    found = [seeded.row_of_composed(one) for one in (EASY, LONG)]
    with open_services(str(database)) as house:
        house.puzzle_finder.add(found)
    return found


def wrong(right: str) -> str:
    """Return a move that is not the right one."""
    return "+1" if right != "+1" else "+2"


def solved(plybook: Plybook, which: str, *typed: str) -> str:
    result = plybook("puzzles", "solve", which, typed=lines(*typed))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_puzzle_is_shown_as_a_match_is_and_its_moves_are_answered(
    plybook: Plybook, rows: list[PuzzleRow]
) -> None:
    first, reply, last = LONG.line
    shown = solved(plybook, rows[1].id, wrong(first), first, "moves", "board", last, "n")
    asked, *told = shown.split(f"P{LONG.seat}> ")
    assert f"Path Capture  {rows[1].id}" in asked
    assert f"Find the only winning move for P{LONG.seat}. 2 moves are to be found." in asked
    assert "[ A ]" in asked
    assert f"P{LONG.seat} to move." in asked
    assert "nodes forward" not in asked.partition("[ A ]")[0]
    assert f"{wrong(first)} is not the move. Try another one" in told[0]
    assert f"P{LONG.seat} goes " in told[1]
    assert f"P{3 - LONG.seat} goes {reply[1:]} node" in told[1]
    assert "Right. Now find move 2 of 2." in told[1]
    assert "[ A ]" in told[1]
    assert "+1   +2" in told[2]
    assert "Solved." in told[4]
    assert told[4].endswith("Another puzzle? [y/N] n\n")


def test_nothing_says_what_is_right_before_somebody_asks_for_it(
    plybook: Plybook, rows: list[PuzzleRow]
) -> None:
    shown = solved(plybook, rows[1].id, "help", wrong(LONG.line[0]), "solution", "n")
    before, _, after = shown.partition("The solution: ")
    assert after.startswith(f"{' '.join(LONG.line)}\n")
    assert " ".join(LONG.line) not in before
    assert "solution  the right moves, and the replies" in before
    assert "plybook rules path-capture" in before
    assert after.count(" nodes forward ") + after.count(" node forward ") == 3


def test_a_move_is_put_together_step_by_step_and_may_be_left(
    plybook: Plybook, rows: list[PuzzleRow], database: Path
) -> None:
    right = EASY.line[0]
    with open_services(str(database)) as house:
        legal = house.puzzles.walk(None, rows[0].id).legal
    [node] = [one["path"][-1] for one in legal if one["text"] == right]
    shown = solved(plybook, rows[0].id, "", "cancel", "step", "board", node, "y", "n")
    assert shown.count("step 1> ") == 3
    assert f"The move is: {right}" in shown
    assert "Solved." in shown or "Right." in shown


def test_what_is_no_move_or_is_forbidden_is_said(plybook: Plybook, rows: list[PuzzleRow]) -> None:
    shown = solved(plybook, rows[1].id, "9", "hello", "quit")
    assert "A piece goes 1, 2 or 3 nodes forward." in shown
    assert "hello\nType how far" in shown
    assert shown.count(f"P{LONG.seat}> ") == 3


def test_the_easiest_of_a_game_comes_first_and_then_the_next(
    plybook: Plybook, rows: list[PuzzleRow]
) -> None:
    easy, long = rows
    for which in ("path-capture", ""):
        words = ("puzzles", "solve", *([which] if which else ()))
        shown = plybook(*words, typed=lines("next", "solution", "y", "solution", "y")).stdout
        found = [shown.index(one.id) for one in (easy, long)]
        assert found == sorted(found)
        # Given up, the harder leads to the easier, and then there is none.
        assert shown.count(easy.id) == 2
        assert shown.endswith("There is no other puzzle of this game.\n")


def test_nothing_is_kept(plybook: Plybook, rows: list[PuzzleRow], database: Path) -> None:
    solved(plybook, rows[0].id, wrong(EASY.line[0]), *EASY.line[::2], "n")
    with open_services(str(database)) as house, house.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM puzzle_attempts")) == 0


@pytest.mark.parametrize(
    ("which", "told"),
    [
        (["chess"], "There is no game and no puzzle 'chess'."),
        (["0000000000000000"], "There is no game and no puzzle '0000000000000000'."),
        (["grid-power"], "There is no such puzzle yet"),
        (["power-lines"], "There is no such puzzle yet"),
        ([], "`plybook puzzles find` finds some."),
    ],
)
def test_where_there_is_none_it_is_said(plybook: Plybook, which: list[str], told: str) -> None:
    result = plybook("puzzles", "solve", *which)
    assert (result.exit_code, result.stdout) == (4, "")
    assert told in " ".join(result.stderr.split())
