"""``plybook puzzles`` as it is called."""

from __future__ import annotations

import pytest

from tests.cli.calls import Plybook


def test_puzzles_are_found_once_and_listed(plybook: Plybook, match: str) -> None:
    empty = plybook("puzzles", "list")
    assert (empty.exit_code, empty.stdout) == (0, "")
    assert empty.stderr == "There are no such puzzles. `plybook puzzles find` looks for some.\n"
    found = plybook("puzzles", "find").stdout
    assert found == (f"{match}  puzzles: 4, new: 4\nMatches looked through: 1. New puzzles: 4.\n")
    listed = plybook("puzzles", "list", "--game", "path-capture").stdout.splitlines()
    assert len(listed) == 4
    assert listed[0].endswith("  path-capture    1  P2 finds the only winning move (1)")
    assert plybook("puzzles", "find").stdout == "Matches looked through: 0. New puzzles: 0.\n"
    again = plybook("puzzles", "find", "--anew", "--limit", "1").stdout
    assert again == f"{match}  puzzles: 4, new: 0\nMatches looked through: 1. New puzzles: 0.\n"
    all_listed = plybook("puzzles", "list")
    assert (all_listed.stdout.splitlines(), all_listed.stderr) == (listed, "")


@pytest.mark.parametrize("command", ["find", "list"])
def test_a_game_that_is_not_there_is_refused(plybook: Plybook, command: str) -> None:
    result = plybook("puzzles", command, "--game", "chess")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "chess" in result.stderr
