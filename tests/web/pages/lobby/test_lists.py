"""The list of matches: filters in the address, pages of it, and what an empty one says."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.web.pages.conftest import Players
from tests.web.pages.readers import Element, read
from web.pages.lobby.lists import PER_PAGE


def page(visitor: FlaskClient, address: str = "/matches") -> Element:
    answer = visitor.get(address)
    assert answer.status_code == 200, answer.text
    return read(answer.text)


def listed(shown: Element) -> list[str]:
    cards = shown.all("li", class_="match-card")
    return [card.one("h2").one("a").attributes["href"].removeprefix("/m/") for card in cards]


def test_matches_are_listed_newest_first_with_their_boards(
    players: Players, visitor: FlaskClient
) -> None:
    older = players.start("path-capture", {"steps": 3})
    newer = players.create("grid-power")
    shown = page(visitor)
    assert listed(shown) == [newer, older]
    waiting, running = shown.all("li", class_="match-card")
    assert waiting.one("p", class_="standing").text == "Waits for an opponent."
    assert [one.text for one in waiting.all("span", class_="free")] == ["free seat"]
    assert running.one("p", class_="standing").text == "bob is to move."
    assert running.one("svg", class_="picture").attributes["aria-hidden"] == "true"
    assert "1 move ·" in running.text


def test_filters_narrow_the_list_and_stay_in_the_form(
    players: Players, visitor: FlaskClient
) -> None:
    walk = players.start()
    grid = players.create("grid-power")
    assert listed(page(visitor, "/matches?game=grid-power")) == [grid]
    assert listed(page(visitor, "/matches?status=active&game=")) == [walk]
    shown = page(visitor, "/matches?player=bob&game=path-capture&status=active")
    assert listed(shown) == [walk]
    chosen = [
        one.attributes["value"] for one in shown.all("option") if "selected" in one.attributes
    ]
    assert chosen == ["path-capture", "active"]
    assert shown.one("input", name="player").attributes["value"] == "bob"


def test_private_and_unlisted_matches_are_not_listed(
    players: Players, visitor: FlaskClient
) -> None:
    players.create(visibility="unlisted")
    players.create(opponent="bob", visibility="private")
    assert listed(page(visitor)) == []


def test_a_long_list_comes_in_pages_that_keep_the_filter(
    players: Players, visitor: FlaskClient
) -> None:
    made = [players.create() for _ in range(PER_PAGE + 2)]
    players.create("grid-power")
    first = page(visitor, "/matches?game=path-capture")
    more = first.one("nav", aria_label="More matches")
    second = page(visitor, more.one("a", rel="next").attributes["href"])
    assert [*listed(first), *listed(second)] == made[::-1]
    back = second.one("nav", aria_label="More matches").one("a").attributes["href"]
    assert listed(page(visitor, back)) == listed(first)


def test_an_empty_service_says_how_to_begin(players: Players, visitor: FlaskClient) -> None:
    assert players.ids
    shown = page(visitor).one("div", class_="empty")
    assert [one.text for one in shown.all("code")] == [
        "plybook play energy-capture",
        "plybook demo",
    ]
    assert not page(visitor).all("nav", aria_label="More matches")


@pytest.mark.parametrize("query", ["?player=nobody", "?status=aborted"])
def test_a_filter_that_nothing_fits_leads_back(
    players: Players, visitor: FlaskClient, query: str
) -> None:
    players.create()
    shown = page(visitor, f"/matches{query}").one("div", class_="empty")
    assert shown.one("h2").text == "No matches found"
    assert shown.one("a").attributes["href"] == "/matches"


@pytest.mark.parametrize(
    ("query", "status"),
    [("?status=won", 400), ("?cursor=nonsense", 400), ("?game=chess", 404)],
)
def test_filters_that_cannot_be_are_refused(visitor: FlaskClient, query: str, status: int) -> None:
    assert visitor.get(f"/matches{query}").status_code == status


def test_what_is_typed_into_the_form_stays_text(visitor: FlaskClient) -> None:
    attack = '"><script>alert(1)</script>'
    answer = visitor.get("/matches", query_string={"player": attack})
    shown = read(answer.text)
    assert not shown.one("main").all("script")
    assert shown.one("input", name="player").attributes["value"] == attack
