"""What a seat may plan in the card game: nothing that rests on cards it might draw."""

from __future__ import annotations

import pytest

from domain.errors import MalformedMove
from domain.game.game import Viewer
from domain.games.power_lines.moves import Discard, DrawCard, Move, Place, Play, parse_seen
from domain.games.power_lines.position import set_up
from domain.games.power_lines.views import View, doubt, view
from domain.json_types import Json

DECK = {"deck": [0] * 26}


def holding(*hand: int) -> View:
    position = set_up({"gap": 3, "turn_limit": 60}, (DECK, DECK))
    side = position.get_side(1)._replace(hand=hand)
    return view(position.replace_side(1, side), Viewer.SEAT_1, over=False)


@pytest.mark.parametrize(
    "moves",
    [
        [Place(7, (1, 0))],
        [Play(4, (1, 0)), Play(7, (2, 0), (1,))],
        [DrawCard(), Discard((3, 0)), Play(4, (1, 0))],
    ],
)
def test_cards_in_the_hand_can_be_counted_on(moves: list[Move]) -> None:
    assert doubt(holding(1, 4, 7), moves) is None


@pytest.mark.parametrize(
    ("moves", "card"),
    [
        ([Play(4, (1, 0)), Play(4, (2, 0))], 4),
        ([Play(7, (1, 0), (2,))], 2),
        ([DrawCard(), Play(5, (1, 0))], 5),
        ([Place(1, (1, 0)), Play(7, (2, 0), (1,))], 1),
    ],
)
def test_cards_that_might_be_drawn_cannot(moves: list[Move], card: int) -> None:
    assert doubt(holding(1, 4, 7), moves) == (
        f"You cannot know that you will have this {card} in your hand."
    )


def test_the_other_seats_hand_is_nothing_to_plan_with() -> None:
    position = set_up({"gap": 3, "turn_limit": 60}, (DECK, DECK))
    full = position.replace_side(2, position.get_side(2)._replace(hand=(4,)))
    assert doubt(view(full, Viewer.SEAT_1, over=False), [Play(4, (1, 0))]) is not None


@pytest.mark.parametrize(
    "json",
    [
        {"action": "place", "x": 1, "y": 0, "card": 3},
        {"action": "place", "x": 1},
        {"action": "place", "x": 1, "y": 0, "z": 0},
        {"action": "play", "x": 1, "y": 0},
        None,
    ],
)
def test_a_condition_names_no_hidden_card(json: Json) -> None:
    with pytest.raises(MalformedMove):
        parse_seen(json)


def test_a_placement_is_seen_without_its_card() -> None:
    assert parse_seen({"y": 0, "x": 1, "action": "place"}) == {"action": "place", "x": 1, "y": 0}
    paid = {"action": "play", "card": 9, "x": 2, "y": 0, "discard": [4, 1]}
    assert parse_seen(paid)["discard"] == [1, 4]
