"""The pictures of the rule book are positions, and what it says of them is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from domain.games import power_lines
from domain.games.power_lines.cards import EFFECTS, tell_price
from domain.games.power_lines.position import Position
from tests.domain.games.power_lines.pictures import (
    GAME,
    entry,
    faces,
    listed,
    pictured,
    played,
    refused,
    state,
    value,
    waits,
)

BOOK = (Path(power_lines.__file__).parent / "rulebook.md").read_text()


def section(title: str) -> str:
    [text] = re.findall(rf"^### {title}\b.*?$(.*?)(?=^##)", BOOK, re.MULTILINE | re.DOTALL)
    return str(text)


def example(title: str, **given: object) -> Position:
    """Return the position that the section of a card draws; its axes are checked."""
    [block] = re.findall(r"```\n(.*?)```", section(title), re.DOTALL)
    head, *rows = [line.split() for line in block.strip().splitlines()]
    assert head == ["y\\x", *map(str, range(len(head) - 1))]
    assert [row[0] for row in rows if "A*" in row] == ["0"]
    assert [int(row[0]) for row in rows] == list(
        range(int(rows[0][0]), int(rows[0][0]) + len(rows))
    )
    picture = "\n".join(" ".join(row[1:]) for row in rows)
    return pictured(picture, **{"decks": ((1, 1), (1, 1)), **given})


@pytest.mark.parametrize("title", ["Base", *map(str, range(11))])
def test_every_card_is_drawn(title: str) -> None:
    assert state(example(title))["field"]


@pytest.mark.parametrize("card", range(11))
def test_the_title_of_a_card_says_its_price(card: int) -> None:
    price = (
        tell_price(card).replace("one of your cards", "a card").replace("discard a", "give up a")
    )
    assert f"### {card} - {price}\n" in BOOK


def test_the_base_falls_to_two_7s() -> None:
    assert waits(played(example("Base"), "dominate 4,0")) == "base-dominated 1"


def test_0_is_worth_8_and_falls_with_the_10() -> None:
    position = example("0", seat=2)
    assert value(position, 2, 0) == 8
    followed = example("0", hands=((3,), ()))
    assert faces(played(followed, "3@0,1 x1,0"), 1, "trash") == [0]


def test_1_makes_the_base_13_and_the_card_between_7() -> None:
    position = example("1")
    assert [value(position, x, 0) for x in (0, 1, 2)] == [13, 1, 7]


def test_2_beside_the_base_loses_it() -> None:
    position = played(example("2", seat=2), "dominate 1,0", "discard 0,0")
    assert waits(position) == "base-discarded 2"


def test_3_takes_a_place_and_must_stay_connected() -> None:
    position = example("3", hands=((3,), ()))
    assert refused(position, "3@2,0 x2,0") is None
    assert "connected" in (refused(position, "3@3,0 x1,0") or "")


def test_4_draws() -> None:
    position = played(example("4", seat=2, hands=((), (0,))), "0@2,0")
    assert faces(position, 1, "hand") == [1]


def test_5_trashes_by_chance() -> None:
    position = example("5", hands=((5,), ()), discards=((), (3,)))
    assert faces(played(position, "5@2,0", outcomes=[0]), 2, "trash") == [3]


def test_6_covers_the_4_which_draws() -> None:
    position = played(example("6", hands=((6,), ()), decks=((1,), (8,))), "6@2,0")
    assert (faces(position, 2, "hand"), entry(position, 2, 0, 1)["value"]) == ([8], 6)


def test_7_dominates_for_no_action() -> None:
    position = played(example("7", hands=((0, 7), ())), "7@2,0 -0", "dominate 3,0")
    assert state(position)["actions_left"] == 2


def test_8_is_worth_11() -> None:
    assert value(example("8"), 1, 0) == 11


def test_9_is_followed_by_a_4() -> None:
    position = played(example("9", hands=((1, 4, 4, 9), ())), "9@2,0 -1,4", "4@3,0")
    assert (entry(position, 3, 0, 1)["card"], state(position)["actions_left"]) == (4, 2)


def test_10_dominates_the_7() -> None:
    assert "dominate 3,0" in listed(example("10"))


def test_every_ending_option_and_move_is_explained() -> None:
    for word in (*GAME.endings, *(option.name for option in GAME.options)):
        assert word in BOOK
    for text in ("place 7@1,0", "9@2,0 -1,4", "3@2,0 x1,0", "discard 4,0", "dominate 5,0"):
        assert f"`{text}`" in BOOK
        GAME.parse_move(GAME.notation.read(text))


def test_the_suggested_deck_is_the_one_of_the_table() -> None:
    [row] = re.findall(r"^\| copies \|(.*)\|$", BOOK, re.MULTILINE)
    copies = [int(cell) for cell in row.split("|")]
    deck = [card for card, count in enumerate(copies) for _ in range(count)]
    assert GAME.settings[0].default == deck


def test_every_card_has_an_effect_text() -> None:
    assert set(range(11)) < set(EFFECTS)
