"""Practice on pages: both seats by one browser, without an account."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from services.container import Services
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.readers import read
from tests.web.people import Answer


def begin(browser: Browser, game: str = "path-capture", **typed: str) -> str:
    """Begin a practice match; return its address."""
    answer = browser.send(f"/practice?game={game}", "/practice", **typed)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"].partition("#")[0]


def cookies(answer: Answer) -> dict[str, str]:
    found = answer.headers.getlist("Set-Cookie")
    return {one.partition("=")[0]: one for one in found}


def test_a_visitor_plays_a_match_to_its_end(somebody: Browser, house: Services) -> None:
    match = begin(somebody)
    for step in ("node 3", "node 8", "node 5", "node 5"):
        assert somebody.page(match).one("section", class_="desk").one("h2").text == "Your turn"
        assert somebody.play(match, step).status_code == 303
    shown = somebody.page(match)
    assert (
        shown.one("p", class_="standing").text
        == "Right hand won: a piece has landed on the other one."
    )
    assert house.queries.show(Asker(), identity(match)).view.status == "finished"


def test_every_game_can_be_practised(somebody: Browser, house: Services) -> None:
    tiles = somebody.page("/practice").one("ul", class_="games").all("h2")
    assert len(tiles) == len(list(house.games))
    for game in house.games:
        match = begin(somebody, game.slug)
        shown = somebody.page(match)
        assert shown.one("section", class_="practising").one("h2").text == "Practice"


def test_the_cookie_lasts_a_day_and_is_for_no_script(
    somebody: Browser, make_app: Callable[..., Flask]
) -> None:
    values = somebody.form("/practice?game=path-capture", "/practice")
    made = cookies(somebody.post("/practice", values))["plybook-practice"]
    assert all(part in made for part in ("HttpOnly", "SameSite=Lax", "Max-Age=86400", "Path=/"))
    assert "Secure" not in made
    app = make_app(public_url="https://play.example")
    client = app.test_client()
    page = client.get("/practice?game=path-capture", base_url="https://play.example")
    token = read(page.text).one("main").one("input", name="csrf").attributes["value"]
    answer = client.post(
        "/practice", data={"csrf": token, "game": "path-capture"}, base_url="https://play.example"
    )
    made = answer.headers.getlist("Set-Cookie")[0]
    assert made.startswith("__Host-plybook-practice=")
    assert "Secure" in made


def test_looking_at_what_can_be_practised_holds_nothing(somebody: Browser) -> None:
    for address in ("/practice", "/practice?game=path-capture"):
        assert "plybook-practice" not in cookies(somebody.get(address))


def test_another_browser_can_only_look_on(somebody: Browser, cora: Browser) -> None:
    match = begin(somebody)
    other = Browser(somebody.client.application)
    for browser in (other, cora):
        shown = browser.page(match)
        assert not shown.all("section", class_="practising")
        assert not shown.all("a", class_="choice")
        assert "chat" not in shown.one("main").text
    values = cora.form("/new?game=path-capture", "/new")
    forms = {"csrf": values["csrf"], "version": ["4"], "move": ["3"], "action": ["resign"]}
    for action, status in (("moves", 403), ("actions", 403), ("take-back", 404)):
        assert cora.post(f"{match}/{action}", forms).status_code == status, action
    assert cora.post(f"{match}/end-practice", forms).status_code == 404
    assert somebody.play(match, "node 3").status_code == 303


def test_a_hidden_hand_is_seen_by_the_browser_that_plays_it_alone(somebody: Browser) -> None:
    match = begin(somebody, "power-lines")
    own = somebody.get(match)
    assert own.headers["Cache-Control"] == "private, no-store"
    assert read(own.text).all("a", class_="choice")
    other = Browser(somebody.client.application).page(match)
    assert not other.all("a", class_="choice")
    assert somebody.get(f"{match}/frames").headers["Cache-Control"] == "private, no-store"


def test_a_player_who_is_logged_in_practises_under_no_name(cora: Browser, house: Services) -> None:
    match = begin(cora)
    seats = house.queries.show(Asker(), identity(match)).view.seats
    player = house.accounts.find("cora")
    assert player is not None
    assert player.id not in seats
    assert cora.play(match, "node 3").status_code == 303
    assert match not in cora.get("/").text
    assert match in cora.get("/practice").text
    assert cora.page(match).one("nav", aria_label="Your account").one("bdi").text == "cora"


def test_it_is_in_no_list_but_ones_own(somebody: Browser, cora: Browser) -> None:
    match = begin(somebody)
    for browser, address in ((somebody, "/"), (cora, "/"), (cora, "/matches")):
        page = browser.get(address).text
        assert (match in page) is (browser is somebody and address == "/")
    assert match in somebody.get("/practice").text


def test_the_last_move_is_taken_back_by_one_click(somebody: Browser, house: Services) -> None:
    match = begin(somebody)
    somebody.play(match, "node 3")
    assert somebody.send(match, f"{match}/take-back").status_code == 303
    assert house.queries.show(Asker(), identity(match)).view.ply == 0
    values = somebody.form(match, f"{match}/take-back")
    answer = somebody.post(f"{match}/take-back", values)
    assert answer.status_code == 409
    assert "No move stands" in answer.text


def test_it_ends_when_its_player_wants(somebody: Browser, house: Services) -> None:
    match = begin(somebody)
    values = somebody.form(match, f"{match}/end-practice")
    somebody.play(match, "node 3")
    assert somebody.post(f"{match}/end-practice", values).status_code == 303
    assert house.queries.show(Asker(), identity(match)).view.status == "aborted"
    again = somebody.post(f"{match}/end-practice", values)
    assert again.status_code == 409


def test_nothing_is_offered_to_oneself(somebody: Browser) -> None:
    shown = somebody.page(begin(somebody))
    assert not shown.all("form", action="/actions")
    assert "Resign" not in shown.one("main").text
    assert "Offer a draw" not in shown.text


def test_options_and_both_decks_can_be_chosen(somebody: Browser, house: Services) -> None:
    match = begin(somebody, options__length="7")
    assert house.queries.show(Asker(), identity(match)).view.options == {"length": 7}
    values = somebody.form("/practice?game=power-lines", "/practice")
    answer = somebody.post("/practice", {**values, "settings-2.deck": ["1 2 3"]})
    assert answer.status_code == 422
    shown = read(answer.text)
    (wrong,) = [one for one in shown.everything() if one.attributes.get("aria-invalid")]
    assert wrong.attributes["name"] == "settings-2.deck"
    assert somebody.post("/practice", {**values, "options.gap": ["99"]}).status_code == 422


def test_a_form_that_is_sent_twice_begins_one(somebody: Browser) -> None:
    values = somebody.form("/practice?game=path-capture", "/practice")
    first, again = (somebody.post("/practice", values) for _ in range(2))
    assert first.headers["Location"] == again.headers["Location"]


def test_a_practice_match_has_no_rematch_and_no_invitation(
    somebody: Browser, cora: Browser
) -> None:
    match = begin(cora)
    for step in ("node 3", "node 8", "node 5", "node 5"):
        cora.play(match, step)
    csrf = cora.form("/account", "/account/password")["csrf"]
    assert cora.post(f"{match}/rematch", {"csrf": csrf}).status_code == 403
    assert cora.post(f"{match}/invitations", {"csrf": csrf}).status_code == 403
    other = begin(somebody)
    csrf = somebody.form("/practice?game=path-capture", "/practice")["csrf"]
    assert somebody.post(f"{other}/rematch", {"csrf": csrf}).status_code == 303


@pytest.mark.parametrize("cookie", ["nonsense", "x" * 5000, "ünï", ""])
def test_a_cookie_that_is_none_of_ours_holds_nothing(somebody: Browser, cookie: str) -> None:
    match = begin(somebody)
    header = {"Cookie": f"plybook-practice={cookie}".encode().decode("latin-1")}
    answer = Browser(somebody.client.application).client.get(match, headers=header)
    assert answer.status_code == 200
    assert "practising-title" not in answer.text


def test_beginning_is_limited_by_address(make_app: Callable[..., Flask]) -> None:
    browser = Browser(make_app(rate_limit=1000, practice_limit=2))
    begin(browser)
    begin(browser)
    assert browser.send("/practice?game=path-capture", "/practice").status_code == 429
