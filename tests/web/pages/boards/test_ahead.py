"""What a move would lead to is drawn before it is made; a turn of several is sent at once."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from domain.json_types import JsonObject
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import Element, read

ENTERED = "path=unit:5&path=cell:1,1&on=4"


def ply(pair: Pair, match: str) -> int:
    return pair.house.queries.show(Asker(), identity(match)).view.ply


def tried(shown: Element) -> list[str]:
    """Return what a picture has of a move that is not made yet."""
    return [one.one("title").text for one in shown.all("g", class_="mark-tried")]


def test_a_move_is_drawn_in_its_place_with_the_numbers_that_would_result(
    pair: Pair, visitor: FlaskClient
) -> None:
    match = pair.start("grid-power")
    shown = pair.acting.page(f"{match}?{ENTERED}")
    assert tried(shown) == ["your unit 5, power 5"]
    preview = shown.one("section", class_="preview")
    assert preview.one("p", class_="outcome").text == "You place 5 on (1,1): power +5, now 5."
    values = [one.text for one in shown.all("span", class_="meter-value")]
    assert values == ["0 → 5", "0"]
    table = shown.one("div", class_="board").one("table").text
    assert "your unit 5, power 5 (if you play this)" in table
    assert "unit 5" not in shown.one("section", class_="of-1").text
    # The other seat has a unit 5 as well, and nothing of it was chosen.
    assert "chosen" not in shown.one("section", class_="of-2").text
    assert not shown.one("section", class_="of-2").all("g", class_="chosen")
    for other in (pair.browsers[1], visitor):
        assert not tried(read(other.get(f"{match}?{ENTERED}").text))
    assert not tried(pair.acting.page(match))
    assert ply(pair, match) == 0


def test_what_a_move_would_capture_is_said_and_marked(pair: Pair) -> None:
    match = pair.start("power-line")
    first = {"action": "place", "position": 3, "power": 3}
    pair.play(match, {"action": "place", "position": 5, "power": 1}, first)
    entered = f"{match}?path=node:4&path=power:2&on=6"
    shown = pair.acting.page(entered)
    assert "lose it to dan's 3 on 3" in shown.one("p", class_="outcome").text
    assert shown.all("g", class_="captured")


def test_a_tried_line_is_drawn_in_the_same_way(pair: Pair) -> None:
    match = pair.start("grid-power")
    shown = pair.acting.page(f"{match}/line?at=4&path=unit:5&path=cell:1,1")
    assert tried(shown) == ["your unit 5, power 5"]


@pytest.fixture
def turn(pair: Pair) -> tuple[str, Browser, list[JsonObject]]:
    """Give a card match whose mover has two plays that cost nothing, and the first of them."""
    match, free = pair.start("power-lines"), []
    for number in range(60):
        moves = pair.legal(match)
        free = [one for one in moves if _is_free(one["move"])]
        actions = pair.house.queries.show(Asker(), identity(match)).view
        state = actions.game.show(actions.sight) if actions.sight else {}
        if number > 10 and len({one["path"][0] for one in free}) > 1 and state["actions_left"] == 3:
            break
        draws = [one for one in moves if one["move"]["action"] == "draw"]
        pair.play(match, (draws or moves)[0]["move"])
    return match, pair.browsers[(pair.to_act(match) or 1) - 1], free


def _is_free(move: JsonObject) -> bool:
    return move["action"] == "play" and move["card"] in {0, 4, 6} and not move.get("discard")


def test_actions_of_a_turn_are_entered_by_two_steps_each_and_sent_at_once(
    pair: Pair, turn: tuple[str, Browser, list[JsonObject]]
) -> None:
    match, mover, free = turn
    before = ply(pair, match)
    first = free[0]
    page = mover.page(f"{match}?on=1&path={first['path'][0]}&path={first['path'][1]}")
    planned = page.one("ol", class_="planned")
    assert [one.text for one in planned.all("code")] == [first["text"]]
    assert tried(page)
    # The next action is entered on what the first one leads to.
    links = [one.attributes["href"] for one in page.all("a", class_="choice")]
    step = next(link for link in links if "path=hand:" in link)
    assert "then=" in step
    assert ply(pair, match) == before
    second = next(
        link
        for link in (one.attributes["href"] for one in mover.page(step).all("a", class_="choice"))
        if "path=" in link
    )
    shown = mover.page(second)
    form = mover.form(second, f"{match}/moves")
    assert form["then"] == [first["text"]] or len(shown.all("ol", class_="planned")) == 1
    assert mover.post(f"{match}/moves", form).status_code == 303
    assert ply(pair, match) == before + 2
    # The same form once more changes nothing.
    mover.post(f"{match}/moves", form)
    assert ply(pair, match) == before + 2


def _placed(pair: Pair) -> str:
    """Start a match in which seat 1 has nothing but tens; go on to its first turn."""
    match = pair.start("power-lines", **{"settings.deck": "10 " * 26})
    while "play" not in {one["move"]["action"] for one in pair.legal(match)}:
        pair.play(match, pair.legal(match)[0]["move"])
    return match


def test_a_turn_can_be_sent_before_the_only_action_that_is_known_to_be_left(pair: Pair) -> None:
    """Behind a draw one may have nothing to choose from but another, and wants to see it first."""
    # The first turn of cora: a 10 costs two cards, of five, and leaves too few for another one.
    match = _placed(pair)
    while pair.to_act(match) != 1:  # Who begins is drawn by lot.
        match = _placed(pair)
    mover = pair.browsers[0]
    pair.play(match, pair.legal(match)[-1]["move"])
    page = mover.page(f"{match}?then=draw&on=1")
    assert [one.text for one in page.one("ol", class_="planned").all("code")] == ["draw"]
    assert page.all("form", class_="send-turn")
    choices = [
        one.text for one in page.all("a", class_="choice") if "path=" in one.attributes["href"]
    ]
    assert choices == ["Draw a card"]


def test_an_action_is_taken_back_before_the_turn_is_sent(
    turn: tuple[str, Browser, list[JsonObject]],
) -> None:
    match, mover, free = turn
    first = free[0]
    page = mover.page(f"{match}?on=1&path={first['path'][0]}&path={first['path'][1]}")
    back = page.one("p", class_="ways-back").one("a").attributes["href"]
    assert "then=" not in back
    assert not tried(mover.page(back))


def test_nobody_else_sees_what_is_planned(
    pair: Pair, turn: tuple[str, Browser, list[JsonObject]], visitor: FlaskClient
) -> None:
    match, mover, free = turn
    address = f"{match}?on=1&then={free[0]['text']}"
    assert mover.page(address).all("ol", class_="planned")
    other = next(one for one in pair.browsers if one is not mover)
    for looker in (other, visitor):
        text = looker.get(address).text
        assert free[0]["text"] not in read(text).one("main").text
        assert not tried(read(text))


def test_when_nothing_can_be_decided_any_more_the_draw_is_at_hand(
    pair: Pair, visitor: FlaskClient
) -> None:
    match = pair.start("path-capture")
    pair.play(match, *({"steps": 3} for _ in range(4)))
    for reader in pair.browsers:
        form = reader.page(match).one("form", class_="settled")
        assert form.all("p")[0].text.startswith("The pieces have passed each other")
        assert form.one("button").attributes["value"] == "offer_draw"
    assert not read(visitor.get(match).text).all("form", class_="settled")
    form = pair.acting.page(match).one("form", class_="settled")
    fields = {one.attributes["name"]: [one.attributes["value"]] for one in form.all("input")}
    pair.acting.post(f"{match}/actions", {**fields, "action": ["offer_draw"]})
    for reader in pair.browsers:
        assert not reader.page(match).all("form", class_="settled")


def test_who_watches_with_an_old_page_reads_news_and_of_no_opponent(
    pair: Pair, visitor: FlaskClient
) -> None:
    match = pair.start("path-capture")
    pair.play(match, {"steps": 1})
    shown = read(visitor.get(f"{match}?on=1").text)
    assert shown.one("h2", id="desk-title").text == "News"
    assert "opponent" not in shown.one("main").text


def test_the_other_side_keeps_the_move_that_is_being_entered(pair: Pair) -> None:
    match = pair.start("grid-power")
    flip = pair.acting.page(f"{match}?{ENTERED}").one("a", data_do="flip").attributes["href"]
    assert "#" not in flip
    assert tried(pair.acting.page(flip)) == ["your unit 5, power 5"]
