"""Whoever plays has their own side at the left and their own hand under the board."""

from __future__ import annotations

import json
import re

from flask import Flask

from tests.web.pages.browsing import Browser, Pair
from tests.web.pages.readers import Element

FIRST_NODES = [str(node) for node in range(11)]


def names(page: Element) -> list[str]:
    """Return the names under the nodes as they are drawn."""
    board = page.one("div", class_="board")
    return [one.text for one in board.all("text", class_="axis")]


def test_each_player_sees_their_own_end_of_the_path_at_the_left(pair: Pair, app: Flask) -> None:
    match = pair.start("path-capture")
    first, second = (one.page(match) for one in pair.browsers)
    assert names(first) == FIRST_NODES
    assert names(second) == FIRST_NODES[::-1]
    assert names(Browser(app).page(match)) == FIRST_NODES


def test_a_grid_without_sides_is_the_same_for_both(pair: Pair) -> None:
    match = pair.start("grid-power")
    first, second = (one.page(match) for one in pair.browsers)
    assert names(first) == names(second)


def test_each_marker_begins_at_the_bottom_for_its_player(pair: Pair, app: Flask) -> None:
    match = pair.start("energy-capture")
    first, second = (one.page(match) for one in pair.browsers)
    numbers = [str(number) for number in range(1, 6)]
    assert names(first) == numbers[::-1] * 2
    assert names(second) == names(Browser(app).page(match)) == numbers * 2
    # What is read out goes by the same rows, and lists have the same picture.
    rows = [one.all("th")[0].text for one in first.one("div", class_="board").all("tr")[1:]]
    assert rows == [f"row {number}" for number in numbers[::-1]]
    for seat, browser in enumerate(pair.browsers, 1):
        mini = browser.page("/matches?mine=true").all("div", class_="mini")[0]
        assert height(mini, f"marker:{seat}") > height(mini, f"marker:{3 - seat}")


def height(picture: Element, token: str) -> float:
    """Return how far down in a picture a piece lies."""
    (piece,) = picture.all("g", data_token=token)
    return float(piece.attributes["transform"].split()[1].rstrip(")"))


def test_the_side_that_is_asked_for_wins_over_the_own_one(pair: Pair) -> None:
    match = pair.start("path-capture")
    first, second = pair.browsers
    assert names(second.page(f"{match}?flip=0")) == FIRST_NODES
    assert names(first.page(f"{match}?flip=1")) == FIRST_NODES[::-1]
    assert second.get(f"{match}?flip=2").status_code == 400


def test_flipping_leads_to_the_other_side_and_back(pair: Pair) -> None:
    match = pair.start("path-capture")
    second = pair.browsers[1]
    for seen in (FIRST_NODES[::-1], FIRST_NODES, FIRST_NODES[::-1]):
        page = second.page(match)
        assert names(page) == seen
        (link,) = (one for one in page.all("a") if one.attributes.get("data-do") == "flip")
        match = link.attributes["href"]
        assert ("flip=" in match) is (seen != FIRST_NODES)


def test_steps_forms_and_frames_keep_the_side(pair: Pair) -> None:
    match = pair.start("path-capture")
    first = pair.acting
    asked = f"{match}?flip=1"
    for address in first.choices(asked).values():
        assert "flip=1" in address
        assert names(first.page(address)) == FIRST_NODES[::-1]
    chosen = first.choose(asked, "node 2")
    form = next(
        one
        for one in first.page(chosen).all("form", method="post")
        if "/moves" in one.attributes["action"]
    )
    values = {one.attributes["name"]: [one.attributes["value"]] for one in form.all("input")}
    answer = first.post(form.attributes["action"], values)
    assert answer.status_code == 303
    assert names(first.page(answer.headers["Location"])) == FIRST_NODES[::-1]
    # Clicked again it is the same; from another window the match has gone on meanwhile.
    again = first.post(form.attributes["action"], values)
    assert again.headers["Location"] == answer.headers["Location"]
    late = first.post(form.attributes["action"], {**values, "key": ["k" * 22]})
    assert "on=" in late.headers["Location"]
    assert names(first.page(late.headers["Location"])) == FIRST_NODES[::-1]


def test_every_form_and_link_of_a_match_keeps_the_side(pair: Pair, app: Flask) -> None:
    match = pair.start("path-capture", pace="3-days")
    page = pair.acting.page(f"{match}?flip=1")
    actions = [one.attributes.get("action", "") for one in page.all("form")]
    forms = [one for one in actions if one.startswith(match)]
    assert len(forms) > 5
    assert [one for one in forms if "flip=1" not in one] == []
    practised = Browser(app).sign_up("eva")
    mine = practised.send("/practice?game=path-capture", "/practice").headers["Location"]
    mine = mine.partition("#")[0]
    practised.play(mine, "node 2")
    back = practised.send(f"{mine}?flip=1", f"{mine}/take-back?flip=1")
    assert "flip=1" in back.headers["Location"]
    line = practised.page(f"{mine}/line?at=4&flip=1")
    assert names(line) == FIRST_NODES[::-1]
    tried = [one.attributes["href"] for one in line.all("a", class_="choice")]
    assert tried
    assert all("flip=1" in one for one in tried)


def test_frames_are_seen_from_the_own_side(pair: Pair) -> None:
    match = pair.start("path-capture")
    asked = (f"{match}/frames", f"{match}/frames?flip=1")
    usual, turned = (stones(pair.browsers[0].get(one).text) for one in asked)
    assert usual != turned
    assert turned == stones(pair.browsers[1].get(asked[0]).text)


def stones(frames: str) -> list[str]:
    """Return the nodes of frames in the order in which they lie."""
    return re.findall(r'class="axis">(\d+)<', "".join(json.loads(frames)["pieces"]))


def test_a_practice_board_lies_still(somebody: Browser) -> None:
    answer = somebody.send("/practice?game=path-capture", "/practice")
    match = answer.headers["Location"]
    assert names(somebody.page(match)) == FIRST_NODES
    somebody.play(match.partition("#")[0], "node 1")
    assert names(somebody.page(match)) == FIRST_NODES


def test_the_own_hand_stands_right_under_the_board(pair: Pair) -> None:
    match = pair.start("grid-power")
    for seat, one in enumerate(pair.browsers, 1):
        page = one.page(match)
        (held,) = page.one("div", class_="shown").all("section", class_=f"of-{seat}")
        assert "Your unused units" in held.text
        (theirs,) = page.one("div", class_="others").all("section", class_=f"of-{3 - seat}")
        assert f"{('dan', 'cora')[seat - 1]}'s unused units" in theirs.text
