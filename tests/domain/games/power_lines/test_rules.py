"""Actions, the order of legal moves, dominations, shuffles, forced passes."""

from __future__ import annotations

import pytest

from domain.game.game import Act, Draw, Pass
from domain.games.power_lines.position import FREE_DISCARD, FREE_DOMINATE, FREE_PLAY
from tests.domain.games.power_lines.pictures import (
    GAME,
    choosing,
    faces,
    listed,
    pictured,
    played,
    read,
    refused,
    state,
    waits,
)

CROWDED = """
.  B5 .  .  .
A* A9 B4 .  B*
A5 A5 A5 B5 B5
"""


def test_legal_moves_come_in_the_order_of_the_page() -> None:
    position = pictured(CROWDED, hands=((7, 3, 6), ()), decks=((1,), ()), discards=((1,), ()))
    moves = listed(position)
    assert moves[:3] == ["draw", "shuffle", "dominate 1,-1"]
    assert moves[3] == "dominate 2,0"
    plays = [text for text in moves if "@" in text]
    assert moves[4:] == plays
    assert [text[0] for text in plays] == sorted(text[0] for text in plays)
    assert [text for text in plays if text.startswith("3@0,-1")] == [
        f"3@0,-1 x{spot}" for spot in ("1,0", "0,1", "1,1", "2,1")
    ]
    assert [text for text in plays if text.startswith("6")] == [
        f"6@{spot}" for spot in ("0,-1", "1,-1", "-1,0", "2,0", "-1,1", "3,1", "0,2", "1,2", "2,2")
    ]
    assert [text for text in plays if text.startswith("7@0,-1")] == ["7@0,-1 -3", "7@0,-1 -6"]


def test_a_turn_has_three_actions_and_then_it_is_the_other_seats() -> None:
    position = pictured("A* . . . B*", decks=((1, 2, 3, 4), (5,)), turn=7)
    seen = []
    for _ in range(3):
        position = played(position, "draw")
        seen.append((waits(position), state(position)["actions_left"], state(position)["turn"]))
    assert seen == [("P1", 2, 7), ("P1", 1, 7), ("P2", 3, 8)]
    assert faces(position, 1, "hand") == [1, 2, 3]
    assert faces(position, 1, "deck") == [4]


def test_an_empty_deck_cannot_be_drawn_from() -> None:
    position = pictured("A* . . . B*", hands=((4,), ()))
    assert refused(position, "draw") == "Your deck is empty."


def test_a_shuffle_makes_deck_and_discard_pile_the_deck_for_two_actions() -> None:
    position = pictured("A* . . . B*", decks=((9, 1), ()), discards=((4, 2), ()))
    waiting = GAME.play(position, read("shuffle"))
    draw = GAME.get_next_step(waiting)
    assert isinstance(draw, Draw)
    assert (draw.purpose, draw.seat, draw.hidden) == ("shuffle", 1, True)
    position = played(position, "shuffle", outcomes=[[2, 9, 4, 1]])
    assert (faces(position, 1, "deck"), faces(position, 1, "discard")) == ([2, 9, 4, 1], [])
    assert (waits(position), state(position)["actions_left"]) == ("P1", 1)


def test_a_shuffle_needs_a_discard_pile_and_two_actions() -> None:
    position = pictured("A* . . . B*", decks=((9,), ()))
    assert refused(position, "shuffle") == "Your discard pile is empty."
    position = pictured("A* . . . B*", decks=((9,), ()), discards=((4,), ()), actions=1)
    assert "takes 2 actions, and you have 1 left" in (refused(position, "shuffle") or "")
    assert "shuffle" not in listed(position)


def test_domination_takes_2_more_than_the_value_of_the_enemy() -> None:
    position = pictured("A* A9 B8 . B*", decks=((1,), ()))
    assert refused(position, "dominate 2,0") == (
        "To dominate the card on 2,0 takes 10; your connected cards bordering it are worth 9."
    )
    assert "dominate 2,0" not in listed(position)
    position = pictured("A* A9 B7 B5 B*", decks=((1,), ()))
    assert refused(position, "dominate 2,0") is None


def test_a_domination_trashes_and_costs_an_action() -> None:
    position = played(pictured("A* A9 B7 B5 B*", decks=((1,), ())), "dominate 2,0")
    assert (faces(position, 2, "trash"), state(position)["actions_left"]) == ([7], 2)
    assert len(state(position)["field"]) == 4


def test_a_face_down_card_that_is_dominated_lies_face_up_on_the_trash_pile() -> None:
    position = played(pictured("A* A9 B#8 B5 B*", decks=((1,), ())), "dominate 2,0")
    assert faces(position, 2, "trash") == [8]


def test_a_cut_off_enemy_can_be_dominated_and_own_cut_off_cards_do_not_help() -> None:
    position = pictured("A* A5 B2 A9 B*", decks=((1,), ()))
    assert refused(position, "dominate 2,0") is None
    assert "are worth 5" in (
        refused(pictured("A* A5 B7 A9 B*", decks=((1,), ())), "dominate 2,0") or ""
    )


@pytest.mark.parametrize("text", ["dominate 1,0", "dominate 2,2", "dominate 999,0"])
def test_only_an_enemy_can_be_dominated(text: str) -> None:
    position = pictured("A* A9 B7 B5 B*", decks=((1,), ()))
    assert "no card of your opponent" in (refused(position, text) or "")


@pytest.mark.parametrize("text", ["discard 2,0", "decline", "place 4@1,1"])
def test_without_a_choice_or_a_setup_there_is_nothing_to_settle(text: str) -> None:
    position = pictured("A* A9 B7 B5 B*", hands=((4,), ()))
    assert refused(position, text) is not None
    assert text not in listed(position)


@pytest.mark.parametrize("kind", [FREE_DISCARD, FREE_DOMINATE, FREE_PLAY])
def test_while_a_choice_is_pending_nothing_else_is_done(kind: str) -> None:
    position = pictured("A* A7 B2 B5 B*", hands=((4, 4), ()), decks=((1,), ()), discards=((1,), ()))
    position = choosing(position, kind, 1, (1, 0))
    settling = {FREE_DISCARD: "discard", FREE_DOMINATE: "dominate", FREE_PLAY: "4@"}[kind]
    for text in ("draw", "shuffle", "discard 2,0", "dominate 2,0", "4@1,1"):
        refusal = refused(position, text)
        assert (refusal is None) == text.startswith(settling), text
        assert refusal is None or "first" in refusal
    assert refused(position, "decline") is None
    assert listed(position)[-1] == "decline"


def test_a_free_discard_takes_nothing_that_does_not_border_the_2() -> None:
    position = choosing(pictured("A* A7 B2 B5 B*"), FREE_DISCARD, 1, (2, 0))
    assert "border 2,0" in (refused(position, "discard 4,0") or "")
    assert "border 2,0" in (refused(position, "discard 1,0") or "")
    assert refused(position, "discard 3,0") is None


# --- forced passes ------------------------------------------------------------------------------

STUCK = {"discards": ((4,), ()), "decks": ((), (3,))}


def test_with_one_action_and_only_a_discard_pile_the_seat_passes_and_shows_its_hand() -> None:
    position = pictured("A* A5 . . B*", actions=1, **STUCK)
    assert GAME.get_next_step(position) == Pass(1, "no-legal-move", {"hand": []})
    after = GAME.forfeit(position)
    assert (waits(after), state(after)["turn"], state(after)["actions_left"]) == ("P2", 1, 3)
    position = pictured("A* A5 . . B*", actions=3, **STUCK)
    assert listed(position) == ["shuffle"]
    assert GAME.get_next_step(position) == Act(1)


def test_the_hand_that_a_pass_shows_is_the_whole_hand_as_it_is() -> None:
    position = pictured("A* A5 . . B*", hands=((2, 1, 1), ()), **STUCK, actions=1)
    assert GAME.get_next_step(position) == Pass(1, "no-legal-move", {"hand": [1, 1, 2]})


def test_a_possible_domination_has_to_be_made() -> None:
    position = pictured("A* A5 B2 . B*", actions=1, **STUCK)
    assert listed(position) == ["dominate 2,0"]
    assert GAME.get_next_step(position) == Act(1)


def test_both_seats_may_pass_one_behind_the_other() -> None:
    position = pictured("A* . . . B*", actions=1, discards=((4,), ()))
    assert waits(position) == "pass 1"
    position = GAME.forfeit(position)
    assert waits(position) == "pass 2"
    position = GAME.forfeit(position)
    assert (waits(position), state(position)["turn"]) == ("P1", 2)
    assert listed(position) == ["shuffle"]


def test_the_pass_follows_the_move_that_led_to_it() -> None:
    position = pictured("A* . . . B*", hands=((4,), ()), decks=((), (1,)), discards=((4,), ()))
    position = played(position, "4@1,0", "shuffle", outcomes=[[4]])
    assert waits(position) == "P2"
    position = pictured("A* . . . B*", hands=((4, 4), ()), decks=((), (1,)), discards=((4,), ()))
    assert waits(played(position, "4@1,0", "4@0,1")) == "pass 1"
