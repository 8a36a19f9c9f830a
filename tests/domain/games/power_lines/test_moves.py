"""Moves from JSON and from text: what is well formed, what is not, and why."""

from __future__ import annotations

import pytest

from domain.errors import MalformedMove
from domain.json_types import Json, JsonObject
from tests.domain.games.power_lines.pictures import GAME, pictured
from tests.support.scenario import is_sentence

XY = {"x": 2, "y": 0}
WRITTEN = [
    ("place 7@1,0", {"action": "place", "card": 7, "x": 1, "y": 0}),
    ("draw", {"action": "draw"}),
    ("shuffle", {"action": "shuffle"}),
    ("decline", {"action": "decline"}),
    ("dominate 5,-12", {"action": "dominate", "x": 5, "y": -12}),
    ("discard -4,0", {"action": "discard", "x": -4, "y": 0}),
    ("4@2,0", {"action": "play", "card": 4, **XY}),
    ("8@2,0 -10", {"action": "play", "card": 8, **XY, "discard": [10]}),
    ("9@2,0 -1,4", {"action": "play", "card": 9, **XY, "discard": [1, 4]}),
    ("3@2,0 x-1,0", {"action": "play", "card": 3, **XY, "sacrifice": {"x": -1, "y": 0}}),
]


@pytest.mark.parametrize(("text", "move"), WRITTEN, ids=[text for text, _ in WRITTEN])
def test_text_and_json_of_a_move_lead_to_each_other(text: str, move: JsonObject) -> None:
    assert GAME.notation.read(text) == move
    assert GAME.notation.write(move) == text
    assert GAME.dump_move(GAME.parse_move(move)) == move
    assert list(GAME.dump_move(GAME.parse_move(move))) == list(move)


def test_text_is_read_whatever_its_case_and_spaces() -> None:
    assert GAME.notation.read("  Dominate   5,0 ") == {"action": "dominate", "x": 5, "y": 0}


def test_a_hidden_card_is_a_question_mark_that_cannot_be_read() -> None:
    hidden = {"action": "place", "x": 1, "y": 0}
    assert GAME.notation.write(hidden) == "place ?@1,0"
    with pytest.raises(MalformedMove):
        GAME.notation.read("place ?@1,0")


@pytest.mark.parametrize(
    "text",
    ["", "pass", "draw 1", "dominate", "dominate 1", "9@", "9@1", "@1,0", "9@1,0 -", "4@1,0x"],
)
def test_other_text_is_answered_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(MalformedMove) as refusal:
        GAME.notation.read(text)
    assert refusal.value.detail == GAME.notation.help


def test_the_discard_of_a_move_is_sorted() -> None:
    given = {"action": "play", "card": 9, **XY, "discard": [4, 1]}
    assert GAME.dump_move(GAME.parse_move(given))["discard"] == [1, 4]
    assert given["discard"] == [4, 1]


MALFORMED = [
    (7, "", "JSON object"),
    ({}, "/action", "one of"),
    ({"action": "pass"}, "/action", "one of"),
    ({"action": "draw", "card": 4}, "/card", "no 'card'"),
    ({"action": "play", "card": 4, "x": 2}, "/y", "lacks 'y'"),
    ({"action": "play", **XY}, "/card", "lacks 'card'"),
    ({"action": "play", "card": True, **XY}, "/card", "whole number"),
    ({"action": "play", "card": 4.0, **XY}, "/card", "whole number"),
    ({"action": "play", "card": 4, **XY, "discard": []}, "/discard", "no 'discard'"),
    ({"action": "play", "card": 11, **XY, "discard": [1]}, "/discard", "no 'discard'"),
    ({"action": "play", "card": 3, **XY, "discard": [1]}, "/sacrifice", "lacks"),
    ({"action": "play", "card": 9, **XY}, "/discard", "lacks 'discard'"),
    ({"action": "play", "card": 9, **XY, "discard": 4}, "/discard", "a list"),
    ({"action": "play", "card": 9, **XY, "discard": [1, "4"]}, "/discard/1", "whole number"),
    ({"action": "play", "card": 9, **XY, "discard": [False, 4]}, "/discard/0", "whole number"),
    ({"action": "play", "card": 9, **XY, "discard": [1, 4], "sacrifice": XY}, "/sacrifice", "no"),
    ({"action": "play", "card": 3, **XY}, "/sacrifice", "lacks 'sacrifice'"),
    ({"action": "play", "card": 3, **XY, "sacrifice": [1, 0]}, "/sacrifice", "an object"),
    ({"action": "play", "card": 3, **XY, "sacrifice": {"x": 1}}, "/sacrifice/y", "lacks 'y'"),
    ({"action": "play", "card": 3, **XY, "sacrifice": {**XY, "z": 1}}, "/sacrifice/z", "no 'z'"),
    ({"action": "play", "card": 3, **XY, "sacrifice": {"x": "1", "y": 0}}, "/sacrifice/x", "whole"),
]


@pytest.mark.parametrize(("move", "pointer", "words"), MALFORMED)
def test_a_missing_surplus_or_wrong_member_is_malformed(
    move: Json, pointer: str, words: str
) -> None:
    with pytest.raises(MalformedMove) as refusal:
        GAME.parse_move(move)
    assert refusal.value.pointer == pointer
    assert words in refusal.value.detail
    assert is_sentence(refusal.value.detail)


@pytest.mark.parametrize(
    "move",
    [
        {"action": "play", "card": 11, **XY},
        {"action": "play", "card": -1, **XY},
        {"action": "play", "card": 9, **XY, "discard": []},
        {"action": "play", "card": 9, **XY, "discard": [1, 1, 1]},
        {"action": "play", "card": 9, **XY, "discard": [1, 11]},
        {"action": "play", "card": 0, "x": 2**60, "y": 0},
        {"action": "place", "card": 11, **XY},
    ],
)
def test_a_number_out_of_range_or_a_wrong_count_is_illegal(move: JsonObject) -> None:
    position = pictured("A* A5 . . B*", hands=((0, 1, 1, 1, 9), ()), decks=((1,), ()))
    fault = GAME.check_move(position, GAME.parse_move(move))
    assert fault is not None
    assert is_sentence(fault)
