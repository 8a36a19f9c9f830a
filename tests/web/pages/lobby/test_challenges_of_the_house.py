"""Playing against the house from the form for a new match, and how pages call it."""

from __future__ import annotations

import pytest

from domain.match.house_players import PLAYERS, name_of
from domain.search.engine import count_levels
from services.container import Services
from services.matches.house_players import DRAW_FROM
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.readers import read
from tests.web.people import PASSWORD


def test_the_form_offers_the_levels_that_the_game_carries(cora: Browser, house: Services) -> None:
    for slug in ("path-capture", "grid-power"):
        picks = cora.page(f"/new?game={slug}").all("input", name="with")
        offered = [one.attributes["value"] for one in picks]
        most = count_levels(house.games.get(slug))
        assert offered[3:] == [name_of(level) for level in range(1, most + 1)]


def test_the_match_begins_at_once_and_its_page_says_against_whom(
    cora: Browser, house: Services
) -> None:
    address = cora.new_match("path-capture", **{"with": "house:2", "seat": "1"})
    view = house.queries.show(Asker(), identity(address)).view
    assert (view.status, view.seats[1]) == ("active", PLAYERS[2])
    assert "House level 2" in cora.page(address).text
    assert "House level 2" in cora.page("/").text


def test_what_it_will_do_is_said_before(cora: Browser) -> None:
    page = cora.page("/new?game=grid-power&opponent=house:3")
    assert "against the house at level 3" in page.one("output", class_="promise").text
    chosen = [one for one in page.all("input", name="with") if "checked" in one.attributes]
    assert [one.attributes["value"] for one in chosen] == ["house:3"]
    assert not page.one("input", id="f-opponent").attributes.get("value")


def test_games_are_offered_that_the_house_plays_at_this_level(cora: Browser) -> None:
    def offered(opponent: str) -> set[str]:
        links = cora.page(f"/new?opponent={opponent}").one("main").all("a")
        return {one.attributes["href"] for one in links if "game=" in one.attributes["href"]}

    most = offered("house:1")
    assert offered("house:3") == {one.replace("house:1", "house:3") for one in most} - {
        "/new?game=path-capture&opponent=house:3"
    }


@pytest.mark.parametrize(("chosen", "opponent"), [("house:9", ""), ("house:1", "dan")])
@pytest.mark.usefixtures("dan")
def test_what_does_not_go_together_is_told(cora: Browser, chosen: str, opponent: str) -> None:
    given = {"with": chosen, "opponent": opponent, "pace": "none"}
    answer = cora.send("/new?game=path-capture", "/new", **given)
    assert answer.status_code in (400, 422)
    assert "Error:" in answer.text


def test_the_profile_of_a_house_player_says_what_it_is(cora: Browser) -> None:
    assert "This is the house, at level 4" in cora.page("/p/house:4").text
    assert "the house" not in cora.page("/p/cora").text


def test_a_name_that_programs_use_stands_on_no_page(cora: Browser) -> None:
    match = cora.new_match("path-capture", **{"with": "house:2", "seat": "1"})
    for address in ("/p/house:2", "/new?opponent=house:2", match, "/", "/players?prefix=house"):
        shown = cora.page(address)
        assert "House level 2" in shown.text, address
        assert "house:" not in shown.text, address
    assert cora.page("/p/house:2").one("title").text.endswith("House level 2 – Plybook")


def test_the_page_to_sign_up_has_the_house_rules(somebody: Browser) -> None:
    rules = read(somebody.get("/sign-up").text).one("section").text
    assert "no engine" in rules
    assert f"a draw from {DRAW_FROM} moves on" in rules


def test_nobody_logs_in_or_signs_up_as_the_house(somebody: Browser) -> None:
    assert somebody.log_in("house:3").status_code == 401
    answer = somebody.send(
        "/sign-up", "/sign-up", name="house:3", password=PASSWORD, again=PASSWORD
    )
    assert answer.status_code == 422
