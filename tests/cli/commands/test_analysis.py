"""``plybook analyse`` as it is called."""

from __future__ import annotations

from tests.cli.calls import Plybook, begun, json_lines


def test_a_finished_match_is_analysed_and_shown_move_by_move(plybook: Plybook, match: str) -> None:
    result = plybook("analyse", match)
    assert result.exit_code == 0
    *moves, first, second = result.stdout.splitlines()
    assert moves[0].split()[:2] == ["1", "P1"]
    assert [line.split()[0] for line in moves] == [str(n + 1) for n in range(len(moves))]
    assert " wins in " in moves[-1]
    assert first.startswith("P1: best ")
    assert second.startswith("P2: best ")
    assert plybook("analyse", match).stdout == result.stdout


def test_as_json_it_is_what_the_api_gives(plybook: Plybook, match: str) -> None:
    [found] = json_lines(plybook("analyse", match, "--json"))
    assert (found["status"], found["done"]) == ("done", found["of"])
    assert len(found["positions"]) == found["of"]


def test_a_running_match_is_refused(plybook: Plybook) -> None:
    running = begun(plybook, "path-capture", "3")
    result = plybook("analyse", running)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "played to its end" in result.stderr


def test_an_unknown_match_is_refused(plybook: Plybook) -> None:
    result = plybook("analyse", "nosuchmatch00000")
    assert (result.exit_code, result.stdout) == (4, "")
