"""Cards 0 to 4, one by one."""

from __future__ import annotations

import pytest

from domain.games.power_lines.position import FREE_DISCARD
from tests.domain.games.power_lines.pictures import (
    choosing,
    faces,
    listed,
    pictured,
    played,
    refused,
    state,
    value,
    waits,
)

SURROUNDED = """
.  B9  B9 B9 B9
A* A10 A0 .  B*
.  B9  B9 B9 B9
"""


# --- 0 ------------------------------------------------------------------------------------------


def test_a_0_is_trashed_in_the_step_that_dominates_the_10_it_follows() -> None:
    position = played(pictured(SURROUNDED, seat=2), "dominate 1,0")
    assert faces(position, 1, "trash") == [10, 0]
    assert {card["owner"] for card in state(position)["field"] if card["card"] != "base"} == {2}


def test_a_0_falls_with_a_card_that_is_given_up_and_all_at_once() -> None:
    picture = ". A0 . . .\nA* A10 A0 . B*"
    position = played(pictured(picture, hands=((3,), ()), decks=((4,), ())), "3@0,1 x1,0")
    assert faces(position, 1, "discard") == [10]
    assert faces(position, 1, "trash") == [0, 0]


def test_a_0_falls_with_a_card_that_a_free_discard_takes() -> None:
    position = choosing(pictured("A* A10 A0 . B*", seat=2), FREE_DISCARD, 2, (1, 1))
    position = played(position, "discard 1,0")
    assert (faces(position, 1, "discard"), faces(position, 1, "trash")) == ([10], [0])


def test_a_0_falls_with_a_1_beside_it() -> None:
    picture = ". A0 A1 . .\nA* A5 A5 . B*"
    position = pictured(picture, hands=((3,), ()), decks=((4,), ()))
    assert value(position, 1, -1) == 4
    assert faces(played(position, "3@0,1 x2,-1"), 1, "trash") == [0]


def test_a_0_that_keeps_its_value_stays() -> None:
    picture = "A* A5 A0 A5 B*"
    position = pictured(picture, hands=((3,), ()), decks=((4,), ()))
    assert faces(played(position, "3@2,1 x3,0"), 1, "trash") == []


def test_a_3_laid_in_the_place_of_a_10_does_not_save_the_0_and_a_face_down_0_stays() -> None:
    hands, decks = ((3,), ()), ((4,), ())
    open_0 = pictured("A* A10 A0 . B*", hands=hands, decks=decks)
    assert faces(played(open_0, "3@1,0 x1,0"), 1, "trash") == [0]
    covered_0 = pictured("A* A10 A#0 . B*", hands=hands, decks=decks)
    assert faces(played(covered_0, "3@1,0 x1,0"), 1, "trash") == []


def test_a_newly_played_0_is_valued_after_its_placement() -> None:
    position = played(pictured("A* A10 . . B*", hands=((0, 0), ())), "0@2,0", "0@0,1")
    assert (value(position, 2, 0), value(position, 0, 1)) == (8, 0)
    assert faces(position, 1, "trash") == []


# --- 1 ------------------------------------------------------------------------------------------


def test_a_1_costs_a_draw_before_it_lies() -> None:
    position = played(pictured("A* . . . B*", hands=((1,), ()), decks=((8, 9), ())), "1@1,0")
    assert (faces(position, 1, "hand"), faces(position, 1, "deck")) == ([8], [9])
    assert value(position, 0, 0) == 13


@pytest.mark.parametrize(("card", "text", "left"), [(1, "1@1,0", 0), (2, "2@1,0", 1)])
def test_without_enough_cards_to_draw_a_card_cannot_be_played(
    card: int, text: str, left: int
) -> None:
    position = pictured("A* . . . B*", hands=((card, 4), ()), decks=([9] * left, ()))
    refusal = refused(position, text) or ""
    assert f"your deck has {left} card" in refusal
    assert f"makes you draw {card}" in refusal
    assert listed(position, f"{card}@") == []


# --- 2 ------------------------------------------------------------------------------------------


def test_a_2_costs_two_draws() -> None:
    position = played(pictured("A* . . . B*", hands=((2,), ()), decks=((8, 9, 3), ())), "2@1,0")
    assert (faces(position, 1, "hand"), faces(position, 1, "deck")) == ([8, 9], [3])


def test_a_2_that_is_dominated_next_to_its_base_lets_the_opponent_discard_that_base() -> None:
    position = played(pictured("A* A2 B9 B5 B*", seat=2), "dominate 1,0")
    assert listed(position) == ["discard 0,0", "decline"]
    assert waits(position) == "P2"
    position = played(position, "discard 0,0")
    assert waits(position) == "base-discarded 2"
    assert faces(position, 1, "discard") == ["base"]


def test_the_free_discard_takes_what_borders_the_2_and_a_2_taken_opens_another() -> None:
    picture = ". . A5 . .\nA* A2 A2 B9 B*\n. . A#2 . ."
    position = played(pictured(picture, seat=2, decks=((), (7,))), "dominate 2,0")
    assert listed(position) == ["discard 2,-1", "discard 1,0", "discard 2,1", "decline"]
    assert state(played(position, "discard 2,1"))["pending"] == []
    position = played(position, "discard 1,0")
    assert state(position)["pending"] == [{"kind": "free_discard", "seat": 2, "x": 1, "y": 0}]
    assert listed(position) == ["discard 0,0", "decline"]


def test_a_2_that_nothing_borders_gives_no_choice() -> None:
    position = pictured("A* . A2 B9 B*", seat=2, decks=((), (7,)))
    assert state(played(position, "dominate 2,0"))["pending"] == []


def test_a_face_down_2_gives_no_choice() -> None:
    position = played(pictured("A* A#2 B9 B5 B*", seat=2, decks=((), (7,))), "dominate 1,0")
    assert state(position)["pending"] == []
    assert faces(position, 1, "trash") == [2]


def test_a_2_given_up_for_a_3_lets_the_opponent_choose_the_new_3_too() -> None:
    position = pictured("A* A5 A2 A5 B*", hands=((3,), ()), decks=((4,), ()))
    position = played(position, "3@2,0 x2,0")
    assert waits(position) == "P2"
    assert listed(position) == ["discard 1,0", "discard 2,0", "discard 3,0", "decline"]
    position = played(position, "discard 2,0")
    assert (waits(position), faces(position, 1, "discard")) == ("P1", [2, 3])


def test_a_free_discard_costs_no_action_and_the_turn_goes_on() -> None:
    position = pictured("A* A5 A2 A5 B*", hands=((3,), ()), decks=((4,), (1,)), actions=1)
    position = played(position, "3@2,0 x2,0")
    assert (state(position)["actions_left"], state(position)["turn"]) == (0, 0)
    position = played(position, "decline")
    assert (waits(position), state(position)["turn"]) == ("P2", 1)


def test_a_2_discarded_from_the_hand_has_no_effect() -> None:
    position = played(pictured("A* . . . B*", hands=((2, 7), ()), decks=((4,), ())), "7@1,0 -2")
    assert state(position)["pending"] == []


# --- 3 ------------------------------------------------------------------------------------------


def test_a_3_draws_then_gives_up_a_card_that_turns_up_on_the_discard_pile() -> None:
    position = pictured("A* A#9 . . B*", hands=((3,), ()), decks=((4,), ()))
    position = played(position, "3@1,0 x1,0")
    assert (faces(position, 1, "hand"), faces(position, 1, "discard")) == ([4], [9])


def test_a_sacrifice_may_free_the_position() -> None:
    position = pictured("A* A5 A5 . B*", hands=((3,), ()), decks=((4,), ()))
    assert refused(position, "3@2,0 x2,0") is None
    assert "card of yours lies on 2,0" in (refused(position, "3@2,0 x1,0") or "")


def test_a_sacrifice_may_cut_the_position_off() -> None:
    position = pictured("A* A5 A5 . B*", hands=((3,), ()), decks=((4,), ()))
    assert refused(position, "3@3,0 x2,0") is not None
    assert "connected to your base" in (refused(position, "3@3,0 x1,0") or "")
    assert listed(position, "3@3,0") == []
    assert listed(position, "3@1,0") == ["3@1,0 x1,0"]


def test_a_sacrifice_under_an_enemy_frees_no_position() -> None:
    position = pictured("A* A5 A4/B6 B5 B*", hands=((3,), ()), decks=((4,), ()))
    assert "of your opponent lies on 2,0" in (refused(position, "3@2,0 x2,0") or "")


@pytest.mark.parametrize("spot", ["0,0", "1,1", "4,0", "3,0"])
def test_only_another_own_card_in_play_can_be_given_up(spot: str) -> None:
    position = pictured("A* A5 . B5 B*", hands=((3, 3), ()), decks=((4,), ()))
    refusal = refused(position, f"3@2,0 x{spot}") or ""
    assert ("base cannot" if spot == "0,0" else "one of your other cards in play") in refusal


def test_a_3_needs_a_card_in_play_to_give_up_and_a_card_to_draw() -> None:
    assert listed(pictured("A* . . . B*", hands=((3,), ()), decks=((4,), ())), "3@") == []
    assert listed(pictured("A* A5 . . B*", hands=((3, 4), ()))) == listed(
        pictured("A* A5 . . B*", hands=((4,), ()))
    )


# --- 4 ------------------------------------------------------------------------------------------


def test_a_4_draws_for_its_owner_when_an_enemy_lands_next_to_it_once_per_enemy() -> None:
    position = pictured("A* A4 . B5 B*", seat=2, hands=((), (4, 4)), decks=((9, 8, 7), ()))
    position = played(position, "4@2,0")
    assert faces(position, 1, "hand") == [9]
    position = played(position._replace(seat=2), "4@3,1")
    assert faces(position, 1, "hand") == [9]


def test_every_4_around_the_new_card_draws() -> None:
    picture = ". . A4 . .\nA* A4 . B5 B*"
    position = pictured(picture, seat=2, hands=((), (0,)), decks=((9, 8, 7), ()))
    assert faces(played(position, "0@2,0"), 1, "hand") == [8, 9]
    position = pictured(picture, seat=2, hands=((), (0, 0)), decks=((9,), ()))
    assert faces(played(position, "0@2,0"), 1, "hand") == [9]


def test_face_down_a_4_does_not_draw() -> None:
    position = pictured("A* A#4 . B5 B*", seat=2, hands=((), (0, 0)), decks=((9,), ()))
    assert faces(played(position, "0@2,0"), 1, "hand") == []


def test_a_4_draws_for_no_friendly() -> None:
    position = pictured("A* A4 . B5 B*", hands=((0, 0), ()), decks=((9,), ()))
    assert faces(played(position, "0@2,0"), 1, "hand") == [0]
