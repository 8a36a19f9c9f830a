"""Warnings before moves that throw the match away, and none before others."""

from __future__ import annotations

import pytest

from domain.game.game import Viewer
from domain.games.power_lines.position import FREE_DISCARD, FREE_DOMINATE, Position
from tests.domain.games.power_lines.pictures import (
    GAME,
    choosing,
    listed,
    pictured,
    played,
    read,
    refused,
    seen,
    waits,
)

HAND = {"hands": ((2, 3, 4), ()), "decks": ((1, 1, 1), (1,))}


def warned(position: Position, text: str) -> str | None:
    assert refused(position, text) is None
    return GAME.warn(seen(position, Viewer.from_seat(position.actor)), read(text))


@pytest.mark.parametrize("spot", ["1,0", "0,1", "-1,0"])
def test_a_2_beside_ones_own_base_is_warned_of(spot: str) -> None:
    warning = warned(pictured("A* . . . B*", **HAND), f"2@{spot}")
    assert warning == "If this 2 is dominated here, your opponent may discard your base."


def test_a_2_that_reaches_the_base_over_other_2s_is_warned_of() -> None:
    assert warned(pictured("A* A2 . . B*", **HAND), "2@2,0") is not None
    assert warned(pictured("A* A5 . . B*", **HAND), "2@2,0") is None
    assert warned(pictured("A* A#2 . . B*", **HAND), "2@2,0") is None


def test_a_2_beside_the_base_given_up_for_a_3_is_warned_of_and_loses() -> None:
    position = pictured("A* A2 . . B*\nA5 A5 . . .", **HAND)
    assert warned(position, "3@1,0 x1,0") == "This lets your opponent discard your base at once."
    position = played(position, "3@1,0 x1,0", "discard 0,0")
    assert waits(position) == "base-discarded 2"


def test_a_2_given_up_further_away_is_warned_of_where_2s_lead_to_the_base() -> None:
    chain = pictured("A* A2 A2 . B*", **HAND)
    assert warned(chain, "3@2,0 x2,0") is not None
    after = played(chain, "3@2,0 x2,0", "discard 1,0", "discard 0,0")
    assert waits(after) == "base-discarded 2"
    assert warned(pictured("A* A5 A2 . B*", **HAND), "3@2,0 x2,0") is None


def test_a_face_down_2_given_up_beside_the_base_is_harmless() -> None:
    assert warned(pictured("A* A#2 . . B*", **HAND), "3@1,0 x1,0") is None


def test_giving_up_the_1_that_protects_the_base_is_warned_of() -> None:
    picture = "B5 B5 B5 B5 B5\nA* B5 B5 B5 B*\nA1 A5 . . .".replace(
        "B5 B5 B5 B5 B5", "B9 B5 B5 B5 B5"
    )
    position = pictured(picture, **HAND)
    warning = warned(position, "3@0,1 x0,1")
    assert warning == "After this your opponent can dominate your base at once."
    assert warned(position, "3@1,1 x1,1") is None


def test_letting_a_won_choice_go_is_warned_of() -> None:
    position = choosing(pictured("A* A7 A5 . B*", **HAND), FREE_DISCARD, 1, (3, 0))
    assert listed(position) == ["discard 4,0", "decline"]
    assert warned(position, "decline") == "You could take the enemy base now, and win."
    assert warned(position, "discard 4,0") is None
    picture = ". . . B2 A8\nA* A# A5 A7 B*"
    position = choosing(pictured(picture, **HAND), FREE_DOMINATE, 1, (3, 0))
    assert "dominate 4,0" not in listed(position)
    assert warned(position, "decline") is None


def test_of_two_options_the_one_that_does_not_win_is_warned_of() -> None:
    position = choosing(pictured("A* A7 A5 . B*\n. . . B4 .", **HAND), FREE_DISCARD, 1, (3, 0))
    assert warned(position, "discard 3,1") is not None


@pytest.mark.parametrize("text", ["draw", "4@0,1", "4@1,1", "2@1,1"])
def test_ordinary_moves_are_not_warned_of(text: str) -> None:
    assert warned(pictured("A* A5 . . B*", **HAND), text) is None


def test_taking_an_enemy_2_and_placing_a_2_face_down_are_harmless() -> None:
    assert warned(pictured("A* A9 B2 B5 B*", **HAND), "dominate 2,0") is None
    position = pictured("A* . . . B*", hands=((2,), (2,)))
    sides = tuple(side._replace(placed=0) for side in position.sides)
    position = position._replace(sides=(sides[0], sides[1]))
    assert warned(position, "place 2@1,0") is None
