"""Moves and draws in sentences, for those who see them."""

from __future__ import annotations

import pytest

from domain.game.game import Viewer
from domain.games.power_lines.position import FREE_DISCARD, FREE_DOMINATE, FREE_PLAY
from tests.domain.games.power_lines.pictures import GAME, choosing, pictured, played, seen, told


def test_a_placement_tells_its_card_to_its_seat_only() -> None:
    position = pictured("A* . . . B*", hands=((8, 9), ()), actions=0)
    sides = tuple(side._replace(placed=0) for side in position.sides)
    position = position._replace(sides=(sides[0], sides[1]))
    assert told(position, "place 8@1,0", Viewer.SEAT_1) == "P1 places an 8 face down on 1,0."
    for viewer in (Viewer.SEAT_2, Viewer.SPECTATOR):
        assert told(position, "place 8@1,0", viewer) == "P1 places a card face down on 1,0."


def test_a_draw_tells_its_card_to_its_seat_only() -> None:
    position = pictured("A* . . . B*", hands=((7,), ()), decks=((7, 8), ()))
    assert told(position, "draw", Viewer.SEAT_1) == "P1 draws a 7."
    assert told(position, "draw", Viewer.SERVER) == "P1 draws a 7."
    for viewer in (Viewer.SEAT_2, Viewer.SPECTATOR):
        assert told(position, "draw", viewer) == "P1 draws a card."


PLAYS = [
    ("4@0,1", "P1 plays a 4 on 0,1."),
    ("1@0,1", "P1 draws 1 card and plays a 1 on 0,1."),
    ("2@0,1", "P1 draws 2 cards and plays a 2 on 0,1."),
    ("8@0,1 -4", "P1 discards a 4 and plays an 8 on 0,1."),
    ("10@0,1 -4,8", "P1 discards a 4 and an 8 and plays a 10 on 0,1."),
    (
        "3@0,1 x1,0",
        "P1 draws 1 card, gives up the face-down card on 1,0 (a 7) and plays a 3 on 0,1.",
    ),
    ("6@2,0", "P1 plays a 6 onto P2's 4 on 2,0. P2 draws for the 4 on 2,0."),
]


@pytest.mark.parametrize(("text", "sentence"), PLAYS)
def test_a_play_tells_what_it_cost(text: str, sentence: str) -> None:
    hand = (1, 2, 3, 4, 6, 8, 10)
    position = pictured("A* A#7 B4 B5 B*", hands=(hand, ()), decks=((5, 5), (5,)))
    assert told(position, text) == sentence


def test_what_a_move_leads_to_is_told() -> None:
    position = pictured("A* A5 . B3 B*", hands=((0, 0, 4, 7, 9), ()), decks=((1,), ()))
    assert told(position, "7@2,0 -0") == (
        "P1 discards a 0 and plays a 7 on 2,0. P1 may dominate an enemy beside the 7 for no action."
    )
    assert told(position, "9@2,0 -0,0") == (
        "P1 discards a 0 and a 0 and plays a 9 on 2,0. "
        "P1 may play a card of 5 or less beside the 9 for no action."
    )
    position = pictured("A* A2 B9 B5 B*", seat=2)
    assert told(position, "dominate 1,0") == (
        "P2 dominates P1's 2 on 1,0. P2 may discard one of P1's cards around 1,0."
    )


def test_what_falls_and_what_turns_up_is_told() -> None:
    picture = ". B9 B9 B9 B9\nA* A10 A0 . B*\n. B9 B9 B9 B9"
    assert told(pictured(picture, seat=2), "dominate 1,0") == (
        "P2 dominates P1's 10 on 1,0. P1's 0 on 2,0 is worth less now and is trashed."
    )
    position = pictured("A* A9 B#8 B5 B*", decks=((1,), ()))
    assert told(position, "dominate 2,0") == "P1 dominates P2's face-down card on 2,0 (an 8)."
    position = choosing(pictured("A* A#8 . B5 B*"), FREE_DISCARD, 2, (1, 1))
    assert told(position, "discard 1,0") == "P2 discards P1's face-down card on 1,0 (an 8)."


def test_a_base_that_is_taken_is_told() -> None:
    position = pictured(". . . A5 A7\nA* A# A5 A7 B*")
    assert told(position, "dominate 4,0") == "P1 dominates P2's base."
    position = choosing(position, FREE_DISCARD, 1, (4, 1))
    assert told(position, "discard 4,0") == "P1 discards P2's base."


def test_a_4_without_a_card_to_draw_is_not_told() -> None:
    position = pictured("A* A5 B4 B5 B*", hands=((6,), ()), decks=((1,), ()))
    assert told(position, "6@2,0") == "P1 plays a 6 onto P2's 4 on 2,0."


@pytest.mark.parametrize("kind", [FREE_DISCARD, FREE_DOMINATE, FREE_PLAY])
def test_a_choice_declined_is_told(kind: str) -> None:
    position = choosing(pictured("A* A5 . B5 B*", decks=((1,), ())), kind, 1, (1, 0))
    assert told(position, "decline") == "P1 declines."


def test_draws_are_told() -> None:
    position = pictured(
        "A* A7 . B# B*", hands=((5,), ()), discards=((4,), (3, 8)), decks=((1,), ())
    )
    assert told(position, "shuffle") == "P1 shuffles the discard pile into the deck."
    after = seen(played(position, "5@2,0", outcomes=[1]), Viewer.SPECTATOR)
    assert GAME.tell_draw(after, "trash", 2, 1) == (
        "At random, an 8 of P2's discard pile is trashed."
    )
    assert GAME.tell_draw(after, "shuffle", 2, None) == "P2's deck is shuffled."
    assert GAME.tell_draw(after, "first", None, 2) == "P2 goes first."
