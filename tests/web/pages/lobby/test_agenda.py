"""The first page: for visitors what there is to see, for players what waits for them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.match.house_players import PLAYERS
from domain.search.engine import count_levels
from seeds.scripts import get_showcase_id, list_scripts
from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.services.checkpoints.attacks import damage
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.conftest import Players
from tests.web.pages.readers import Element, read
from tests.web.people import Answer
from web.pages.lobby import agenda

DRAWN = frozenset(one.game for one in list_scripts() if one.examples)
WALK = [{"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3}]


def part(shown: Element, name: str) -> Element:
    return shown.one("section", aria_labelledby=f"{name}-title")


def cards(section: Element) -> list[str]:
    found = section.all("li", class_="match-card")
    return [one.all("a")[0].attributes["href"] for one in found]


def rows(section: Element) -> list[str]:
    return [one.all("a")[0].attributes["href"] for one in section.all("div", class_="open-about")]


@pytest.fixture
def showcase(players: Players, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give a match that the demo shows the service by."""
    match = players.start("path-capture", *WALK)
    monkeypatch.setattr(agenda, "get_showcase_id", lambda: match)
    return match


def test_a_visitor_is_told_what_one_can_do_here_and_plays_each_game_with_one_click(
    somebody: Browser, house: Services
) -> None:
    page = somebody.page("/")
    assert "Board games for two" in page.one("h1").text
    tiles = part(page, "games").one("ul", class_="games").all("li")
    assert len(tiles) == len(list(house.games))
    for tile, game in zip(tiles, house.games, strict=True):
        assert tile.one("h3").text == game.name
        assert tile.one("p").text == game.summary
        assert tile.all("svg") or game.slug not in DRAWN
        answer = somebody.post("/practice", pressed(tile))
        assert answer.status_code == 303
        shown = house.queries.show(Asker(), identity(answer.headers["Location"])).view
        assert (shown.game.slug, shown.status, shown.visibility) == (
            game.slug,
            "active",
            "unlisted",
        )
        # A game whose hidden cards nobody can guess at is played on both seats alone.
        assert (shown.seats[1] == PLAYERS[1]) is (count_levels(game) > 0)


def pressed(place: Element) -> dict[str, list[str]]:
    """Return what the button *Play now* in a place sends."""
    form = place.one("form", class_="play-now", method="post", action="/practice")
    sent = [*form.all("input"), form.one("button")]
    return {one.attributes["name"]: [one.attributes["value"]] for one in sent}


def test_play_now_begins_at_the_level_that_was_played_last_in_this_browser(
    somebody: Browser, cora: Browser, house: Services
) -> None:
    def opponent(answer: Answer) -> str | None:
        match = identity(answer.headers["Location"])
        return house.queries.show(Asker(), match).view.seats[1]

    for browser in (somebody, cora):
        shown = browser.page("/games/energy-capture").one("form", class_="play-now")
        chosen = shown.one("a").attributes["href"]
        values = {**browser.form(chosen, "/practice"), "level": ["3"]}
        assert opponent(browser.post("/practice", values)) == PLAYERS[3]
        for game, level in (("energy-capture", 3), ("path-capture", 1)):
            shown = browser.page(f"/games/{game}")
            assert opponent(browser.post("/practice", pressed(shown))) == PLAYERS[level]
    somebody.client.set_cookie("plybook-level-grid-power", "9")
    # So many levels it never had.
    shown = somebody.page("/games/grid-power")
    assert opponent(somebody.post("/practice", pressed(shown))) == PLAYERS[1]


def test_whoever_presses_play_now_again_comes_back_to_what_is_not_begun_yet(
    somebody: Browser, cora: Browser, house: Services
) -> None:
    for browser in (somebody, cora):
        chosen = browser.form("/practice?game=path-capture", "/practice")
        browser.post("/practice", {**chosen, "level": ["1"], "options.length": ["15"]})
        form = pressed(browser.page("/games/path-capture"))
        made = [browser.post("/practice", form).headers["Location"] for _ in range(2)]
        assert made[0] == made[1]
        match = made[0].partition("#")[0]
        assert house.queries.show(Asker(), identity(match)).view.options == {"length": 11}
        assert browser.play(match, "node 3").status_code == 303
        assert browser.post("/practice", form).headers["Location"] != made[0]


def test_whoever_plays_now_has_a_match_of_their_own(app: Flask) -> None:
    made = [Browser(app).post("/practice", {"game": ["path-capture"]}) for _ in range(2)]
    assert made[0].headers["Location"] != made[1].headers["Location"]


def test_another_site_begins_no_practice_match(somebody: Browser, cora: Browser) -> None:
    game = {"game": ["path-capture"]}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        assert somebody.post("/practice", game, headers).status_code == 403
    # Whoever is logged in has a token to show.
    assert cora.post("/practice", game).status_code == 403


def test_the_match_that_was_chosen_is_replayed_on_the_page_under_its_game(
    showcase: str, visitor: FlaskClient
) -> None:
    shown = read(visitor.get("/").text)
    assert part(shown, "showcase").one("h2").text == "Path Capture"
    feature = shown.one("figure", class_="feature")
    assert feature.one("div", class_="told").one("bdi").text == "The start position."
    setup = json.loads(feature.one("div", class_="stage").attributes["data-replay"])
    assert (setup["guest"], setup["keys"], setup["frames"]) == (True, {}, f"/m/{showcase}/frames")
    # Without a script its steps lead to the match's own page.
    following = next(one for one in feature.all("a") if one.text == "Next")
    assert following.attributes["href"].startswith(f"/m/{showcase}?at=")
    assert "refresh" not in {one.attributes.get("http-equiv") for one in feature.all("meta")}
    link = next(one for one in feature.all("a") if one.text == "Watch it on its own page")
    watched = read(visitor.get(link.attributes["href"]).text)
    refresh = watched.one("meta", http_equiv="refresh").attributes["content"]
    assert f"/m/{showcase}?at=5" in refresh


def test_what_strangers_play_is_never_the_showcase(players: Players, visitor: FlaskClient) -> None:
    match = players.start("path-capture", *WALK)
    shown = read(visitor.get("/").text)
    assert not shown.all("figure", class_="feature")
    assert cards(part(shown, "gallery")) == [f"/m/{match}?at=1&play=1#board"]


def test_the_administrator_chooses_the_showcase(
    players: Players, make_app: Callable[..., Flask], showcase: str
) -> None:
    match = players.start("path-capture", *WALK)
    hidden = [
        players.start("path-capture", *WALK, visibility="unlisted"),
        players.start("path-capture", visibility="private", opponent="bob"),
        players.start("path-capture"),
        "0000000000000000",
        "none",
        players.start("path-capture", *WALK),
    ]
    damage(players.house.database, hidden[-1])

    def first(chosen: str) -> list[str]:
        answer = make_app(showcase=chosen).test_client().get("/")
        assert answer.status_code == 200
        page = read(answer.text)
        links = [one for part in page.all("figure", class_="feature") for one in part.all("a")]
        return [one.attributes["href"][3:19] for one in links if "own page" in one.text]

    assert first(match) == [match]
    assert first("") == [showcase]
    for one in hidden:
        assert first(one) == []


def test_the_demo_has_one_match_to_be_shown_by() -> None:
    (chosen,) = [one for one in list_scripts() if one.showcase]
    assert chosen.match_id == get_showcase_id()
    assert chosen.result is not None


def test_the_gallery_has_matches_that_were_played_out_of_every_game(
    players: Players, visitor: FlaskClient
) -> None:
    made = [players.start("path-capture", *WALK) for _ in range(3)]
    given_up = players.start("grid-power")
    players.resign(given_up, 1)
    grid = players.start("grid-power")
    players.play_on(grid, 9, lambda _: 0)
    hidden = players.start("path-capture", *WALK, visibility="unlisted")
    shown = read(visitor.get("/").text)
    ids = [one.partition("?")[0].removeprefix("/m/") for one in cards(part(shown, "gallery"))]
    assert ids == [grid, made[2], made[1]]
    assert hidden not in visitor.get("/").text


def test_open_and_running_matches_of_everybody_are_shown_to_visitors(
    players: Players, visitor: FlaskClient
) -> None:
    seek = players.create(pace={"days_per_move": 3}, options={"length": 15})
    asked = players.create(opponent="bob")
    running = players.start("grid-power", pace={"days_per_move": 3})
    shown = read(visitor.get("/").text)
    seeks = part(shown, "seeks")
    assert rows(seeks) == [f"/m/{seek}"]
    assert "3 days a turn" in seeks.text
    assert "length: 15" in seeks.text
    assert seeks.one("a", class_="button").attributes["href"] == f"/log-in?next=/m/{seek}"
    assert cards(part(shown, "running")) == [f"/m/{running}"]
    assert "2 days 23 hours" in part(shown, "running").text
    assert asked not in shown.text


def test_an_empty_service_says_what_to_do(visitor: FlaskClient) -> None:
    shown = read(visitor.get("/").text)
    assert part(shown, "gallery").one("code").text == "plybook demo"
    assert "Nobody is waiting right now" in part(shown, "seeks").text
    assert not shown.all("figure", class_="feature")
    links = {one.attributes["href"] for one in part(shown, "games").all("a")}
    assert "/games/power-line" in links


def test_the_page_of_visitors_sets_no_cookie_and_may_be_kept(visitor: FlaskClient) -> None:
    answer = visitor.get("/")
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_player_finds_their_turns_first_by_time_left(cora: Browser, dan: Browser) -> None:
    slow = cora.start(dan, pace="7-days")
    fast = cora.start(dan, pace="1-day")
    waiting = cora.start(dan, pace="3-days")
    cora.play(waiting, "node 3")
    shown = cora.page("/")
    assert shown.one("h1").text == "2 matches are waiting for your move"
    assert shown.one("head").one("title").text.startswith("(2) ")
    assert cards(part(shown, "to-move")) == [fast, slow]
    assert cards(part(shown, "waiting")) == [waiting]
    assert "23 hours" in part(shown, "to-move").text
    other = dan.page("/")
    assert other.one("h1").text == "1 match is waiting for your move"
    assert cards(part(other, "to-move")) == [waiting]


def test_who_has_no_match_is_told_what_to_do(cora: Browser) -> None:
    shown = cora.page("/")
    empty = shown.one("div", class_="empty")
    assert empty.one("h2").text == "You have no match yet"
    assert [one.attributes["href"] for one in empty.all("a")] == ["/new", "/practice"]
    assert [one.text for one in shown.one("main").all("a")].count("New match") == 1
    assert "Nobody else is waiting" in part(shown, "seeks").text


def test_a_challenge_is_accepted_on_the_first_page(cora: Browser, dan: Browser) -> None:
    match = cora.new_match(opponent="dan")
    assert rows(part(cora.page("/"), "offered")) == [match]
    assert rows(part(dan.page("/"), "challenges")) == [match]
    for who, listed in ((cora, "offered"), (dan, "challenges")):
        assert re.search(r"lapses \d+ \w+ 20\d\d", part(who.page("/"), listed).text)
    answer = dan.send("/", f"{match}/join")
    assert answer.headers["Location"] == f"{match}#entry"
    assert cards(part(cora.page("/"), "to-move")) == [match]
    assert not dan.page("/").all("section", aria_labelledby="challenges-title")


def test_a_challenge_is_declined_with_a_reason_that_its_author_reads(
    cora: Browser, dan: Browser, somebody: Browser
) -> None:
    match = cora.new_match(opponent="dan")
    answer = dan.send("/", f"{match}/decline", reason="No time <b>this</b> week.")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert cora.page(match).one("section", class_="after").one("blockquote").text == (
        "No time <b>this</b> week."
    )
    assert not somebody.page(match).all("blockquote")
    assert cards(part(cora.page("/"), "over")) == [match]


def test_a_reason_that_cannot_be_is_told_where_one_declines(cora: Browser, dan: Browser) -> None:
    match = cora.new_match(opponent="dan")
    answer = dan.send(match, f"{match}/decline", reason="\u202ethis week")
    assert answer.status_code == 422
    assert "invisible character" in read(answer.text).one("p", id="f-reason-error").text
    assert dan.send(match, f"{match}/decline").status_code == 303
    assert not cora.page(match).all("blockquote")


def test_own_open_matches_can_be_withdrawn_and_invited_to(cora: Browser) -> None:
    match = cora.new_match()
    links = [one.attributes["href"] for one in part(cora.page("/"), "offered").all("a")]
    assert f"{match}/invitations" in links
    withdraw = next(one for one in links if "ask=abort" in one)
    assert cora.send(withdraw, f"{match}/actions").status_code == 303
    assert not cora.page("/").all("section", aria_labelledby="offered-title")


def test_matches_of_others_can_be_joined_from_the_first_page(
    cora: Browser, dan: Browser, players: Players
) -> None:
    match = dan.new_match()
    cora.new_match()
    assert rows(part(cora.page("/"), "seeks")) == [match]
    assert players.ids


def test_private_matches_of_others_are_nowhere_on_it(
    house: Services, cora: Browser, players: Players
) -> None:
    hidden = [
        players.start(visibility="private", opponent="bob"),
        players.start(visibility="unlisted"),
        house.matches.create(
            ChangeRequest(players.ids[0]),
            NewMatch("path-capture", visibility="private", invitation=True),
        ).shown.view.id,
    ]
    page = cora.get("/").text
    assert not [one for one in hidden if one in page]


def test_a_hand_on_the_board_is_not_on_the_page_of_others(
    cora: Browser, dan: Browser, house: Services
) -> None:
    match = cora.start(dan, "whisper")
    view = house.queries.show(Asker(), identity(match)).view
    assert view.status == "active"
    for browser in (cora, dan):
        assert browser.get("/").headers["Cache-Control"] == "private, no-store"


def test_every_page_of_a_player_says_how_many_matches_wait(cora: Browser, dan: Browser) -> None:
    match = cora.start(dan)
    for address in ("/", "/matches", "/account", "/games/path-capture", match):
        shown = cora.page(address)
        assert shown.one("a", class_="turns").text == "Your turn (1)"
        assert shown.one("head").one("title").text.startswith("(1) ")
    assert dan.page("/").one("a", class_="turns").text == "Your turn"
    told = [who.get("/caller").headers["Plybook-Turns"] for who in (cora, dan)]
    assert told == ["1", "0"]


def test_after_a_move_the_next_match_that_waits_is_one_click_away(
    cora: Browser, dan: Browser
) -> None:
    first, second = cora.start(dan), cora.start(dan)
    cora.play(first, "node 3")
    links = [one for one in cora.page(first).all("a") if one.text == "Next match"]
    assert [one.attributes["href"] for one in links] == [second.partition("#")[0]]
    cora.play(second, "node 3")
    assert not [one for one in cora.page(first).all("a") if one.text == "Next match"]


def test_after_the_end_of_a_match_the_next_one_that_waits_is_one_click_away(
    cora: Browser, dan: Browser, somebody: Browser
) -> None:
    over, waits = cora.start(dan), cora.start(dan)
    cora.send(f"{over}?ask=resign", f"{over}/actions")
    for browser, expected in ((cora, [waits.partition("#")[0]]), (dan, []), (somebody, [])):
        links = [one for one in browser.page(over).all("a") if one.text == "Next match"]
        assert [one.attributes["href"] for one in links] == expected


def test_a_list_of_ones_own_matches_says_by_what_mark_it_is_known(
    cora: Browser, dan: Browser
) -> None:
    def marks() -> set[str]:
        found = {dan.get("/caller").headers["Plybook-Own"]}
        for address in ("/", "/matches?mine=true", "/matches?turn=me"):
            known = (one.attributes for one in dan.page(address).everything())
            found |= {one["data-own"] for one in known if "data-own" in one}
        return found

    before = marks()
    assert len(before) == 1
    match = cora.new_match(opponent="dan")
    asked = marks()
    assert len(asked) == 1
    assert asked != before
    assert dan.send("/", f"{match}/decline").status_code == 303
    assert marks() == before
    assert "data-own" not in dan.page("/matches").one("h1").attributes
