"""A step that leads nowhere is answered with the rule, where the move that it would be is known."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from domain.json_types import JsonObject
from tests.web.pages.browsing import Pair

PLACED: JsonObject = {"unit": 9, "row": 2, "column": 2}


@pytest.mark.parametrize(
    ("game", "moves", "path", "why"),
    [
        ("energy-capture", [], ["cell:3,3"], "one cell"),
        ("path-capture", [], ["node:5"], "1, 2 or 3 nodes forward"),
        ("grid-power", [PLACED, {**PLACED, "row": 1}], ["unit:5", "cell:2,2"], "2,2"),
    ],
)
def test_a_forbidden_step_is_answered_with_the_rule(
    pair: Pair, game: str, moves: list[JsonObject], path: list[str], why: str
) -> None:
    match = pair.start(game)
    pair.play(match, *moves)
    warning = pair.acting.page(f"{match}?{urlencode({'path': path}, doseq=True)}").one(
        "p", class_="warning"
    )
    assert warning.text.startswith("Not possible: ")
    assert why in warning.text
    assert "What can be chosen" not in warning.text


@pytest.mark.parametrize(
    ("game", "path"),
    [("grid-power", ["cell:2,2"]), ("path-capture", ["nonsense"]), ("power-lines", ["hand:99"])],
)
def test_a_step_that_is_no_part_of_a_move_is_answered_with_what_can_be_chosen(
    pair: Pair, game: str, path: list[str]
) -> None:
    match = pair.start(game)
    mover = pair.browsers[(pair.to_act(match) or 1) - 1]
    shown = mover.page(f"{match}?{urlencode({'path': path}, doseq=True)}")
    assert "What can be chosen now is marked" in shown.one("p", class_="warning").text


def test_what_is_no_move_is_told_where_one_move_alone_is_left(pair: Pair) -> None:
    match = pair.start("path-capture", options__length="5").partition("#")[0]
    pair.play(match, {"steps": 3}, {"steps": 2})
    page = pair.acting.page(f"{match}?move=nonsense")
    assert page.one("h3", id="preview-title").text == "Your move: +1"
    (error,) = page.all("p", class_="error")
    assert "1, 2 or 3" in error.text
