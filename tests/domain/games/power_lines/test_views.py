"""What each viewer sees, and that it never depends on what is hidden from them."""

from __future__ import annotations

from random import Random

import orjson
import pytest

from domain.game.game import Viewer
from domain.games.power_lines.cards import Card
from domain.games.power_lines.position import Position
from domain.json_types import JsonObject
from tests.domain.games.power_lines.pictures import (
    GAME,
    RUNNING,
    pictured,
    played,
    positions,
    random_match,
    seen,
    state,
)

OUTSIDERS = [Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR]


def example() -> Position:
    return pictured(
        "A* A#7 B4/A6 B#2 B*",
        hands=((3, 0, 3), (9,)),
        decks=((4, 1), (8,)),
        discards=((5,), (1, 0)),
        trashes=((), (10,)),
        turn=4,
        actions=2,
    )


def test_the_state_has_exactly_the_shape_of_the_page() -> None:
    assert state(example()) == {
        "phase": "play",
        "first": 1,
        "turn": 4,
        "seat": 1,
        "actions_left": 2,
        "placed": [3, 3],
        "pending": [],
        "field": [
            card(0, 0, 1, "base", "up", 12, connected=True),
            card(1, 0, 1, 7, "down", 5, connected=True),
            card(2, 0, 2, 4, "up", 4, connected=True),
            card(2, 0, 1, 6, "up", 6, connected=True),
            card(3, 0, 2, 2, "down", 5, connected=True),
            card(4, 0, 2, "base", "up", 12, connected=True),
        ],
        "players": [
            {
                "hand": [0, 3, 3],
                "hand_count": 3,
                "deck": [4, 1],
                "deck_count": 2,
                "discard": [5],
                "trash": [],
            },
            {
                "hand": [9],
                "hand_count": 1,
                "deck": [8],
                "deck_count": 1,
                "discard": [1, 0],
                "trash": [10],
            },
        ],
    }


def card(*values: object, connected: bool) -> JsonObject:
    names = ("x", "y", "owner", "card", "face", "value")
    return {**dict(zip(names, values, strict=True)), "connected": connected}


def test_the_members_stand_in_the_order_of_the_page() -> None:
    shown = state(example())
    assert list(shown) == [
        *("phase", "first", "turn", "seat", "actions_left", "placed", "pending", "field"),
        "players",
    ]
    assert list(shown["field"][0]) == ["x", "y", "owner", "card", "face", "value", "connected"]


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_a_viewer_sees_own_hidden_cards_and_counts_of_the_others(viewer: Viewer) -> None:
    shown, truth = GAME.show(seen(example(), viewer)), state(example())
    for seat in (1, 2):
        own, whole = shown["players"][seat - 1], truth["players"][seat - 1]
        hand = whole["hand"] if viewer.seat == seat else None
        assert own == {**whole, "hand": hand, "deck": None}
    for got, is_so in zip(shown["field"], truth["field"], strict=True):
        hidden = is_so["face"] == "down" and is_so["owner"] != viewer.seat
        assert got == ({**is_so, "card": None} if hidden else is_so)
    rest = [{**one, "field": [], "players": []} for one in (shown, truth)]
    assert rest[0] == rest[1]


def test_an_empty_hidden_hand_is_null_too() -> None:
    position = pictured("A* . . . B*", decks=((1,), ()))
    [first, second] = GAME.show(seen(position, Viewer.SPECTATOR))["players"]
    assert (first["hand"], second["hand"], second["deck"], second["deck_count"]) == (
        None,
        None,
        None,
        0,
    )


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_when_it_is_over_everybody_sees_everything(viewer: Viewer) -> None:
    over = not RUNNING
    assert GAME.show(GAME.view(example(), viewer, over)) == state(example())


def shuffled_secrets(position: Position, viewer: Viewer, random: Random) -> Position:
    """Return a position that differs in all that ``viewer`` cannot know, and in nothing else."""
    for seat in (1, 2):
        side = position.get_side(seat)
        side = side._replace(deck=tuple(random.choices(range(11), k=len(side.deck))))
        if viewer.seat != seat:
            hand = tuple(sorted(random.choices(range(11), k=len(side.hand))))
            cards = {
                spot: one if one.up else Card(random.randint(0, 10), up=False)
                for spot, one in side.cards.items()
            }
            side = side._replace(hand=hand, cards=cards)
        position = position.replace_side(seat, side)
    return position


def look(position: Position, viewer: Viewer) -> JsonObject:
    """Return everything that the rules give a viewer of a position."""
    view = seen(position, viewer)
    own = position.actor == viewer.seat and not (position.ending or position.due)
    moves = list(GAME.iter_legal_moves(position)) if own else []
    return {
        "state": GAME.show(view),
        "scene": repr(GAME.build_scene(view, None)),
        "moves": [repr(move) for move in moves],
        "paths": [GAME.build_path(view, move) for move in moves],
        "warnings": [GAME.warn(view, move) for move in moves[:40]],
        "view": repr(view),
    }


@pytest.mark.parametrize("viewer", OUTSIDERS)
@pytest.mark.parametrize("number", range(4))
def test_positions_that_a_viewer_cannot_tell_apart_look_the_same(
    viewer: Viewer, number: int
) -> None:
    random, differing = Random(number), 0
    for position in positions(random_match(number, gap=3, turn_limit=20))[3:-1:4]:
        twin = shuffled_secrets(position, viewer, random)
        differing += twin != position
        assert orjson.dumps(look(position, viewer)) == orjson.dumps(look(twin, viewer))
    assert differing > 5


@pytest.mark.parametrize("viewer", OUTSIDERS[:2])
def test_refusals_do_not_depend_on_what_is_hidden_from_the_seat_to_act(viewer: Viewer) -> None:
    random, tried = Random(1), 0
    for number in range(3):
        for position in positions(random_match(number, gap=3, turn_limit=20))[3:-1:9]:
            if position.actor != viewer.seat or position.due or position.ending:
                continue
            twin = shuffled_secrets(position, viewer, random)
            for text in wrong_moves(random):
                move = GAME.parse_move(GAME.notation.read(text))
                tried += 1
                assert GAME.check_move(position, move) == GAME.check_move(twin, move)
    assert tried > 100


def wrong_moves(random: Random) -> list[str]:
    spot = f"{random.randint(-1, 5)},{random.randint(-1, 1)}"
    return [
        *(f"{card}@{spot}" for card in (0, 1, 2, 4, 5, 6)),
        *(f"{card}@{spot} -{random.randint(0, 10)}" for card in (7, 8)),
        f"9@{spot} -1,4",
        f"3@{spot} x1,0",
        *(f"dominate {x},0" for x in range(5)),
        *(f"discard {x},0" for x in range(5)),
        *("draw", "shuffle", "decline", f"place 4@{spot}"),
    ]


def test_the_position_survives_its_dump_with_a_choice_and_with_chance_to_come() -> None:
    position = pictured("A* A5 . B2 B*", hands=((0, 7), ()), decks=((1,), ()))
    pending = played(position, "7@2,0 -0")
    assert pending.pending is not None
    for one in (pending, GAME.set_up(*start()), example()):
        assert GAME.load(orjson.loads(orjson.dumps(GAME.dump(one)))) == one


def start() -> tuple[JsonObject, tuple[JsonObject, JsonObject]]:
    deck = {"deck": [0] * 26}
    return {"gap": 3, "turn_limit": 20}, (deck, deck)
