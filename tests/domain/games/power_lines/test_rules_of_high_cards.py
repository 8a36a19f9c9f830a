"""Cards 5 to 10, one by one."""

from __future__ import annotations

from typing import Any

import pytest

from domain.game.game import Draw
from domain.games.power_lines.position import Position
from domain.log.chance import ChanceSource, Dice
from tests.domain.games.power_lines.pictures import (
    GAME,
    entry,
    faces,
    listed,
    pictured,
    played,
    read,
    refused,
    state,
    value,
    waits,
)

# --- 5 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("enemy", ["B#", "B*", "B7"])
def test_a_5_bordering_an_enemy_trashes_a_random_card_of_the_opponents_discard_pile(
    enemy: str,
) -> None:
    picture = f"A* A7 . {enemy} B*" if enemy != "B*" else "A* A7 A7 . B*"
    position = pictured(picture, hands=((5,), ()), discards=((1,), (3, 2, 9)))
    position = GAME.play(position, read("5@2,0" if enemy != "B*" else "5@3,0"))
    draw = GAME.get_next_step(position)
    assert isinstance(draw, Draw)
    assert (draw.purpose, draw.seat, draw.hidden) == ("trash", 2, False)
    position = GAME.draw(position, "trash", 2, 1)
    assert (faces(position, 2, "discard"), faces(position, 2, "trash")) == ([3, 9], [2])
    assert (waits(position), state(position)["pending"]) == ("P1", [])


def test_the_pick_is_a_number_below_the_length_of_the_pile() -> None:
    position = pictured("A* A7 . B# B*", hands=((5,), ()), discards=((), (3, 2, 9)))
    draw = GAME.get_next_step(GAME.play(position, read("5@2,0")))
    assert isinstance(draw, Draw)
    picks = {draw.sample(Dice(ChanceSource("00" * 32, "m", (None, None)), n)) for n in range(40)}
    assert picks == {0, 1, 2}


@pytest.mark.parametrize(
    ("picture", "pile"), [("A* A7 . B# B*", ()), ("A* A7 . . B*", (3, 4)), ("A* A7 . . B*", ())]
)
def test_a_5_without_an_enemy_beside_it_or_without_a_pile_draws_no_lot(
    picture: str, pile: tuple[int, ...]
) -> None:
    position = pictured(picture, hands=((5, 5), ()), discards=((1,), pile))
    assert waits(played(position, "5@2,0")) == "P1"


def test_the_match_is_looked_at_only_after_the_pick() -> None:
    picture = "A* A7 . B# B*"
    position = pictured(picture, hands=((5,), ()), discards=((), (3,)), actions=1)
    position = GAME.play(position, read("5@2,0"))
    assert waits(position) == "trash 2"
    position = GAME.draw(position, "trash", 2, 0)
    assert (waits(position), state(position)["turn"]) == ("stalled 1", 0)


# --- 6 ------------------------------------------------------------------------------------------


def test_a_6_may_lie_on_an_enemy_of_value_6_and_not_of_7() -> None:
    position = pictured("A* A7 B6 . B*", hands=((6,), ()))
    assert refused(position, "6@2,0") is None
    strengthened = pictured("A* A7 B6 B1 B*", hands=((6,), ()))
    assert refused(strengthened, "6@2,0") == (
        "A 6 covers an enemy of value 6 or less; that on 2,0 has 7."
    )
    assert listed(strengthened, "6@2,0") == []


def test_a_covered_card_and_its_6_are_both_in_play_and_border_each_other() -> None:
    position = played(pictured("A* A7 B4 B# B*", hands=((6,), ()), decks=((), (9,))), "6@2,0")
    two = [card for card in state(position)["field"] if (card["x"], card["y"]) == (2, 0)]
    assert [(card["owner"], card["card"]) for card in two] == [(2, 4), (1, 6)]
    assert faces(position, 2, "hand") == [9]
    assert entry(position, 2, 0, 2)["connected"] is True
    assert refused(position, "dominate 2,0") is None


def test_a_covered_card_may_dominate_the_6_on_it() -> None:
    position = pictured("A* A7 B4/A6 B5 B*", seat=2)
    assert refused(position, "dominate 2,0") is None
    assert faces(played(position, "dominate 2,0"), 1, "trash") == [6]


def test_a_covered_face_down_4_does_not_draw() -> None:
    position = played(pictured("A* A7 B#4 B# B*", hands=((6, 6), ()), decks=((), (9,))), "6@2,0")
    assert faces(position, 2, "hand") == []


def test_no_third_card_fits_and_only_a_6_covers() -> None:
    position = pictured("A* A7 B4/A6 B5 B*", seat=2, hands=((), (6, 4)), decks=((), (1,)))
    assert "card of yours" in (refused(position, "6@2,0") or "")
    open_field = pictured("A* A7 B4 B# B*", hands=((4, 5), ()))
    assert "only a 6" in (refused(open_field, "4@2,0") or "")


def test_to_cover_an_enemy_a_connected_friendly_must_lie_beside_it() -> None:
    position = pictured("A* . B4 B# B*", hands=((6,), ()))
    assert "connected to your base" in (refused(position, "6@2,0") or "")
    assert listed(position, "6@2,0") == []
    position = pictured("A* A7/B6 B4 B# B*", hands=((6,), ()))
    assert refused(position, "6@2,0") is None


def test_a_base_cannot_be_covered_and_a_6_may_lie_on_free_ground() -> None:
    position = pictured("A* A7 A7 A7 B*", hands=((6,), ()))
    assert "value 6 or less" in (refused(position, "6@4,0") or "")
    assert refused(position, "6@0,1") is None


@pytest.mark.parametrize(("picture", "newer"), [("A* A7 B4/A6 B9 B*", 2), ("A* A9 A4/B6 B9 B*", 1)])
def test_of_two_6s_the_newer_one_lies_over_the_older(picture: str, newer: int) -> None:
    older = 3 - newer
    position = pictured(picture, seat=older, hands=((6,), (6,)), decks=((1,), (1,)))
    position = played(position, "dominate 2,0")._replace(seat=newer)
    position = played(position, "6@2,0")
    two = [card for card in state(position)["field"] if (card["x"], card["y"]) == (2, 0)]
    assert [(card["owner"], card["card"]) for card in two] == [(older, 6), (newer, 6)]


# --- 7 ------------------------------------------------------------------------------------------


def test_a_7_costs_a_card_and_may_dominate_for_no_action() -> None:
    position = pictured("A* A5 . B3 B*", hands=((0, 7), ()), decks=((1,), ()))
    position = played(position, "7@2,0 -0")
    assert state(position)["pending"] == [{"kind": "free_dominate", "seat": 1, "x": 2, "y": 0}]
    assert listed(position) == ["dominate 3,0", "decline"]
    position = played(position, "dominate 3,0")
    assert (state(position)["actions_left"], faces(position, 2, "trash")) == (2, [3])


def test_the_free_domination_reaches_only_what_borders_the_7() -> None:
    picture = "A* A5 . B3 B*\nA5 . . . .\nB1 . . . ."
    position = played(pictured(picture, hands=((0, 7), ()), decks=((1,), ())), "7@2,0 -0")
    assert "that borders it" in (refused(position, "dominate 0,2") or "")
    assert listed(position, "dominate") == ["dominate 3,0"]
    assert refused(played(position, "decline"), "dominate 0,2") is None


def test_friendlies_help_in_a_free_domination() -> None:
    picture = ". . . A5 .\nA* A5 . B9 B*\n. . . . ."
    apart = pictured(picture, hands=((0, 7), ()), decks=((1,), ()))
    assert state(played(apart, "7@2,0 -0"))["pending"] == []
    joined = pictured(picture.replace(". . . A5", ". A5 A5 A5"), hands=((0, 7), ()))
    assert listed(played(joined, "7@2,0 -0")) == ["dominate 3,0", "decline"]


def test_a_7_with_nothing_to_dominate_gives_no_choice() -> None:
    position = pictured("A* A5 . B6 B*", hands=((0, 7), ()), decks=((1,), ()))
    assert state(played(position, "7@2,0 -0"))["pending"] == []


def test_a_2_dominated_by_a_7_gives_the_7s_owner_a_free_discard() -> None:
    position = pictured("A* A5 . B2 B*", hands=((0, 7), ()), decks=((1,), ()))
    position = played(position, "7@2,0 -0", "dominate 3,0")
    assert listed(position) == ["discard 4,0", "decline"]
    assert waits(played(position, "discard 4,0")) == "base-discarded 1"


@pytest.mark.parametrize("text", ["7@2,0 -4", "7@2,0 -7", "7@2,0 -0,0"])
def test_a_7_is_paid_with_exactly_one_other_card_of_the_hand(text: str) -> None:
    position = pictured("A* A5 . . B*", hands=((0, 0, 7), ()))
    refusal = refused(position, text) or ""
    assert ("costs 1 other card" if "," in text[6:] else "what you hold") in refusal


def test_a_second_7_pays_for_the_first() -> None:
    position = played(pictured("A* A5 . . B*", hands=((7, 7), ()), decks=((1,), ())), "7@2,0 -7")
    assert (faces(position, 1, "hand"), faces(position, 1, "discard")) == ([], [7])


# --- 8 ------------------------------------------------------------------------------------------


def test_an_8_costs_a_card_and_grows_with_its_friendlies() -> None:
    position = played(pictured("A* A5 . . B*", hands=((3, 8), ()), decks=((1,), ())), "8@0,1 -3")
    assert (value(position, 0, 1), faces(position, 1, "discard")) == (9, [3])


# --- 9 ------------------------------------------------------------------------------------------


def nine(hand: tuple[int, ...], picture: str = "A* A# . . B*", **more: Any) -> Position:  # noqa: ANN401 - as pictured
    given = {"decks": ((1, 1), (1,)), **more}
    position = pictured(picture, hands=((*hand, 9, 10, 10), ()), **given)
    return played(position, "9@2,0 -10,10")


def test_a_9_costs_two_cards_and_lets_a_card_of_5_or_less_follow_beside_it() -> None:
    position = nine((4, 6, 7))
    assert faces(position, 1, "discard") == [10, 10]
    assert listed(position) == ["4@2,-1", "4@3,0", "4@2,1", "decline"]


def test_what_follows_a_9_is_5_or_less_and_lies_beside_it() -> None:
    position = nine((4, 6))
    assert "not a 6" in (refused(position, "6@3,0") or "")
    assert "next to 2,0" in (refused(position, "4@0,1") or "")
    assert "first" in (refused(position, "draw") or "")


def test_a_free_play_costs_no_action_but_its_price() -> None:
    position = played(nine((1,)), "1@3,0")
    assert state(position)["actions_left"] == 2
    assert (faces(position, 1, "hand"), faces(position, 1, "deck")) == ([1], [1])


def test_a_9_with_nothing_that_may_follow_gives_no_choice() -> None:
    assert state(nine((6, 7)))["pending"] == []
    assert state(nine((2,), decks=((1,), ())))["pending"] == []


def test_the_9_must_stay_in_play_when_a_3_follows() -> None:
    position = nine((3,))
    assert "must stay in play" in (refused(position, "3@3,0 x2,0") or "")
    assert listed(position, "3@") == ["3@1,0 x1,0"]


def test_a_sacrifice_may_cut_the_9_off_if_the_position_borders_a_connected_friendly() -> None:
    picture = "A5 A5 . . .\nA* A# . . B*"
    position = nine((3,), picture)
    assert listed(position, "3@2,-1") == ["3@2,-1 x0,-1", "3@2,-1 x1,-1", "3@2,-1 x1,0"]
    assert "connected to your base" in (refused(position, "3@3,0 x1,0") or "")
    position = played(position, "3@2,-1 x1,0")
    assert entry(position, 2, 0, 1)["connected"] is True


def test_what_follows_works_like_any_play() -> None:
    position = nine((5,), "A* A# . B5 B*", discards=((), (8,)))
    position = played(position, "5@2,1")
    assert faces(position, 2, "trash") == []
    position = nine((5,), "A* A# . . B*", discards=((), (8,)))
    position = played(position, "5@3,0", outcomes=[0])
    assert faces(position, 2, "trash") == [8]


def test_a_9_may_be_declined_and_the_turn_goes_on() -> None:
    position = played(nine((4,)), "decline")
    assert (state(position)["pending"], state(position)["actions_left"]) == ([], 2)


# --- 10 -----------------------------------------------------------------------------------------


def test_a_10_costs_two_cards_and_has_no_effect() -> None:
    position = pictured("A* A5 . B9 B*", hands=((0, 4, 10), ()), decks=((1,), ()))
    position = played(position, "10@2,0 -0,4")
    assert (state(position)["pending"], value(position, 2, 0)) == ([], 10)
    assert faces(position, 1, "discard") == [0, 4]


def test_payments_are_listed_in_ascending_order_and_without_doubles() -> None:
    position = pictured("A* A5 . . B*", hands=((1, 1, 4, 4, 10), ()))
    paid = listed(position, "10@2,0")
    assert paid == ["10@2,0 -1,1", "10@2,0 -1,4", "10@2,0 -4,4"]
