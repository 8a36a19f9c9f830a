"""Text that people type: what is read generously, and what is refused in every game."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import MalformedMove
from domain.game.game import AnyGame
from domain.games import load_games
from domain.json_types import JsonObject
from tests.support.scenario import is_sentence

JUNK = (
    "",
    " ",
    "?",
    "x",
    "1;2",
    "-1",
    "1.0",
    "1e3",
    "0x1",
    "9" * 4,
    "9" * 5000,
    "\u0661",
    "\u00b2",
    "\uff11,\uff12",
    "1\u0000",
    "None",
    "{}",
    "2,1,3,4",
    "5@2,2@3",
    "3==4",
    "3++",
    "\ud800",
)


in_every_game = pytest.mark.parametrize("game", list(load_games()), ids=lambda game: game.slug)


@pytest.mark.parametrize(
    ("slug", "text", "move"),
    [
        ("power-line", "3=4", {"action": "place", "position": 3, "power": 4}),
        ("power-line", "  10 = 5\n", {"action": "place", "position": 10, "power": 5}),
        ("power-line", "03=04", {"action": "place", "position": 3, "power": 4}),
        ("power-line", "3+", {"action": "upgrade", "position": 3}),
        ("power-line", " 10 + ", {"action": "upgrade", "position": 10}),
        ("energy-capture", "2,1", {"row": 2, "column": 1}),
        ("energy-capture", " 2 , 1 ", {"row": 2, "column": 1}),
        ("energy-capture", "2  1", {"row": 2, "column": 1}),
        ("energy-capture", "( 2,1 )", {"row": 2, "column": 1}),
        ("grid-power", "5@2,3", {"unit": 5, "row": 2, "column": 3}),
        ("grid-power", "5 @ 2 , 3", {"unit": 5, "row": 2, "column": 3}),
        ("grid-power", "5 2 3", {"unit": 5, "row": 2, "column": 3}),
        ("grid-power", "5@(2,3)", {"unit": 5, "row": 2, "column": 3}),
        ("path-capture", "2", {"steps": 2}),
        ("path-capture", " + 2 ", {"steps": 2}),
    ],
)
def test_white_space_and_common_variants_are_read(slug: str, text: str, move: JsonObject) -> None:
    assert load_games().get(slug).notation.read(text) == move


@in_every_game
@pytest.mark.parametrize("text", JUNK, ids=lambda text: ascii(text[:9]))
def test_junk_is_refused_with_the_forms_there_are(game: AnyGame, text: str) -> None:
    with pytest.raises(MalformedMove) as raised:
        game.notation.read(text)
    assert is_sentence(raised.value.detail)


@in_every_game
@given(st.text())
def test_whatever_is_typed_is_read_or_refused(game: AnyGame, text: str) -> None:
    try:
        move = game.notation.read(text)
    except MalformedMove:
        return
    game.parse_move(move)


@in_every_game
def test_long_runs_of_blanks_take_no_long_time(game: AnyGame) -> None:
    start = time.process_time()
    for text in ("1{}x", "1{}2{}x", "1@{}2,{}3{}x", "({}1,2{}x", "1={}2{}x", "+{}1{}x"):
        with pytest.raises(MalformedMove):
            game.notation.read(text.replace("{}", " " * 20_000))
    assert time.process_time() - start < 1
