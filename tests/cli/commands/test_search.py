"""``plybook find``, ``diff`` and ``stats`` as they are called."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from services.replays.statistics import StatisticsRow
from tests.cli.calls import Plybook, begun, json_lines


def test_the_first_step_is_found_and_can_be_replayed_from_where_it_is_named(
    plybook: Plybook, match: str
) -> None:
    found = plybook("find", match, "--text", "p2 goes").stdout
    assert found == f"{match}@6  P2 goes 2 nodes forward to node 8.\n"
    place = found.partition("  ")[0]
    assert "Move 2: bob goes" in plybook("replay", place).stdout
    every = plybook("find", match, "--text", "p2 goes", "--every").stdout
    assert [line.partition(" ")[0] for line in every.splitlines()] == [f"{match}@6", f"{match}@8"]


def test_a_step_is_found_by_a_condition_as_json(plybook: Plybook, match: str) -> None:
    words = ("--where", "players.1.node < 6 and to_act = null")
    [found] = json_lines(plybook("find", match, *words, "--json"))
    assert (found["match"], found["version"]) == (match, 8)
    assert found["state"] == {"players": [{"node": 5}, {"node": 5}]}


def test_nothing_found_is_exit_code_4_and_a_path_to_nowhere_is_named(
    plybook: Plybook, match: str
) -> None:
    result = plybook("find", match, "--text", "chess")
    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr == "Error: Nothing like that was found.\n"
    result = plybook("find", match, "--where", "scores.1 = 1")
    assert "No step of this match has scores.1: is that the right path?" in result.stderr


IMPOSSIBLE: list[tuple[tuple[str, ...], int, str]] = [
    ((), 2, "Name matches, or a game with --game, or all of them with --all."),
    (("MATCH",), 2, "Say what to find"),
    (("MATCH", "--all", "--text", "x"), 2, "Name matches"),
    (("MATCH", "--kind", "move"), 2, "'move' is none of match-created, "),
    (("MATCH", "--where", "a ="), 2, "The condition cannot be read at its end"),
    (("0000000000000000", "--text", "x"), 4, "There is no match 0000000000000000."),
    (("--game", "chess", "--text", "x"), 4, "chess"),
]


def test_what_cannot_be_searched_is_refused_in_words(plybook: Plybook, match: str) -> None:
    for words, code, said in IMPOSSIBLE:
        result = plybook("find", *(match if word == "MATCH" else word for word in words))
        assert (result.exit_code, result.stdout) == (code, "")
        assert said in " ".join(result.stderr.split())


def test_many_matches_are_searched_a_line_for_each(plybook: Plybook, match: str) -> None:
    other = begun(plybook, "path-capture", "1", "1")
    begun(plybook, "grid-power")
    found = plybook("find", "--all", "--kind", "move-made").stdout.splitlines()
    assert {line.partition("  ")[0] for line in found} == {f"{match}@5", f"{other}@5"}
    of_game = plybook("find", "--game", "path-capture", "--text", "captures").stdout
    assert of_game.startswith(f"{match}@8  ")
    assert plybook("find", match, other, "--player", "bob").stdout.count("\n") == 2


def test_a_search_sees_no_hand_that_was_not_asked_for(plybook: Plybook) -> None:
    match = begun(plybook, "power-lines", "")
    hand = ("find", match, "--where", "count(players.0.hand) > 0")
    assert plybook(*hand).exit_code == 4
    assert plybook(*hand, "--as", "seat-2").exit_code == 4
    assert plybook(*hand, "--as", "seat-1").exit_code == 0


def test_two_steps_are_compared_in_words_and_with_both_boards(plybook: Plybook, match: str) -> None:
    shown = plybook("diff", f"{match}@4..6").stdout
    assert "Before the first move (@4) -> Move 2 (@6)\n" in shown
    assert "   2  bob goes 2 nodes forward to node 8.\n" in shown
    assert "players.0.node: 0 -> 3\n" in shown
    assert "players.1.node: 10 -> 8\n" in shown
    assert shown.count("Move 2 (@6)") == 2
    assert plybook("diff", match, "4", "6").stdout == shown
    alone = plybook("diff", f"{match}@6").stdout
    assert "Move 1 (@5) -> Move 2 (@6)\n" in alone
    assert alone == plybook("diff", match, "6").stdout


def test_boards_stand_side_by_side_where_both_fit(plybook: Plybook) -> None:
    match = begun(plybook, "grid-power", "8@2,2")
    wide = plybook("diff", f"{match}@5", COLUMNS="120").stdout
    assert any(
        "@4" in line and "Move 1 (@5)" in line and " | " in line for line in wide.splitlines()
    )
    narrow = plybook("diff", f"{match}@5", COLUMNS="50").stdout
    assert not any(
        "@4" in line and "Move 1 (@5)" in line and " | " in line for line in narrow.splitlines()
    )
    assert max(map(len, narrow.splitlines())) <= 50


def test_a_step_differs_in_nothing_from_itself(plybook: Plybook, match: str) -> None:
    same = plybook("diff", f"{match}@6..6").stdout
    assert "Nothing differs in what this viewer sees." in same


def test_differences_as_json_have_paths_and_values(plybook: Plybook, match: str) -> None:
    [shown] = json_lines(plybook("diff", f"{match}@5..6", "--json"))
    assert shown == {
        "match": match,
        "from": 5,
        "to": 6,
        "happened": ["P2 goes 2 nodes forward to node 8."],
        "changes": [
            {"path": ["players", 1, "node"], "change": "changed", "before": 10, "after": 8}
        ],
    }


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("MATCH",), 2, "Say which steps"),
        (("MATCH@3..", "4"), 2, "is none of MATCH, MATCH@12 and MATCH@10..17."),
        (("MATCH@3", "4"), 2, "Say which steps"),
        (("MATCH@3..12",), 4, "This match has events 1 to 9 only."),
        (("MATCH@0..5",), 4, "This match has events 1 to 9 only."),
    ],
)
def test_steps_that_are_not_there_are_refused_in_words(
    plybook: Plybook, match: str, words: tuple[str, ...], code: int, said: str
) -> None:
    result = plybook("diff", *(word.replace("MATCH", match) for word in words))
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in " ".join(result.stderr.split())


def test_statistics_are_a_table_csv_or_json(plybook: Plybook, match: str) -> None:
    table = plybook("stats").stdout.splitlines()
    assert table[0] == "path-capture"
    assert table[2].split()[:6] == ["all", "1", "0", "1", "0", "0"]
    rows = list(csv.DictReader(StringIO(plybook("stats", "--csv").stdout)))
    assert [row["of"] for row in rows] == ["all", "seat-1", "seat-2", "capture"]
    assert list(rows[0]) == list(StatisticsRow._fields)
    lines = json_lines(plybook("stats", "--json", "--player", "ada"))
    assert [(one["of"], one["won_by_2"]) for one in lines] == [
        *(("all", 1), ("seat-1", 1), ("capture", 1))
    ]
    assert match


def test_an_empty_statistic_says_so(plybook: Plybook, match: str) -> None:
    for words in (("--game", "grid-power"), ("--until", "2020-01-01"), ("--since", "2999-01-01")):
        result = plybook("stats", *words)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == "No public match like that is over.\n"
    assert match


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--since", "yesterday"), 2, "'yesterday' is no time like 2026-11-27"),
        (("--csv", "--json"), 2, "Choose one of --csv and --json."),
        (("--player", "nobody"), 4, "There is no player nobody."),
        (("--game", "chess"), 4, "chess"),
    ],
)
def test_a_statistic_of_what_is_not_there_is_refused(
    plybook: Plybook, words: tuple[str, ...], code: int, said: str
) -> None:
    result = plybook("stats", *words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in " ".join(result.stderr.split())
