"""Moves that are entered step by step at the prompt."""

from __future__ import annotations

import json
import re

import pytest

from domain.games import load_games
from tests.cli.calls import Plybook, json_lines, lines

TO_THE_NEXT = ("", "")
"""Two Enters: one hides a hand, one shows the other."""


def played(plybook: Plybook, game: str, *typed: str, words: tuple[str, ...] = ()) -> str:
    result = plybook("play", game, "--names", "ada", "bob", *words, typed=lines(*typed))
    assert result.exit_code == 0, result.output
    return result.stdout


def plies(plybook: Plybook) -> int:
    [match] = json_lines(plybook("match", "list", "--json"))
    return int(match["ply"])


@pytest.mark.parametrize("word", ["", "?", "step"])
def test_a_move_is_chosen_shown_and_confirmed(plybook: Plybook, word: str) -> None:
    shown = played(plybook, "path-capture", word, "3", "y", "quit")
    assert (
        "Step 1, the last (3 moves left)\n"
        "Path\n"
        " 1  node 1    2  node 2    3  node 3\n"
        "step 1> 3\n"
        "- Path: node 3\n"
        "The move is: +3\n"
        "Play it? [y, back, cancel] y\n"
    ) in shown
    assert "ada goes 3 nodes forward to node 3." in shown
    assert plies(plybook) == 1


def test_each_choice_narrows_what_comes_next(plybook: Plybook) -> None:
    shown = played(plybook, "grid-power", "", "8", "2,2", "y", "quit")
    first, second = shown.split("Step ")[1:]
    assert first.startswith("1 of 2 (81 moves left)\nada's unused units\n")
    assert second.startswith("2, the last (9 moves left)\nGrid\n")
    assert "- ada's unused units: unit 8\n" in first
    assert second.split("The move is: ")[1].startswith("8@2,2\n")
    assert plies(plybook) == 1


def test_back_goes_one_step_back_and_before_the_first_one_it_leaves(plybook: Plybook) -> None:
    typed = ("", "8", "back", "7", "3,3", "back", "1,1", "y", "", "back", "quit")
    shown = played(plybook, "grid-power", *typed)
    assert [part.split()[0] for part in shown.split("The move is: ")[1:]] == ["7@3,3", "7@1,1"]
    assert "ada places 7 on (1,1)" in shown
    assert shown.count("step 1> ") == 3
    assert shown.count("P2 bob> ") == 2


def test_cancel_leaves_at_any_step(plybook: Plybook) -> None:
    typed = ("", "cancel", "", "8", "cancel", "", "8", "2,2", "cancel", "", "8", "2,2", "n", "quit")
    shown = played(plybook, "grid-power", *typed)
    assert shown.count("P1 ada> ") == 5
    assert plies(plybook) == 0


def test_what_is_no_choice_is_said_and_the_list_comes_again(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "", "9", "", "board", "3", "maybe", "y", "quit")
    assert "step 1> 9\nThere is no '9' among the choices. Enter shows them again.\n" in shown
    assert shown.count(" 1  node 1    2  node 2    3  node 3\n") == 2
    assert shown.count("Play it? [y, back, cancel] ") == 2
    assert shown.count("[ A ][ + ]") == 2
    assert "no 'board'" not in shown
    assert plies(plybook) == 1


@pytest.mark.parametrize(
    "typed", [("",), ("", "quit", "3", "y"), ("", "3"), ("", "3", "quit", "y")]
)
def test_who_leaves_in_the_midst_of_it_has_not_moved(
    plybook: Plybook, typed: tuple[str, ...]
) -> None:
    assert "plybook play --resume" in played(plybook, "path-capture", *typed)
    assert plies(plybook) == 0


def test_a_move_that_will_be_regretted_is_warned_of(plybook: Plybook) -> None:
    shown = played(plybook, "power-line", "5=3", "", "4", "power 1", "back", "power:2", "y", "quit")
    warning = "Careful: Your node on 4 would be captured at once by a stronger neighbour.\n"
    assert [part.split()[0] for part in shown.split("The move is: ")[1:]] == ["4=1", "4=2"]
    assert shown.count(warning) == 2
    assert "bob places power 2 on 4" in shown
    harmless = shown.split("The move is: ")[0]
    assert "Mind" not in harmless


def test_a_card_is_played_with_its_price_its_place_and_its_sacrifice(plybook: Plybook) -> None:
    deck = json.dumps({"deck": [3] * 26})
    laid = ("?", "3", "1", "y", *TO_THE_NEXT)
    # Beside the base of whoever is first: one of the two places is no choice, and nothing happens.
    turn = ("?", "3", "1,0", "11,0", "1", "y", "quit")
    words = ("--settings-1", deck, "--settings-2", deck)
    shown = played(plybook, "power-lines", "", *laid * 6, *turn, words=words)
    choosing, _, after = shown.rpartition("The move is: ")
    steps = choosing.split("Step ")[-3:]
    assert steps[0].startswith("1 of 3 (")
    assert "Your hand\n 3  5 × 3, price: draw 1" in steps[0]
    assert "Choices\n 4  Draw a card" in steps[0]
    assert steps[1].startswith("2 of 3 (")
    assert steps[2].startswith("3, the last (")
    assert "Field\n" in steps[2]
    assert "'s face-down card (3), value" in steps[2]
    assert re.match(r"3@1?1,0 x[0-9-]+,[0-9-]+\n", after)
    assert re.search(r"(ada|bob) draws 1 card, gives up the .* on 1?1,0", " ".join(after.split()))


@pytest.mark.parametrize("game", [game.slug for game in load_games()])
def test_every_game_can_be_entered_by_its_first_choices(plybook: Plybook, game: str) -> None:
    shown = played(plybook, game, *[""] * 2, "1", "1", "quit")
    assert "Step 1" in shown
    assert max(map(len, shown.splitlines())) <= 80
