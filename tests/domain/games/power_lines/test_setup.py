"""Decks, the coin, both shuffles, the placements."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from domain.errors import InvalidSettings
from domain.game.game import Draw, Viewer
from domain.game.options import build_schema, fill
from domain.log.chance import ChanceSource, Dice
from tests.domain.games.power_lines.pictures import (
    GAME,
    entry,
    fresh,
    listed,
    played,
    refused,
    state,
    waits,
)
from tests.support.scenario import Table

VECTORS = json.loads((Path(__file__).parents[2] / "log" / "vectors.json").read_text())
SUGGESTED = [n for n in range(11) for _ in range(3 if n in {3, 4, 5, 6} else 2)]


def invalid(deck: Any) -> str:  # noqa: ANN401 - anything may be sent
    with pytest.raises(InvalidSettings) as refusal:
        fill(GAME.settings, {"deck": deck}, InvalidSettings)
    assert refusal.value.pointer == "/deck"
    return refusal.value.detail


def test_the_suggested_deck_has_26_cards_and_is_the_default() -> None:
    assert len(SUGGESTED) == 26
    assert fill(GAME.settings, {}) == {"deck": SUGGESTED}
    assert build_schema(GAME.settings)["properties"]["deck"]["default"] == SUGGESTED


def test_a_deck_of_25_of_27_or_with_an_11_is_refused() -> None:
    assert "this one has 25" in invalid([0] * 25)
    assert "this one has 27" in invalid([0] * 27)
    assert "no card 11" in invalid([11, *[0] * 25])
    assert "no card -1" in invalid([-1, *[0] * 25])


@pytest.mark.parametrize("deck", ["0" * 26, None, 26, {}, {"0": 26}])
def test_a_deck_that_is_no_list_is_refused(deck: object) -> None:
    assert "must be a list" in invalid(deck)


@pytest.mark.parametrize("card", [True, 3.0, "3", None, [3]])
def test_a_card_that_is_no_integer_is_refused(card: object) -> None:
    assert "whole numbers only" in invalid([card, *[0] * 25])


def test_any_mix_is_a_deck_and_it_is_kept_as_it_was_given() -> None:
    deck = [10, *[0] * 24, 10]
    assert fill(GAME.settings, {"deck": deck}, InvalidSettings) == {"deck": deck}
    assert fresh(decks=(deck, deck)).sides[0].deck == (*[0] * 24, 10, 10)


def test_chance_is_the_coin_the_shuffle_of_seat_1_the_shuffle_of_seat_2() -> None:
    position, draws = fresh(), []
    for outcome in (2, SUGGESTED, SUGGESTED[::-1]):
        draw = GAME.get_next_step(position)
        assert isinstance(draw, Draw)
        draws.append((draw.purpose, draw.seat, draw.hidden))
        position = GAME.draw(position, draw.purpose, draw.seat, outcome)
    assert draws == [("first", None, False), ("shuffle", 1, True), ("shuffle", 2, True)]
    assert waits(position) == "P2"
    assert state(position)["players"][0]["hand"] == SUGGESTED[:8]
    assert state(position)["players"][1]["hand"] == sorted(SUGGESTED[-8:])
    assert state(position)["players"][1]["deck"] == SUGGESTED[:-8][::-1]


def test_the_shuffle_is_the_one_that_the_event_format_gives() -> None:
    position = GAME.draw(fresh(decks=(SUGGESTED[::-1], SUGGESTED)), "first", None, 1)
    draw = GAME.get_next_step(position)
    assert isinstance(draw, Draw)
    dice = Dice(ChanceSource(bytes(range(32)).hex(), "0" * 16, (None, None)), 2)
    assert draw.sample(dice) == VECTORS["dice"]["shuffle of the suggested deck, draw 2"]


def test_before_the_coin_nobody_is_first() -> None:
    shown = state(fresh())
    assert (shown["first"], shown["seat"], shown["phase"], shown["actions_left"]) == (
        None,
        None,
        "setup",
        0,
    )


def dealt(first: int = 2) -> Any:  # noqa: ANN401 - a position
    position = GAME.draw(fresh(), "first", None, first)
    for seat in (1, 2):
        position = GAME.draw(position, "shuffle", seat, SUGGESTED)
    return position


def test_the_seats_place_alternately_and_the_first_seat_begins_the_turn() -> None:
    position = dealt(first=2)
    placed = ["0@11,0", "0@1,0", "0@10,0", "0@2,0", "1@12,1", "1@0,-1"]
    for number, text in enumerate(placed):
        assert waits(position) == ("P2", "P1")[number % 2]
        assert state(position)["phase"] == "setup"
        position = played(position, f"place {text}")
    assert waits(position) == "P2"
    shown = state(position)
    assert (shown["phase"], shown["turn"], shown["actions_left"]) == ("play", 0, 3)
    assert shown["placed"] == [3, 3]


def test_after_setup_each_seat_has_5_cards_18_in_the_deck_and_3_of_value_5_in_play() -> None:
    position = dealt()
    for number in count():
        if state(position)["phase"] == "play":
            break
        moves = listed(position)
        position = played(position, moves[(7 * number) % len(moves)])
    shown = state(position)
    assert [player["hand_count"] for player in shown["players"]] == [5, 5]
    assert [player["deck_count"] for player in shown["players"]] == [18, 18]
    down = [card for card in shown["field"] if card["face"] == "down"]
    assert (
        [card["owner"] for card in down].count(1) == [card["owner"] for card in down].count(2) == 3
    )
    assert {(card["value"], card["connected"]) for card in down} == {(5, True)}
    assert [side["discard"] + side["trash"] for side in shown["players"]] == [[], []]


def test_placements_are_listed_by_card_then_y_then_x() -> None:
    expected = [
        f"place {card}@{at}" for card in (0, 1, 2, 3) for at in ("12,-1", "11,0", "13,0", "12,1")
    ]
    assert listed(dealt()) == expected


def test_in_the_setup_only_placements_beside_connected_friendlies_are_legal() -> None:
    position = played(dealt(first=1), "place 0@1,0")
    assert "only places" in (refused(position, "draw") or "")
    assert "only places" in (refused(position, "decline") or "")
    assert "no 10" in (refused(position, "place 10@11,0") or "")
    assert "0 to 10" in (refused(position, "place 11@11,0") or "")
    assert "connected to your base" in (refused(position, "place 0@2,0") or "")
    assert "card of yours" in (refused(position, "place 0@12,0") or "")
    assert "of your opponent" in (refused(position, "place 0@1,0") or "")


def test_a_six_is_placed_on_no_enemy_in_the_setup() -> None:
    six = [6, *[0] * 25]
    position = GAME.draw(fresh(gap=3, decks=(six, six)), "first", None, 1)
    for seat in (1, 2):
        position = GAME.draw(position, "shuffle", seat, six)
    position = played(position, "place 0@1,0", "place 0@3,0", "place 0@2,0")
    assert "place 6@2,0" not in listed(position)
    assert refused(position, "place 6@2,0") == (
        "A card of your opponent lies on 2,0; only a 6 may be played onto an enemy."
    )


def test_a_placed_card_keeps_its_face_and_has_no_effect() -> None:
    position = played(dealt(first=1), "place 1@0,1")
    assert entry(position, 0, 1, 1)["card"] == 1
    assert entry(position, 0, 0, 1)["value"] == 12


def test_shuffles_are_sealed_for_the_server_and_placements_for_their_seat() -> None:
    table = Table.started(GAME)
    table.play(table.legal_moves()[0])
    sealed = {event.kind: [s.audience for s in event.sealed] for event in table.events}
    assert sealed["chance-drawn"] == [("server",)]
    assert sealed["move-made"] == [(f"seat-{table.events[-1].fact._asdict()['seat']}",)]
    public = table.shown(Viewer.SPECTATOR)
    assert set(public[-1]["data"]["move"]) == {"action", "x", "y"}
    shuffles = [e["data"] for e in public if e["data"].get("purpose") == "shuffle"]
    assert [set(data) for data in shuffles] == [{"draw", "purpose", "seat"}] * 2
    coin = next(e["data"] for e in public if e["data"].get("purpose") == "first")
    assert coin["outcome"] in {1, 2}
