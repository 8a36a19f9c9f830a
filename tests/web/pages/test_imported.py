"""Imported matches on pages: marked in lists and on their own page, and on nobody's."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.web.importing import imported_as
from tests.web.pages.conftest import Players
from tests.web.pages.readers import read


def test_an_imported_match_is_marked_where_it_is_shown(
    players: Players, visitor: FlaskClient
) -> None:
    own = players.start("path-capture", {"steps": 3})
    first, second = players.ids
    match = imported_as(players.house, (first, second))
    cards = {
        card.one("h2").one("a").attributes["href"].removeprefix("/m/"): card.text
        for card in read(visitor.get("/matches").text).all("li", class_="match-card")
    }
    assert {one: "imported" in text for one, text in cards.items()} == {match: True, own: False}
    assert "its players have no account here" in read(visitor.get(f"/m/{match}").text).text
    assert "no account here" not in visitor.get(f"/m/{own}").text


def test_an_imported_match_is_on_no_players_page(players: Players, visitor: FlaskClient) -> None:
    first, second = players.ids
    match = imported_as(players.house, (first, second))
    own = players.start("path-capture", {"steps": 3})
    players.resign(own, 1)
    page = visitor.get("/p/ada").text
    assert own in page
    assert match not in page
