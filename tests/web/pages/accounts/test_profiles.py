"""A player's page: their record, their public matches, and how to challenge them."""

from __future__ import annotations

from flask.testing import FlaskClient

from services.container import Services
from tests.web.pages.browsing import Browser
from tests.web.pages.conftest import Players
from tests.web.pages.readers import read


def test_it_shows_the_record_by_game_and_the_matches(
    players: Players, visitor: FlaskClient
) -> None:
    won, running = players.start(), players.start("grid-power")
    players.resign(won, 2)
    shown = read(visitor.get("/p/ADA").text)
    assert shown.one("h1").text == "ada"
    (row,) = shown.one("tbody").all("tr")
    assert [one.text for one in row.all("td")] == ["1", "1", "0", "0"]
    assert row.one("th").text == "Path Capture"
    links = [one.all("a")[0].attributes["href"] for one in shown.all("li", class_="match-card")]
    assert links == [f"/m/{running}", f"/m/{won}"]
    assert [one.text for one in read(visitor.get("/p/bob").text).one("tbody").all("td")] == [
        "1",
        "0",
        "1",
        "0",
    ]


def test_what_is_not_public_is_not_on_it(players: Players, visitor: FlaskClient) -> None:
    hidden = [
        players.start(visibility="unlisted"),
        players.start(visibility="private", opponent="bob"),
    ]
    page = visitor.get("/p/ada").text
    assert not [one for one in hidden if one in page]
    assert "No public match has ended yet." in page


def test_a_challenge_goes_on_from_there(cora: Browser, dan: Browser, house: Services) -> None:
    assert house.accounts.find("dan")
    link = cora.page("/p/dan").one("main").all("a", class_="button")[0]
    assert link.text == "Challenge dan"
    games = cora.page(link.attributes["href"]).one("ul", class_="games").all("a")
    form = cora.page(games[0].attributes["href"])
    assert form.one("input", name="opponent").attributes["value"] == "dan"
    assert "checked" in form.one("input", name="with", value="player").attributes
    own = dan.page("/p/dan").one("main").all("a", class_="button")[0]
    assert own.attributes["href"] == "/account"


def test_who_is_not_here_has_no_page(visitor: FlaskClient, house: Services) -> None:
    house.accounts.sign_up("cleo", "a long enough password")
    house.closing.close("cleo")
    for name in ("nobody", "cleo", "closed%20account", "left%20hand", "x" * 500, "a%00b"):
        answer = visitor.get(f"/p/{name}")
        assert (answer.status_code, answer.mimetype) == (404, "text/html"), name
