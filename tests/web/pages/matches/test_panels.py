"""Chat, notes and conditional moves on a match's page, without a script."""

from __future__ import annotations

import pytest

from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import Element, read
from tests.web.people import Answer


@pytest.fixture
def match(pair: Pair) -> str:
    """Give the address of a match in which P1 is to move."""
    return pair.start("path-capture").partition("#")[0]


@pytest.fixture
def eve(pair: Pair) -> Browser:
    """Give the browser of a player who has no seat."""
    return Browser(pair.acting.client.application).sign_up("eve")


def send(browser: Browser, match: str, place: str, **typed: str) -> Answer:
    """Fill in the last form to a place beside the match, and send it."""
    form = browser.page(match).all("form", action=f"{match.partition('?')[0]}/{place}")[-1]
    values: dict[str, list[str]] = {}
    for one in form.all("input"):
        values.setdefault(one.attributes["name"], []).append(one.attributes.get("value", ""))
    values.update({name.rstrip("_"): [value] for name, value in typed.items()})
    return browser.post(f"{match.partition('?')[0]}/{place}", values)


def said(shown: Element) -> list[str]:
    return [one.text for one in shown.all("p", class_="said-text")]


def lines(browser: Browser, match: str) -> list[str]:
    """Return a player's conditional moves, with what follows on a line behind it."""
    return [one.text for one in browser.page(match).all("span", class_="line-text")]


def error(answer: Answer, place: str) -> str:
    (found,) = read(answer.text).all("p", id=f"{place}-error")
    return found.text


def test_what_players_say_they_alone_read(
    pair: Pair, match: str, eve: Browser, somebody: Browser
) -> None:
    one, two = pair.browsers
    answer = send(one, match, "chat", text="good luck")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{match}#chat")
    assert said(one.page(match)) == said(two.page(match)) == ["good luck"]
    # A number on a tab is of what is new, which a script alone knows.
    assert two.page(match).one("h2", id="chat-title").text == "Chat"
    for browser in (eve, somebody):
        assert "good luck" not in browser.get(match).text


def unfolded(page: Element) -> list[str]:
    """Return which of the panels stand open."""
    return [
        one.attributes["data-key"]
        for one in page.all("details", class_="panel")
        if "open" in one.attributes
    ]


def test_one_panel_stands_open_and_it_is_the_one_that_has_something_to_read(
    pair: Pair, match: str, eve: Browser
) -> None:
    one, two = pair.browsers
    assert unfolded(one.page(match)) == ["players"]
    assert unfolded(eve.page(match)) == ["spectators"]
    refused = send(one, match, "notes", text=" ", step="0")
    assert unfolded(read(refused.text)) == ["notes"]
    refused = send(two, match, "lines", if_="+1", then="+9")
    assert unfolded(read(refused.text)) == ["lines"]
    one.send(f"{match}?ask=resign", f"{match}/actions")
    assert unfolded(one.page(match)) == ["analysis"]
    send(eve, match, "chat", text="well played")
    assert unfolded(two.page(match)) == ["spectators"]
    refused = send(eve, match, "chat", text="x" * 501)
    assert unfolded(read(refused.text)) == ["spectators"]


def test_a_message_sent_twice_is_said_once(pair: Pair, match: str) -> None:
    one = pair.acting
    values = one.form(match, f"{match}/chat") | {"text": ["once"]}
    first, second = one.post(f"{match}/chat", values), one.post(f"{match}/chat", values)
    assert first.headers["Location"] == second.headers["Location"]
    assert said(one.page(match)) == ["once"]


def test_markup_in_a_message_stays_text(pair: Pair, match: str) -> None:
    send(pair.acting, match, "chat", text="<script>alert(1)</script>")
    text = pair.acting.get(match).text
    assert "<script>alert" not in text
    assert said(read(text)) == ["<script>alert(1)</script>"]


def test_a_message_that_cannot_be_taken_stays_in_its_field(pair: Pair, match: str) -> None:
    answer = send(pair.acting, match, "chat", text="x" * 501)
    assert answer.status_code == 422
    assert error(answer, "chat") == "This text has 501 characters; 500 are the most."
    (field,) = read(answer.text).all("textarea", id="say-players")
    assert field.text == "x" * 501


def test_a_message_of_ones_own_can_be_deleted(pair: Pair, match: str) -> None:
    one, two = pair.browsers
    send(one, match, "chat", text="oh no")
    assert not two.page(match).all("form", action=f"{match}/chat/deletions")
    assert one.send(match, f"{match}/chat/deletions").status_code == 303
    for browser in (one, two):
        shown = browser.page(match)
        assert not said(shown)
        assert "This message was deleted." in shown.text


def test_who_watches_speaks_in_a_room_that_players_read_afterwards(
    pair: Pair, match: str, eve: Browser, somebody: Browser
) -> None:
    send(eve, match, "chat", text="node 7!")
    assert said(somebody.page(match)) == ["node 7!"]
    assert "node 7!" not in pair.acting.get(match).text
    assert not somebody.page(match).all("form", action=f"{match}/chat")
    pair.acting.send(f"{match}?ask=resign", f"{match}/actions")
    assert "node 7!" in said(pair.acting.page(match))


def test_notes_are_read_by_their_author_alone(pair: Pair, match: str, somebody: Browser) -> None:
    one, two = pair.browsers
    assert send(one, match, "notes", text="a plan", step="0").status_code == 303
    send(one, match, "notes", text="look here", step="4")
    (whole, step) = one.page(match).one("div", id="notes").all("textarea")[:2]
    assert (whole.text, step.text) == ("a plan", "look here")
    for browser in (two, somebody):
        assert "a plan" not in browser.get(match).text
    assert not somebody.page(match).all("div", id="notes")


def test_another_note_on_the_same_step_is_added_to_the_first(pair: Pair, match: str) -> None:
    for text in ("one", "two", "two"):
        send(pair.acting, match, "notes", text=text, step="4")
    (note,) = pair.acting.page(match).all("textarea", id="note-4")
    assert note.text == "one two"


def test_a_note_is_changed_and_deleted(pair: Pair, match: str) -> None:
    one = pair.acting
    send(one, match, "notes", text="old", step="4")
    csrf = one.form(match, f"{match}/chat")["csrf"]
    one.post(f"{match}/notes", {"csrf": csrf, "step": ["4"], "text": ["new"]})
    assert one.page(match).all("textarea", id="note-4")[0].text == "new"
    one.post(f"{match}/notes", {"csrf": csrf, "step": ["4"], "delete": ["1"]})
    assert not one.page(match).all("textarea", id="note-4")


def test_a_note_without_a_step_or_text_is_refused(pair: Pair, match: str) -> None:
    assert send(pair.acting, match, "notes", text="x", step="").status_code == 400
    answer = send(pair.acting, match, "notes", text=" ", step="0")
    assert (answer.status_code, error(answer, "note")) == (
        422, "There is nothing to read in this text.",
    )  # fmt: skip


def test_a_typed_line_is_played_for_its_author(pair: Pair, match: str) -> None:
    two = pair.browsers[1]
    assert send(two, match, "lines", if_="+1", then="+3").status_code == 303
    assert lines(two, match) == ["1 If +1, then +3."]
    assert "If +1" not in pair.acting.get(match).text
    pair.play(match, {"steps": 1})
    assert pair.to_act(match) == 1
    shown = two.page(match).one("div", id="lines").text
    assert "Your opponent played +1; +3 was played for you." in shown


def test_a_line_follows_on_another(pair: Pair, match: str) -> None:
    two = pair.browsers[1]
    send(two, match, "lines", if_="+1", then="+3")
    send(two, match, "lines", if_="+2", then="+1", under="1")
    send(two, match, "lines", if_="+3", then="+1")
    assert lines(two, match) == ["1 If +1, then +3.", "1.1 If +2, then +1.", "2 If +3, then +1."]
    for label in ("7", "01", "9" * 5_000):
        answer = send(two, match, "lines", if_="+2", then="+1", under=label)
        assert error(answer, "line") == f"You have no line {label} any more."


def test_a_line_that_a_rule_forbids_stays_in_its_fields(pair: Pair, match: str) -> None:
    answer = send(pair.browsers[1], match, "lines", if_="+1", then="+9")
    assert answer.status_code == 422
    assert "1, 2 or 3" in error(answer, "line")
    fields = {
        one.attributes["name"]: one.attributes.get("value")
        for one in read(answer.text).one("div", id="lines").all("input")
    }
    assert (fields["if"], fields["then"]) == ("+1", "+9")


def test_two_answers_to_one_move_are_refused(pair: Pair, match: str) -> None:
    two = pair.browsers[1]
    send(two, match, "lines", if_="+1", then="+3")
    answer = send(two, match, "lines", if_="+1", then="+2")
    assert error(answer, "line").startswith("You answer that move already, and differently.")
    assert lines(two, match) == ["1 If +1, then +3."]


def test_lines_begin_behind_a_move_of_ones_own(pair: Pair, match: str) -> None:
    one = pair.acting
    assert send(one, match, "lines", first="+1", if_="+2", then="+3").status_code == 303
    assert "First you play +1 yourself." in one.page(match).one("div", id="lines").text
    answer = send(one, match, "lines", first="+2", if_="+2", then="+3")
    assert error(answer, "line").startswith("Your lines begin behind another move of yours.")
    pair.play(match, {"steps": 1}, {"steps": 2})
    assert pair.to_act(match) == 2


def test_a_line_is_removed_or_all_of_them(pair: Pair, match: str) -> None:
    two = pair.browsers[1]
    send(two, match, "lines", if_="+1", then="+3")
    send(two, match, "lines", if_="+2", then="+3")
    (first, *_) = two.page(match).all("form", action=f"{match}/lines/deletions")
    values = {i.attributes["name"]: [i.attributes["value"]] for i in first.all("input")}
    assert two.post(f"{match}/lines/deletions", values).status_code == 303
    assert lines(two, match) == ["1 If +2, then +3."]
    # The same form again is about lines that are no longer there.
    again = two.post(f"{match}/lines/deletions", values)
    assert "have changed" in error(again, "line")
    assert send(two, match, "lines/deletions").status_code == 303
    assert lines(two, match) == []


def test_a_line_that_was_tried_on_a_board_is_kept(pair: Pair, match: str) -> None:
    two = pair.browsers[1]
    board = f"{match}/line?at=4"
    assert f"{board}#board" in [
        one.attributes["href"] for one in two.page(match).all("a", class_="button")
    ]
    for tried in ("", "&try=%2B1"):
        assert not two.page(f"{board}{tried}").all("form", action=f"{match}/lines")
    answer = two.send(f"{board}&try=%2B1&try=%2B3&try=%2B2&try=%2B1", f"{match}/lines")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{match}#lines")
    assert lines(two, match) == ["1 If +1, then +3.", "1.1 If +2, then +1."]


def test_a_line_from_an_old_board_is_refused(pair: Pair, match: str) -> None:
    two, board = pair.browsers[1], f"{match}/line?at=4&try=%2B1&try=%2B3"
    values = two.form(board, f"{match}/lines")
    pair.play(match, {"steps": 2}, {"steps": 2})
    answer = two.post(f"{match}/lines", values)
    assert answer.status_code == 409
    assert error(answer, "line").startswith("The match has gone on")
    assert not two.page(board).all("form", action=f"{match}/lines")


def test_a_card_that_is_placed_face_down_is_answered_whatever_it_is(pair: Pair) -> None:
    match = pair.start("power-lines").partition("#")[0]
    waiting = 3 - (pair.to_act(match) or 1)
    spots = [one["text"].partition("@")[2] for one in pair.legal(match)]
    two = pair.browsers[waiting - 1]
    assert not [
        one for one in two.page(match).all("a") if "/line?" in one.attributes.get("href", "")
    ]
    answer = send(two, match, "lines", if_=f"place ?@{spots[0]}", then="draw")
    assert answer.status_code == 303
    assert lines(two, match) == [f"1 If place ?@{spots[0]}, then draw."]
    peeking = send(two, match, "lines", if_=f"place 3@{spots[0]}", then="draw")
    assert "You will not see which card is placed face down" in error(peeking, "line")


def test_a_draft_of_a_move_outlives_what_is_said(pair: Pair, match: str) -> None:
    address = f"{match}?path=node:3&on=4"
    answer = send(pair.acting, address, "chat", text="hm")
    shown = pair.acting.page(answer.headers["Location"])
    assert shown.one("section", class_="preview").one("code").text == "+3"


@pytest.mark.parametrize("place", ["chat", "notes", "lines", "lines/deletions", "chat/deletions"])
def test_whoever_is_not_logged_in_is_led_to_the_log_in(
    match: str, somebody: Browser, place: str
) -> None:
    csrf = somebody.form("/log-in", "/log-in")["csrf"]
    values = {"csrf": csrf, "text": ["x"], "version": ["4"], "lines": ["0"], "step": ["0"]}
    answer = somebody.post(f"{match}/{place}", values)
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("/log-in?next=")
    assert identity(match) in answer.headers["Location"]
