"""Entering moves: step by step, typed, taken back; for every game, by what its scene says."""

from __future__ import annotations

import random
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from domain.games import load_games
from domain.json_types import JsonObject
from domain.match.views import build_scene
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import Element, read


def taken(shown: Element) -> list[str]:
    lists = shown.all("ol", class_="taken")
    return [one.text for one in lists[0].all("li")] if lists else []


def confirms(shown: Element, match: str) -> list[Element]:
    return shown.all("form", action=f"{match}/moves")


def steps_of(address: str) -> list[str]:
    return parse_qs(urlsplit(address).query).get("path", [])


@pytest.mark.parametrize("game", [game.slug for game in load_games()])
def test_any_legal_move_of_any_game_can_be_entered_and_played(pair: Pair, game: str) -> None:
    chance, match = random.Random(game), pair.start(game)
    for _ in range(6):
        seat = pair.to_act(match)
        if seat is None:
            return
        browser, move = pair.browsers[seat - 1], chance.choice(pair.legal(match))
        address, left = match, list(move["path"])
        while not confirms(shown := browser.page(address), match):
            links = [one.attributes["href"] for one in shown.all("a", class_="choice")]
            on = {steps_of(link)[-1]: link for link in links}
            step = next(step for step in left if step in on)
            left.remove(step)
            address = on[step]
        assert shown.one("section", class_="preview").one("code").text == move["text"]
        before = pair.house.queries.show(Asker(), identity(match)).view.ply
        answer = browser.send(address, f"{match}/moves")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{match}#entry")
        assert pair.house.queries.show(Asker(), identity(match)).view.ply == before + 1


def test_what_goes_on_is_a_link_in_a_list_on_the_board_and_told_in_words(pair: Pair) -> None:
    match = pair.start("path-capture")
    shown = pair.acting.page(match)
    listed = {one.attributes["href"] for one in shown.all("a", class_="choice")}
    drawn = {one.attributes["href"] for one in shown.all("a", class_="way")}
    assert len(listed) == 3
    assert listed == drawn
    titles = [one.one("title").text for one in shown.all("a", class_="way")]
    assert titles == ["Choose node 1", "Choose node 2", "Choose node 3"]
    rows = {row.all("th")[0].text: row.one("td").text for row in shown.one("table").all("tr")}
    assert rows["node 3"] == "empty; in reach; can be chosen"
    assert rows["node 4"] == "empty"
    picture = shown.one("svg", class_="shape-line")
    assert picture.attributes["role"] == "group"
    assert shown.one("nav", class_="next").one("h3").text == "Next: Path"


def test_nobody_else_is_offered_a_move(pair: Pair, somebody: Browser) -> None:
    match = pair.start("path-capture")
    for browser in (pair.browsers[1], somebody):
        shown = browser.page(f"{match}?path=node:3")
        assert not shown.all("a", class_="way")
        assert not shown.all("a", class_="choice")
        assert not confirms(shown, match)
        assert "chosen" not in shown.one("table").text
        assert shown.one("svg", class_="shape-line").attributes["role"] == "img"


def test_only_the_present_position_offers_a_move(pair: Pair) -> None:
    match = pair.start("path-capture")
    pair.play(match, {"steps": 1}, {"steps": 1})
    shown = pair.acting.page(f"{match}?at=1")
    assert not shown.all("a", class_="way")
    link = shown.one("p", class_="desk").one("a").attributes["href"]
    assert pair.acting.choices(link)
    assert not pair.acting.page(f"{match}?as=spectator").all("a", class_="way")


def test_steps_can_be_taken_back_and_begun_anew(pair: Pair) -> None:
    match = pair.start("grid-power")
    first = pair.acting.choose(match, "unit 5")
    shown = pair.acting.page(first)
    assert [one.partition(":")[2].strip() for one in taken(shown)] == ["your unit 5"]
    second = next(iter(pair.acting.choices(first).values()))
    shown = pair.acting.page(second)
    links = {
        one.text: one.attributes["href"] for one in shown.one("p", class_="ways-back").all("a")
    }
    assert steps_of(links["Take back a step"]) == steps_of(first)
    assert steps_of(links["Start over"]) == []
    assert pair.acting.choices(links["Take back a step"]) == pair.acting.choices(first)


def test_what_was_chosen_is_numbered_on_the_board(pair: Pair) -> None:
    match = pair.start("grid-power")
    address = pair.acting.choose(match, "unit 5")
    assert numbers(pair.acting.page(address)) == ["1"]
    # The unit lies where it was put, and neither in the hand any more nor in the other one's.
    address = next(iter(pair.acting.choices(address).values()))
    assert numbers(pair.acting.page(address)) == ["2"]


def numbers(page: Element) -> list[str]:
    return [one.text for one in page.all("text", class_="chosen-number")]


def test_a_step_that_leads_nowhere_is_told_and_those_before_it_stand(pair: Pair) -> None:
    match = pair.start("grid-power")
    for path in (["unit:5", "cell:9,9"], ["unit:5", "nonsense", "cell:1,1"]):
        shown = pair.acting.page(f"{match}?{urlencode({'path': path}, doseq=True)}")
        assert len(taken(shown)) == 1
        assert shown.one("p", class_="warning").text.startswith("Not possible: ")
        assert shown.all("a", class_="choice")
    attack = pair.acting.get(f"{match}?path=<script>alert(1)</script>")
    assert not [one for one in read(attack.text).all("script") if one.text]


def test_a_typed_move_is_shown_before_it_is_played(pair: Pair) -> None:
    match = pair.start("path-capture")
    shown = pair.acting.page(f"{match}?move=2")
    assert shown.one("section", class_="preview").one("code").text == "+2"
    assert taken(shown) == ["Path: node 2"]
    assert pair.acting.send(f"{match}?move=2", f"{match}/moves").status_code == 303


@pytest.mark.parametrize(
    ("typed", "words"),
    [("4", "A piece goes 1, 2 or 3 nodes forward."), ("walk", "Type how far to go")],
)
def test_a_typed_move_that_cannot_be_is_answered_with_the_rule(
    pair: Pair, typed: str, words: str
) -> None:
    match = pair.start("path-capture")
    shown = pair.acting.page(f"{match}?move={typed}")
    field = shown.one("input", id="typed")
    assert field.attributes["value"] == typed
    assert field.attributes["aria-invalid"] == "true"
    assert shown.one("p", id="typed-error").text.startswith(words)
    assert shown.all("a", class_="choice")


def test_a_move_that_may_be_regretted_is_warned_of(pair: Pair) -> None:
    match = pair.start("power-line")
    pair.play(match, {"action": "place", "position": 5, "power": 1})
    pair.play(match, {"action": "place", "position": 3, "power": 5})
    shown = pair.acting.page(f"{match}?move=4=1")
    warning = shown.one("p", class_="warning")
    assert "captured at once" in warning.text
    assert warning.attributes["role"] == "alert"
    assert shown.one("section", class_="preview").one("button").text == "Play it all the same"
    assert not pair.acting.page(f"{match}?move=9=1").all("p", class_="warning")


def test_a_play_is_entered_with_its_price_in_any_order(pair: Pair) -> None:
    match = pair.start("power-lines")
    moves = _until_a_price(pair, match)
    move = moves[-1]
    browser = pair.browsers[(pair.to_act(match) or 1) - 1]
    card, cell, *price = move["path"]
    ends = set()
    for order in (price, price[::-1]):
        query = urlencode({"path": [card, cell, *order]}, doseq=True)
        shown = browser.page(f"{match}?{query}")
        (whole,) = [
            *shown.all("section", class_="preview"),
            *shown.all("ol", class_="planned"),
        ]
        ends.add(whole.one("code").text)
    assert ends == {move["text"]}
    # Until somebody says so, the lowest cards are what it costs.
    query = urlencode({"path": [card, cell]}, doseq=True)
    shown = browser.page(f"{match}?{query}")
    cheapest = next(one for one in pair.legal(match) if one["path"][:2] == [card, cell])
    assert cheapest["text"] in shown.one("section", id="entry").text
    other = next(one for one in shown.all("a") if one.text == "Pay with something else")
    chosen = browser.page(other.attributes["href"])
    assert len(taken(chosen)) == 2
    assert chosen.all("a", class_="choice")


def _until_a_price(pair: Pair, match: str) -> list[JsonObject]:
    """Play until a card can be played whose price is two different cards; return such plays."""
    for _ in range(60):
        found = [
            move
            for move in pair.legal(match)
            if len(move["move"].get("discard", ())) == 2 and len(set(move["path"][2:])) == 2
        ]
        if found:
            return found
        draw = next((one for one in pair.legal(match) if one["text"] == "draw"), None)
        pair.play(match, (draw or pair.legal(match)[0])["move"])
    raise AssertionError("no such play came up")


def test_what_a_card_takes_from_the_field_is_the_least_unless_another_is_chosen(
    pair: Pair,
) -> None:
    match = pair.start("power-lines")
    given = _until_a_sacrifice(pair, match)
    path, browser = given[0]["path"][:2], pair.browsers[(pair.to_act(match) or 1) - 1]
    shown = browser.page(f"{match}?{urlencode({'path': path}, doseq=True)}")
    (whole,) = [*shown.all("section", class_="preview"), *shown.all("ol", class_="planned")]
    view = pair.house.queries.show(
        Asker(pair.ids[(pair.to_act(match) or 1) - 1]), identity(match)
    ).view
    scene = build_scene(view)
    assert scene is not None
    worth = {
        space.id: space.tokens[-1].value or 0
        for space in scene.zones[0].spaces
        if space.tokens and space.tokens[-1].owner == view.to_act
    }
    least = min((worth[one["path"][2]] for one in given), default=None)
    chosen = next(one for one in given if one["text"] == whole.one("code").text)
    assert worth[chosen["path"][2]] == least
    other = next(one for one in shown.all("a") if one.text == "Pay with something else")
    open_ = browser.page(other.attributes["href"])
    assert not open_.all("section", class_="preview")
    ways = {one.attributes.get("data-space") for one in open_.all("a")}
    assert {one["path"][2] for one in given} <= ways


def _until_a_sacrifice(pair: Pair, match: str) -> list[JsonObject]:
    """Play until a 3 can be played; return the plays onto one place that take different cards."""
    for _ in range(80):
        legal = pair.legal(match)
        threes = [one for one in legal if "sacrifice" in one["move"]]
        for spot in {one["path"][1] for one in threes}:
            found = [one for one in threes if one["path"][1] == spot]
            if len(found) > 1:
                return found
        draw = next((one for one in legal if one["text"] == "draw"), None)
        pair.play(match, (draw or legal[0])["move"])
    raise AssertionError("nobody could play a 3")
