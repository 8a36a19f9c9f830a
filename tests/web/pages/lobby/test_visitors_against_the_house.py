"""On pages a visitor plays one seat against the house, and sees what that seat sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from domain.match.house_players import PLAYERS
from services.container import Services
from services.lobby import practice
from services.matches import seats
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store.lobby import practice as store
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.readers import read

LEVEL = "1"


def begin(browser: Browser, game: str = "path-capture", **chosen: str) -> str:
    """Begin a match against the house; return its address."""
    values = browser.form(f"/practice?game={game}", "/practice")
    values |= {"level": [LEVEL], **{name: [value] for name, value in chosen.items()}}
    answer = browser.post("/practice", values)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"].partition("#")[0]


def answered(house: Services, match: str) -> None:
    while house.house_players.go_on(identity(match)):
        pass


def test_a_visitor_plays_a_match_against_the_house(somebody: Browser, house: Services) -> None:
    match = begin(somebody)
    page = somebody.page(match)
    panel = page.one("div", class_="under").one("section", class_="practising")
    assert panel.one("h2").text == "Against the house"
    assert page.one("section", class_="desk").one("h2").text == "Your turn"
    assert somebody.play(match, "node 3").status_code == 303
    assert somebody.page(match).one("section", class_="desk").one("h2").text.endswith("turn")
    answered(house, match)
    shown = house.queries.show(Asker(), identity(match)).view
    assert shown.ply >= 2
    assert shown.seats[1] == PLAYERS[1]


def test_a_page_looks_once_who_holds_its_match(
    somebody: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, looked = begin(somebody), []
    get = store.find

    def counted(*asked: Any) -> Any:  # noqa: ANN401 - as it is
        looked.append(asked)
        return get(*asked)

    monkeypatch.setattr(store, "find", counted)
    page = somebody.page(match)
    assert page.one("section", class_="practising").one("h2").text == "Against the house"
    assert len(looked) == 1


def test_every_game_offers_as_many_levels_as_it_has(somebody: Browser, house: Services) -> None:
    from domain.search.engine import count_levels

    for game in house.games:
        shown = somebody.page(f"/practice?game={game.slug}")
        found = [one.attributes["value"] for one in shown.all("button", name="level")]
        assert found == [str(one) for one in range(1, count_levels(game) + 1)], game.slug
        if found:
            assert "accepts a draw from 100 moves on" in shown.text


def test_the_house_is_resigned_to_and_asked(somebody: Browser, house: Services) -> None:
    match = begin(somebody)
    somebody.play(match, "node 2")
    answered(house, match)
    shown = somebody.page(match)
    assert "Offer a draw" in shown.text
    assert "Ask to take back" in shown.text
    assert "The house accepts a draw from 100 moves on" in shown.text
    assert "The house accepts: the move is taken back." in shown.text
    values = somebody.form(f"{match}?ask=resign", f"{match}/actions")
    assert somebody.post(f"{match}/actions", {**values, "action": ["resign"]}).status_code == 303
    view = house.queries.show(Asker(), identity(match)).view
    assert view.result == {"winner": 2, "reason": "resignation"}
    over = somebody.page(match)
    assert not over.all("form", action=f"{match}/rematch")
    assert "Play again" in over.one("section", class_="practising").text


def test_after_the_end_one_plays_again_with_one_click(somebody: Browser, house: Services) -> None:
    match = begin(somebody)
    assert not somebody.page(match).one("section", class_="practising").all("button")
    somebody.send(f"{match}?ask=resign", f"{match}/actions")
    panel = somebody.page(match).one("section", class_="practising")
    assert panel.one("button").text == "Play again"
    sent = somebody.filled(panel, "/practice") | {
        "level": [panel.one("button").attributes["value"]]
    }
    again = somebody.post("/practice", sent).headers["Location"]
    assert house.queries.show(Asker(), identity(again)).view.seats[1] == PLAYERS[1]
    assert match not in again


def test_another_browser_can_only_look_on(somebody: Browser, cora: Browser) -> None:
    match = begin(somebody)
    other = Browser(somebody.client.application)
    for browser in (other, cora):
        shown = browser.page(match)
        assert not shown.all("section", class_="practising")
        assert not shown.all("a", class_="choice")
        assert "chat" not in shown.one("main").text
    values = {**cora.form("/new?game=path-capture", "/new"), "version": ["4"], "move": ["3"]}
    for action, status in (("moves", 403), ("actions", 403), ("take-back", 404)):
        sent = {**values, "action": ["resign"]}
        assert cora.post(f"{match}/{action}", sent).status_code == status, action
    for action in ("take-back", "end-practice"):
        csrf = somebody.form("/practice?game=path-capture", "/practice")["csrf"]
        assert somebody.post(f"{match}/{action}", {"csrf": csrf}).status_code == 404


@pytest.mark.parametrize("seat", ["1", "2"])
def test_the_hand_of_the_house_is_on_no_page(somebody: Browser, house: Services, seat: str) -> None:
    """Whoever is to act: what a visitor gets is byte for byte what their own seat sees."""
    match = begin(somebody, "power-lines", seat=seat)
    one, turns = identity(match), set()
    for _ in range(10):
        view = house.queries.show(Asker(), one).view
        turns.add(view.to_act)
        seen = somebody.get(f"{match}/events").json["events"]
        mine = house.queries.show_events(Asker(view.seats[int(seat) - 1]), one).events
        assert seen == mine
        hidden = house.queries.show_events(Asker(PLAYERS[1]), one).events
        assert seen != hidden
        assert f"hand:{3 - int(seat)}:" not in somebody.get(match).text
        frames = somebody.get(f"{match}/frames")
        assert frames.headers["Cache-Control"] == "private, no-store"
        assert f"hand:{3 - int(seat)}:" not in frames.text
        if view.to_act == int(seat):
            moves = house.queries.list_legal_moves(Asker(view.seats[int(seat) - 1]), one, limit=1)
            text = str(moves.moves[0]["text"])
            csrf = somebody.form("/practice?game=power-lines", "/practice")["csrf"]
            form = {"csrf": csrf, "version": [str(view.version)], "move": [text]}
            assert somebody.post(f"{match}/moves", form).status_code == 303
        else:
            assert somebody.post(
                f"{match}/moves",
                {
                    "csrf": somebody.form("/practice?game=power-lines", "/practice")["csrf"],
                    "version": [str(view.version)],
                    "move": ["shuffle"],
                },
            ).status_code in (303, 409)
            assert house.queries.show(Asker(), one).view.version == view.version
            house.house_players.go_on(one)
    assert turns >= {1, 2}


def test_who_signs_up_has_the_match_in_their_list(somebody: Browser, house: Services) -> None:
    match = begin(somebody)
    assert match in somebody.get("/").text
    link = somebody.page(match).one("section", class_="practising").all("a")[-1]
    assert "Sign up" in link.text
    somebody.sign_up("dora")
    assert match in somebody.get("/").text
    assert match in somebody.get("/matches?mine=true").text
    assert match not in somebody.get("/practice").text
    page = somebody.page(match)
    assert not page.all("section", class_="practising")
    assert "dora" in page.one("h1").text
    assert somebody.play(match, "node 3").status_code == 303
    answered(house, match)
    # Whoever comes with the same cookie, and is not logged in, only looks on.
    somebody.log_out()
    assert not somebody.page(match).all("a", class_="choice")


def test_a_player_who_is_logged_in_plays_under_their_name(cora: Browser, house: Services) -> None:
    match = begin(cora)
    player = house.accounts.find("cora")
    assert player is not None
    assert player.id in house.queries.show(Asker(), identity(match)).view.seats
    assert match in cora.get("/").text
    assert not cora.page(match).all("section", class_="practising")


def test_who_logs_in_holds_what_they_began_in_this_browser(somebody: Browser, app: Flask) -> None:
    Browser(app).sign_up("dora")
    match = begin(somebody)
    assert "Sign up before then, and it stays yours" in somebody.page(match).text
    somebody.log_in("dora")
    panel = somebody.page(match).one("section", class_="practising").text
    assert "it does not belong to yours" in panel
    assert "sign up" not in panel.lower()
    assert match in somebody.get("/practice").text
    assert somebody.play(match, "node 3").status_code == 303


def test_who_is_about_to_log_in_is_told_what_stays_behind(somebody: Browser, app: Flask) -> None:
    """For who signs up nothing does, and of practice on both seats nothing can be kept."""

    def told(browser: Browser, address: str) -> list[str]:
        return [one.text for one in browser.page(address).all("p", class_="warning")]

    practice_alone = Browser(app)
    practice_alone.send("/practice?game=path-capture", "/practice")
    assert told(practice_alone, "/log-in") == told(somebody, "/log-in") == []
    match = begin(somebody)
    [sentence] = told(somebody, f"/log-in?next={match}")
    assert "cannot move to an account that you already have" in sentence
    assert told(somebody, "/sign-up") == []
    page = somebody.page(f"/log-in?next={match}").one("p", class_="warning")
    assert page.one("a").attributes["href"] == f"/sign-up?next={match}"
    somebody.sign_up("dora")
    somebody.log_out()
    assert told(somebody, "/log-in") == []


def test_too_many_are_refused_in_a_sentence(
    somebody: Browser, cora: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "MOST_AGAINST_THE_HOUSE", 1)
    monkeypatch.setattr(seats, "MOST_AGAINST_THE_HOUSE", 1)
    for browser in (somebody, cora):
        begin(browser)
        values = browser.form("/practice?game=path-capture", "/practice")
        answer = browser.post("/practice", {**values, "level": ["1"]})
        assert answer.status_code == 409
        assert "running matches against the house" in answer.text
        # Both seats can be practised still.
        assert browser.post("/practice", values).status_code == 303


@pytest.mark.parametrize(
    "wrong", [{"level": "0"}, {"level": "9"}, {"level": "x"}, {"level": "1", "seat": "3"}]
)
def test_what_cannot_be_chosen_is_told_on_the_form(
    somebody: Browser, wrong: dict[str, str]
) -> None:
    values = somebody.form("/practice?game=path-capture", "/practice")
    answer = somebody.post("/practice", {**values, **{name: [one] for name, one in wrong.items()}})
    assert answer.status_code in (400, 422)
    assert read(answer.text).all("form", action="/practice")
    assert read(answer.text).all("p", class_="error")


def test_a_setting_that_cannot_be_is_told_at_its_field(somebody: Browser, cora: Browser) -> None:
    for browser in (somebody, cora):
        values = browser.form("/practice?game=power-lines", "/practice")
        values |= {"level": ["1"], "settings-1.deck": ["zzz"]}
        answer = browser.post("/practice", values)
        assert answer.status_code == 422
        field = read(answer.text).one("input", name="settings-1.deck")
        assert field.attributes["aria-invalid"] == "true"
        assert "deck must be a list" in answer.text


def test_a_form_that_is_sent_twice_begins_one(somebody: Browser) -> None:
    values = {**somebody.form("/practice?game=path-capture", "/practice"), "level": ["1"]}
    first, again = (somebody.post("/practice", values) for _ in range(2))
    assert first.headers["Location"] == again.headers["Location"]


def test_beginning_is_limited_by_address(make_app: Callable[..., Flask]) -> None:
    browser = Browser(make_app(rate_limit=1000, practice_limit=1))
    begin(browser)
    values = browser.form("/practice?game=path-capture", "/practice")
    assert browser.post("/practice", {**values, "level": ["1"]}).status_code == 429


def test_in_a_rated_match_the_house_is_said_to_take_nothing_back(
    cora: Browser, house: Services
) -> None:
    player = house.accounts.find("cora")
    assert player is not None
    new = NewMatch("path-capture", seat=1, opponent="house:1", rated=True)
    match = house.matches.create(ChangeRequest(player.id), new).shown.view.id
    assert cora.play(f"/m/{match}", "node 2").status_code == 303
    answered(house, f"/m/{match}")
    shown = cora.page(f"/m/{match}").text
    assert "In rated matches the house takes nothing back and does not abort." in shown
    assert "the move is taken back" not in shown
