"""Offers, takebacks, pauses, time and vacations, by forms of a match's page, without a script."""

from __future__ import annotations

import pytest

from domain.json_types import JsonObject
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import Element, read
from tests.web.people import Answer

DAYS: JsonObject = {"days_per_move": 3}


@pytest.fixture
def match(pair: Pair) -> str:
    """Give the address of a match with clocks; P1 is to move."""
    return timed(pair, DAYS)


def timed(pair: Pair, pace: JsonObject | None) -> str:
    """Start a match at a pace; return its address."""
    new = NewMatch("path-capture", seat=1, pace=pace)
    matches = pair.house.matches
    created = matches.create(ChangeRequest(pair.ids[0], any_version=True), new).shown.view.id
    matches.join(ChangeRequest(pair.ids[1], any_version=True), created)
    return f"/m/{created}"


def filled_in(browser: Browser, match: str, action: str) -> dict[str, list[str]]:
    """Return what the form of an action has in it on the page of a match."""
    address, _, query = match.partition("?")
    for form in browser.page(match).all("form", action=f"{address}/actions"):
        values: dict[str, list[str]] = {}
        for one in form.all("input"):
            values.setdefault(one.attributes["name"], []).append(one.attributes.get("value", ""))
        pressed = [one.attributes.get("value") for one in form.all("button")]
        if action in (*values.get("action", []), *pressed):
            return {**values, "action": [action]}
    raise AssertionError(f"{action} cannot be asked for: {query}")


def act(browser: Browser, match: str, action: str, **typed: str) -> Answer:
    """Press the button of an action on the page of a match."""
    values = filled_in(browser, match, action)
    values.update({name: [value] for name, value in typed.items()})
    return browser.post(f"{match.partition('?')[0]}/actions", values)


def offered(browser: Browser, match: str) -> list[str]:
    """Return what a player can ask for."""
    asks = browser.page(match).all("details", class_="asks")
    return [button.text for one in asks for button in one.all("button")]


def proposal(browser: Browser, match: str) -> str:
    """Return what is proposed, in words."""
    (form,) = browser.page(match).all("form", class_="proposal")
    return form.all("p")[0].text


def standing(browser: Browser, match: str) -> str:
    return browser.page(match).one("p", class_="standing").text


def test_a_draw_is_offered_and_agreed_to(pair: Pair, match: str) -> None:
    one, two = pair.browsers
    assert act(two, match, "offer_draw").status_code == 303
    assert proposal(two, match) == "You propose a draw."
    assert "Offer a draw" not in offered(one, match)
    assert proposal(one, match) == "Your opponent offers a draw."
    assert act(one, match, "accept_draw").status_code == 303
    assert standing(one, match) == "A draw: both players agreed to it."
    assert not offered(one, match)


def test_an_offer_is_withdrawn_or_declined(pair: Pair, match: str) -> None:
    one, two = pair.browsers
    act(two, match, "offer_draw")
    act(two, match, "decline_draw")
    assert not one.page(match).all("form", class_="proposal")
    act(two, match, "offer_draw")
    act(one, match, "decline_draw")
    assert not two.page(match).all("form", class_="proposal")
    assert standing(one, match) == "It is your turn."


def test_a_move_is_taken_back_when_the_opponent_agrees(pair: Pair, match: str) -> None:
    one, two = pair.browsers
    assert "takeback" not in " ".join(offered(one, match)).lower()
    pair.play(match, {"steps": 3}, {"steps": 2})
    assert "Ask to take back +3" in offered(one, match)
    assert "Ask to take back +2" in offered(two, match)
    act(one, match, "offer_takeback")
    assert proposal(two, match) == (
        "Your opponent proposes to take back +3 and what came after it."
    )
    act(two, match, "accept_takeback")
    assert pair.to_act(match) == 1
    gone = one.page(match).one("section", class_="moves").all("a", class_="gone")
    assert len(gone) >= 2


def test_what_was_taken_back_cannot_be_taken_back_again(pair: Pair, match: str) -> None:
    one, two = pair.browsers
    pair.play(match, {"steps": 3})
    act(one, match, "offer_takeback")
    act(two, match, "accept_takeback")
    assert "Ask to take back +3" not in offered(one, match)


def test_a_pause_is_agreed_to_and_ended_early(pair: Pair, match: str) -> None:
    one, two = pair.browsers
    act(one, match, "offer_pause", days="5")
    assert proposal(two, match) == "Your opponent proposes a pause of 5 days."
    act(two, match, "accept_pause")
    shown = one.page(match)
    assert "The clocks stand until" in shown.one("p", class_="until").text
    # Where there is little room the head alone says so.
    assert shown.one("p", class_="head-clock").text.endswith("paused")
    assert "Propose a pause" not in offered(one, match)
    act(one, match, "offer_resume")
    act(two, match, "accept_resume")
    shown = one.page(match)
    assert shown.one("p", class_="until").text.startswith("Until ")
    assert "paused" not in shown.one("p", class_="head-clock").text


def test_a_pause_that_is_too_long_is_refused_with_a_reason(pair: Pair, match: str) -> None:
    answer = act(pair.acting, f"{match}?path=node:3&on=4", "offer_pause", days="31")
    assert answer.status_code == 409
    shown = read(answer.text)
    assert shown.one("p", class_="error").text == "A pause has at most 30 days."
    # The move that was being entered is still there.
    assert shown.one("section", class_="preview").one("code").text == "+3"


def test_time_is_given_to_the_opponent(pair: Pair, match: str) -> None:
    act(pair.acting, match, "give_time", hours="48")
    clocks = pair.acting.page(match).one("section", class_="clocks")
    assert "5 days" in clocks.all("dd")[1].text


def test_a_vacation_lets_the_own_clock_stand(pair: Pair, match: str) -> None:
    one = pair.acting
    assert one.send(match, f"{match}/vacation", days="4").status_code == 303
    shown = one.page(match)
    assert "on vacation until" in shown.one("section", class_="clocks").all("dd")[0].text
    assert "(on vacation)" in shown.one("p", class_="head-clock").text
    assert "End my vacation" in offered(one, match)
    assert one.send(match, f"{match}/vacation").status_code == 303
    assert "Go on vacation" in offered(one, match)


def test_more_vacation_than_is_left_is_refused_with_a_reason(pair: Pair, match: str) -> None:
    one = pair.acting
    assert one.send(match, f"{match}/vacation", days="20").status_code == 303
    one.send(match, f"{match}/vacation")
    # One day of it has begun.
    answer = one.send(match, f"{match}/vacation", days="30")
    assert answer.status_code == 409
    assert "29 of 30 days" in read(answer.text).one("p", class_="error").text
    assert one.send(match, f"{match}/vacation", days="31").status_code == 400


def test_without_a_clock_nothing_is_offered_about_time(pair: Pair) -> None:
    match = timed(pair, None)
    found = offered(pair.acting, match)
    assert found == ["Offer a draw"]
    assert not pair.acting.page(match).all("section", class_="clocks")
    assert not pair.acting.page(match).all("p", class_="until")


def test_whose_turn_it_is_and_until_when_is_said_in_words(pair: Pair, match: str) -> None:
    own, other = (one.page(match).one("p", class_="until") for one in pair.browsers)
    deadline = pair.house.queries.show(Asker(), identity(match)).view.deadline or ""
    assert own.one("time").attributes["datetime"] == f"{deadline[:19]}Z"
    assert own.text.startswith("Until ")
    assert "UTC: 2 days 23 hours left." in own.text
    assert other.text.startswith("They have until ")


def test_an_offer_on_an_old_page_says_what_came_in_between(pair: Pair, match: str) -> None:
    one = pair.acting
    values = filled_in(one, match, "offer_draw")
    pair.play(match, {"steps": 3})
    answer = one.post(f"{match}/actions", values)
    assert answer.status_code == 303
    (told,) = news(one.page(answer.headers["Location"]))
    assert told.startswith("You go 3 nodes forward to node 3.")


def news(shown: Element) -> list[str]:
    return [one.text for one in shown.one("div", class_="news").all("li")]


def test_an_offer_keeps_the_move_that_is_being_entered(pair: Pair, match: str) -> None:
    answer = act(pair.acting, f"{match}?path=node:3&on=4", "offer_draw")
    shown = pair.acting.page(answer.headers["Location"])
    assert shown.one("section", class_="preview").one("code").text == "+3"
    assert news(shown) == ["You offer a draw."]


def test_spectators_are_asked_for_nothing(pair: Pair, match: str, somebody: Browser) -> None:
    act(pair.acting, match, "offer_draw")
    shown = somebody.page(match)
    assert not shown.all("form", class_="proposal")
    assert not shown.all("details", class_="asks")
    assert shown.all("section", class_="clocks")


def test_a_move_can_be_played_with_its_last_step(pair: Pair, match: str) -> None:
    one = pair.acting
    form = one.form(match, "/confirm")
    assert one.post("/confirm", {**form, "confirm": ["perhaps"]}).status_code == 400
    chosen = one.post("/confirm", {**form, "confirm": ["once"]})
    assert (chosen.status_code, chosen.headers["Location"]) == (303, f"{match}#entry")
    shown = one.page(match)
    buttons = {button.text: button.attributes for button in shown.all("button", class_="choice")}
    assert len(buttons) == 3
    pressed = next(one for text, one in buttons.items() if text.startswith("node 2"))
    assert pressed["form"] == "at-once"
    values = one.form(match, f"{match}/moves")
    values["move"] = [pressed["value"]]
    assert one.post(f"{match}/moves", values).status_code == 303
    assert pair.to_act(match) == 2
    away = {**form, "confirm": ["ask"], "next": ["//evil.example"]}
    assert one.post("/confirm", away).headers["Location"] == "/"
    pair.play(match, {"steps": 1})
    assert not one.page(match).all("button", class_="choice")
