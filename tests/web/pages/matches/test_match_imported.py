"""Imported matches on pages: marked in lists and on their own page, and on nobody's."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from services.lobby.lists import MatchFilter
from services.matches.queries import Asker
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


def test_who_is_called_a_visitor_elsewhere_has_a_name(
    players: Players, visitor: FlaskClient
) -> None:
    first, second = players.ids
    match = imported_as(players.house, (first, second), names=("a visitor", "left hand"))
    shown = read(visitor.get(f"/m/{match}").text)
    assert shown.one("h2", id="chat-title").text == "Spectators' chat"


def test_an_imported_match_is_on_no_players_page(players: Players, visitor: FlaskClient) -> None:
    first, second = players.ids
    match = imported_as(players.house, (first, second))
    own = players.start("path-capture", {"steps": 3})
    players.resign(own, 1)
    page = visitor.get("/p/ada").text
    assert own in page
    assert match not in page


STEERING = {
    *map(chr, (*range(0x0A), *range(0x0B, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F))),
    *"\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029",
}
NAMES = ("gnp\u202eexe\x1b[2J", "\x00two\nlines\x9b\u2028")


def test_names_from_elsewhere_steer_no_page_and_no_picture(
    players: Players, visitor: FlaskClient
) -> None:
    match = imported_as(players.house, (players.ids[0], players.ids[1]), names=NAMES)
    at = f"/m/{match}"
    for address in ("/", "/matches", at, f"{at}?at=4", f"{at}/embed", f"{at}/line?at=4"):
        answer = visitor.get(address)
        assert answer.status_code == 200
        assert not set(answer.text) & STEERING, address
    shown = read(visitor.get(at).text)
    assert shown.one("h1").all("bdi")[0].text == '"gnp\\u202eexe\\u001b[2J"'
    assert shown.one("h1").all("bdi")[1].text == '"\\u0000two\\nlines\\u009b\\u2028"'
    frames = visitor.get(f"{at}/frames?from=0").get_json()
    assert not set("".join(frames["pieces"])) & STEERING
    for form in ("svg", "text"):
        answer = visitor.get(f"/api/v1/matches/{match}/export?format={form}")
        # The picture's own names are kept apart from the text around them.
        assert not set(answer.text) & (STEERING - {"\u2068", "\u2069"})
    told = visitor.get(f"/api/v1/matches/{match}").get_json()
    assert [seat["player"] for seat in told["seats"]] == list(NAMES)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a\ufffe", "A name has U+FFFE, which is no character."),
        ("\U0001ffff", "A name has U+1FFFF, which is no character."),
        ("\u3164", "There is nothing to read in a name."),
        (" \u200d ", "There is nothing to read in a name."),
    ],
)
def test_names_that_nobody_can_read_or_write_are_not_imported(
    players: Players, name: str, words: str
) -> None:
    with pytest.raises(AssertionError, match=re.escape(words)):
        imported_as(players.house, (players.ids[0], players.ids[1]), names=("ada", name))
    assert players.house.lobby.list_matches(Asker(), MatchFilter()).listed == []
