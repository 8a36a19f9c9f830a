"""The first page: for visitors what there is to see, for players what waits for them."""

from __future__ import annotations

import json
import re

from flask.testing import FlaskClient

from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.conftest import Players
from tests.web.pages.readers import Element, read

WALK = [{"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3}]


def part(shown: Element, name: str) -> Element:
    return shown.one("section", aria_labelledby=f"{name}-title")


def cards(section: Element) -> list[str]:
    found = section.all("li", class_="match-card")
    return [one.all("a")[0].attributes["href"] for one in found]


def rows(section: Element) -> list[str]:
    return [one.all("a")[0].attributes["href"] for one in section.all("div", class_="open-about")]


def test_a_visitor_is_told_what_this_is_and_watches_a_match_with_one_click(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    shown = read(visitor.get("/").text)
    assert "every move on record" in shown.one("h1").text
    link = next(one for one in shown.all("a", class_="button") if one.text == "Watch a match")
    watched = read(visitor.get(link.attributes["href"]).text)
    assert (
        watched.one("div", class_="told").one("bdi").text == "The position before the first move."
    )
    assert link.attributes["href"].startswith(f"/m/{match}?")
    refresh = watched.one("meta", http_equiv="refresh").attributes["content"]
    assert f"/m/{match}?at=5" in refresh


def test_the_first_match_is_replayed_on_the_page_itself(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    feature = read(visitor.get("/").text).one("figure", class_="feature")
    assert feature.one("div", class_="told").one("bdi").text.startswith("The position before")
    setup = json.loads(feature.one("div", class_="stage").attributes["data-replay"])
    assert (setup["guest"], setup["keys"], setup["frames"]) == (True, {}, f"/m/{match}/frames")
    # Without a script its steps lead to the match's own page.
    following = next(one for one in feature.all("a") if one.text == "Next")
    assert following.attributes["href"].startswith(f"/m/{match}?at=")
    assert "refresh" not in {one.attributes.get("http-equiv") for one in feature.all("meta")}


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
    first = shown.one("figure", class_="feature").all("figcaption")[-1].one("a").attributes["href"]
    found = [first, *cards(part(shown, "gallery"))]
    ids = [one.partition("?")[0].removeprefix("/m/") for one in found]
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
    assert "Nobody waits just now" in part(shown, "seeks").text
    assert not shown.all("figure", class_="feature")
    links = {one.attributes["href"] for one in part(shown, "games").all("a")}
    assert {"/games/power-line", "/practice?game=power-line"} <= links


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
    assert shown.one("h1").text == "2 matches wait for your move"
    assert shown.one("head").one("title").text.startswith("(2) ")
    assert cards(part(shown, "to-move")) == [fast, slow]
    assert cards(part(shown, "waiting")) == [waiting]
    assert "23 hours" in part(shown, "to-move").text
    other = dan.page("/")
    assert other.one("h1").text == "1 match waits for your move"
    assert cards(part(other, "to-move")) == [waiting]


def test_who_has_no_match_is_told_what_to_do(cora: Browser) -> None:
    shown = cora.page("/")
    empty = shown.one("div", class_="empty")
    assert empty.one("h2").text == "You have no match yet"
    assert [one.attributes["href"] for one in empty.all("a")] == ["/new", "/practice"]
    assert "Nobody else waits" in part(shown, "seeks").text


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
    view = house.looking.show(Asker(), identity(match)).view
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
