"""What players send: once or twice, too late, against the rules, or for somebody else."""

from __future__ import annotations

import re

import pytest

from services.matches.queries import Asker
from tests.web.pages.boards.test_entry import confirms, taken
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import read

NODE_2 = "path=node:2"


def version(pair: Pair, match: str) -> int:
    return pair.house.queries.show(Asker(), identity(match)).view.version


def test_a_move_that_is_sent_twice_is_made_once(pair: Pair) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?{NODE_2}", f"{match}/moves")
    first = pair.acting.post(f"{match}/moves", values)
    after = version(pair, match)
    again = pair.acting.post(f"{match}/moves", values)
    assert (first.status_code, again.status_code) == (303, 303)
    assert first.headers["Location"] == again.headers["Location"] == f"{match}#entry"
    assert version(pair, match) == after


def test_another_move_under_the_same_key_is_no_repetition(pair: Pair) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?{NODE_2}", f"{match}/moves")
    pair.acting.post(f"{match}/moves", values)
    answer = pair.acting.post(f"{match}/moves", {**values, "move": ["+3"]})
    assert (answer.status_code, "on=" in answer.headers["Location"]) == (303, True)


def test_a_move_on_an_old_page_is_not_made_and_the_page_tells_what_happened(pair: Pair) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?{NODE_2}", f"{match}/moves")
    pair.play(match, {"steps": 1}, {"steps": 3})
    before = version(pair, match)
    answer = pair.acting.post(f"{match}/moves", values)
    assert answer.status_code == 303
    assert version(pair, match) == before
    shown = pair.acting.page(answer.headers["Location"])
    # How long a move took is told behind it, once that is a second.
    told = [
        re.sub(r" \(\d+ seconds?\)$", "", one.text)
        for one in shown.one("div", class_="news").all("li")
    ]
    assert told == ["You go 1 node forward to node 1.", "dan goes 3 nodes forward to node 7."]
    # Node 2 can still be reached, from where the piece stands now.
    assert taken(shown) == ["Path: node 2"]
    assert shown.one("section", class_="preview").one("code").text == "+1"
    assert pair.acting.send(answer.headers["Location"], f"{match}/moves").status_code == 303


def test_what_is_not_possible_any_more_is_let_go(pair: Pair) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?{NODE_2}", f"{match}/moves")
    pair.play(match, {"steps": 3}, {"steps": 1})
    answer = pair.acting.post(f"{match}/moves", values)
    shown = pair.acting.page(answer.headers["Location"])
    assert shown.one("p", class_="warning").text == (
        "Not possible any more: Path: node 2. "
        "What can be chosen now is marked on the board and listed below."
    )
    assert not confirms(shown, match)
    assert len(shown.all("a", class_="choice")) == 3


def test_a_link_of_an_old_page_tells_what_happened_too(pair: Pair) -> None:
    match = pair.start("path-capture")
    link = pair.acting.choices(match)["node 2"]
    pair.play(match, {"steps": 1}, {"steps": 3})
    assert pair.acting.page(link).all("div", class_="news")
    assert not pair.acting.page(pair.acting.choices(match)["node 2"]).all("div", class_="news")


@pytest.mark.parametrize(
    ("move", "words"),
    [("+9", "1, 2 or 3 nodes"), ("walk", "Type how far"), ("", None)],
)
def test_a_move_that_cannot_be_is_answered_with_the_rule(
    pair: Pair, move: str, words: str | None
) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?{NODE_2}", f"{match}/moves")
    before = version(pair, match)
    answer = pair.acting.post(f"{match}/moves", {**values, "move": [move]})
    assert answer.status_code == 303
    shown = pair.acting.page(answer.headers["Location"])
    if words is not None:
        assert words in shown.one("p", id="typed-error").text
    assert version(pair, match) == before


def test_nobody_moves_for_somebody_else(pair: Pair) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?{NODE_2}", f"{match}/moves")
    eve = Browser(pair.acting.client.application).sign_up("eve")
    before = version(pair, match)
    for browser, status in ((pair.browsers[1], 409), (eve, 403)):
        token = browser.form("/", "/log-out")["csrf"]
        answer = browser.post(f"{match}/moves", {**values, "csrf": token})
        assert answer.status_code == status
        failure = read(answer.text).one("div", class_="failure")
        assert failure.all("a")[0].attributes["href"] == match
    assert version(pair, match) == before


def test_a_form_of_one_player_is_not_taken_from_another(pair: Pair) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?{NODE_2}", f"{match}/moves")
    assert pair.browsers[1].post(f"{match}/moves", values).status_code == 403


def test_a_private_match_is_not_there_for_others(pair: Pair) -> None:
    match = pair.start("path-capture", opponent="dan", visibility="private")
    assert pair.acting.get(match).status_code == 200
    eve = Browser(pair.acting.client.application).sign_up("eve")
    assert eve.get(match).status_code == 404
    token = eve.form("/", "/log-out")["csrf"]
    for action in ("join", "moves", "actions"):
        values = {"csrf": token, "version": ["1"], "move": ["+1"], "action": ["resign"]}
        assert eve.post(f"{match}/{action}", values).status_code == 404


@pytest.mark.parametrize("number", ["", "x", "-1", "٣", "1" * 12])
def test_a_form_says_which_version_it_was_decided_on(pair: Pair, number: str) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?{NODE_2}", f"{match}/moves")
    assert pair.acting.post(f"{match}/moves", {**values, "version": [number]}).status_code == 400
    assert pair.acting.get(f"{match}?on={number or 'y'}").status_code == 400


def test_to_resign_takes_a_second_click(pair: Pair) -> None:
    match = pair.start("path-capture")
    shown = pair.browsers[1].page(match)
    offers = {one.text: one.attributes["href"] for one in shown.one("p", class_="offers").all("a")}
    assert list(offers) == ["Resign …", "Abort …"]
    assert not shown.all("form", class_="sure")
    answer = pair.browsers[1].send(offers["Resign …"], f"{match}/actions")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{match}#entry")
    assert "You won: dan resigned" in pair.acting.page(match).text
    assert not pair.acting.page(match).all("p", class_="offers")


def test_to_abort_is_offered_while_it_can_be(pair: Pair) -> None:
    match = pair.start("path-capture")
    assert pair.acting.send(f"{match}?ask=abort", f"{match}/actions").status_code == 303
    assert "Aborted" in pair.acting.page(match).text
    other = pair.start("path-capture")
    pair.play(other, {"steps": 1}, {"steps": 1})
    assert not pair.acting.page(f"{other}?ask=abort").all("form", class_="sure")
    values = pair.acting.form(f"{other}?ask=resign", f"{other}/actions")
    answer = pair.acting.post(f"{other}/actions", {**values, "action": ["abort"]})
    assert answer.status_code == 409
    assert "You can resign" in answer.text


def test_whoever_gives_up_on_an_old_page_is_asked_again(pair: Pair) -> None:
    match = pair.start("path-capture")
    values = pair.browsers[1].form(f"{match}?ask=resign", f"{match}/actions")
    pair.play(match, {"steps": 1})
    answer = pair.browsers[1].post(f"{match}/actions", values)
    shown = pair.browsers[1].page(answer.headers["Location"])
    assert shown.one("form", action=f"{match}/actions").all("button")
    assert shown.all("div", class_="news")


def test_an_action_that_there_is_not_is_refused(pair: Pair) -> None:
    match = pair.start("path-capture")
    values = pair.acting.form(f"{match}?ask=resign", f"{match}/actions")
    answer = pair.acting.post(f"{match}/actions", {**values, "action": ["contribute"]})
    assert answer.status_code == 400


def test_the_creator_can_withdraw_an_open_match(cora: Browser) -> None:
    match = cora.new_match()
    assert cora.send(f"{match}?ask=abort", f"{match}/actions").status_code == 303
    assert "Aborted" in cora.page(match).text


def test_an_address_to_send_to_cannot_be_looked_at(pair: Pair) -> None:
    match = pair.start("path-capture")
    answer = pair.acting.get(f"{match}/moves")
    assert (answer.status_code, "POST" in answer.headers["Allow"]) == (405, True)
