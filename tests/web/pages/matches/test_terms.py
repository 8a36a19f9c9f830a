"""The page of an open match says what whoever joins accepts, and shows how it begins."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from domain.games import load_games
from tests.web.pages.browsing import Browser
from tests.web.pages.conftest import Players
from tests.web.pages.readers import Element, read

PACE = {"days_per_move": 3, "vacation": True, "pause": False}


def terms(shown: Element) -> dict[str, str]:
    found = shown.one("dl", class_="terms")
    names, values = found.all("dt"), found.all("dd")
    return {name.text: value.text for name, value in zip(names, values, strict=True)}


def test_it_says_pace_seat_options_and_what_one_accepts(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.create("power-line", pace=PACE, options={"length": 13, "capture": "attacker"})
    shown = read(visitor.get(f"/m/{match}").text)
    found = terms(shown)
    assert found["Pace"] == "3 days a turn"
    assert found["Free seat"] == "the second"
    assert found["Seen by"] == "everybody"
    assert found["Length"] == "13"
    assert found["Capture"] == "neighbours only"
    accepts = shown.one("p", class_="accepts").text
    assert "begins at once" in accepts
    assert "whoever runs out of time loses" in accepts
    assert "on vacation" in found["Breaks"]


@pytest.mark.parametrize("game", ["power-line", "energy-capture"])
def test_dice_are_told_of_where_there_are_some(
    players: Players, visitor: FlaskClient, game: str
) -> None:
    match = players.create(game, series={"length": 3})
    found = terms(read(visitor.get(f"/m/{match}").text))["Series"]
    assert found.startswith("best of 3; seats change from match to match")
    said = [found, visitor.get(f"/series/{match}").text]
    assert ["to the dice" in one for one in said] == [game == "energy-capture"] * 2


def test_without_a_clock_nobody_loses_by_time(cora: Browser, dan: Browser) -> None:
    match = cora.new_match(seat="2", opponent="dan", visibility="private")
    for browser in (cora, dan):
        shown = browser.page(match)
        assert terms(shown)["Pace"] == "No clock"
        assert terms(shown)["Free seat"] == "the first"
        assert terms(shown)["Seen by"] == "its two players"
        assert "Breaks" not in terms(shown)
        assert "out of time" not in shown.one("p", class_="accepts").text


@pytest.mark.parametrize("game", [one.slug for one in load_games()])
def test_the_start_position_is_shown_with_the_options_of_the_match(
    game: str, players: Players, visitor: FlaskClient
) -> None:
    shown = read(visitor.get(f"/m/{players.create(game)}").text)
    start = shown.one("figure", class_="start")
    assert start.all("svg", class_="picture")
    by_chance = "for example" in start.one("figcaption").text
    assert by_chance == (game == "energy-capture")


def test_options_change_the_start_position(players: Players, visitor: FlaskClient) -> None:
    sizes = []
    for length in (7, 9):
        match = players.create("path-capture", options={"length": length})
        start = read(visitor.get(f"/m/{match}").text).one("figure", class_="start")
        places = [one for one in start.all("g") if "space" in one.attributes["class"].split()]
        sizes.append(len(places))
    assert sizes == [7, 9]


def test_once_it_has_begun_nothing_of_this_is_left(players: Players, visitor: FlaskClient) -> None:
    shown = read(visitor.get(f"/m/{players.start()}").text)
    assert not shown.all("dl", class_="terms")
    assert not shown.all("figure", class_="start")
