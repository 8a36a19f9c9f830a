"""The link of an invitation, in a browser."""

from __future__ import annotations

import pytest

from services.container import Services
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.browsing import Browser
from tests.web.people import PASSWORD, Person


def invited(house: Services, game: str = "path-capture", **more: object) -> tuple[str, str]:
    """Let somebody invite to a match; return the address of the link, and the match's id."""
    author = house.accounts.get_local_player("author").id
    new = NewMatch(game, seat=1, visibility="private", invitation=True, **more)  # type: ignore[arg-type]
    match = house.matches.create(ChangeRequest(author), new).shown.view.id
    return f"/i/{house.challenges.invite(author, match)[0].token}", match


def test_a_link_shows_the_match_and_takes_the_seat(house: Services, cora: Browser) -> None:
    link, match = invited(house)
    shown = cora.page(link)
    assert shown.one("h1").text == "Path Capture"
    assert "author invites you" in shown.text
    answer = cora.send(link, link)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/m/{match}#entry")
    assert cora.get(f"/m/{match}").status_code == 200


def test_a_form_that_is_sent_twice_leads_to_the_match_twice(house: Services, cora: Browser) -> None:
    link, _ = invited(house)
    values = cora.form(link, link)
    first, second = cora.post(link, values), cora.post(link, values)
    assert first.headers["Location"] == second.headers["Location"]


@pytest.mark.usefixtures("cora")
def test_who_is_not_logged_in_sees_what_they_are_invited_to_and_comes_back(
    house: Services, somebody: Browser
) -> None:
    link, match = invited(house)
    shown = somebody.page(link)
    assert "author invites you" in shown.text
    assert shown.all("form", action=link) == []
    ways = [one.attributes["href"] for one in shown.one("main").all("a", class_="button")]
    assert ways == [f"/sign-up?next={link}", f"/log-in?next={link}"]
    values = somebody.form(ways[1], "/log-in") | {"name": ["cora"], "password": [PASSWORD]}
    assert somebody.post("/log-in", values).headers["Location"] == link
    assert somebody.send(link, link).headers["Location"] == f"/m/{match}#entry"


def test_a_link_is_good_for_one(house: Services, cora: Browser, dan: Browser) -> None:
    link, match = invited(house)
    values = dan.form(link, link)
    cora.send(link, link)
    assert dan.post(link, values).status_code == 404
    assert dan.get(link).status_code == 404
    assert dan.get(f"/m/{match}").status_code == 404


def test_settings_that_do_not_fit_are_said_at_their_field(house: Services, cora: Browser) -> None:
    link, match = invited(house, "power-lines")
    answer = cora.send(link, link, settings__deck="1 2 3")
    assert answer.status_code == 422
    assert "That did not work" in answer.text
    assert cora.send(link, link).headers["Location"] == f"/m/{match}#entry"


def test_the_own_link_says_what_to_do_with_it(cora: Browser) -> None:
    ada = Person(cora.client, "cora")
    token = ada.log_in("cora")
    ada = Person(cora.client, "cora", token)
    match = ada.post("/matches", {"game": "path-capture"}).json
    made = ada.post(f"/matches/{match['id']}/invitations").json
    assert made["url"] == f"http://localhost/i/{made['token']}"
    shown = cora.page(f"/i/{made['token']}")
    assert "your own invitation" in shown.text
    assert shown.all("form", action=f"/i/{made['token']}") == []
    assert PASSWORD not in shown.text
