"""Ratings on pages: beside names, on leaderboards and profiles, asked for in the form."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from services.container import Services
from services.matches.queries import Asker
from services.ratings.leaderboards import LEAST_MATCHES
from services.store.ratings import Range
from tests.services.ratings.test_rated_matches import rate
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.conftest import Players
from tests.web.pages.readers import read

MOVES = ({"steps": 1}, {"steps": 1})
MARK = "A rating with ? rests on few matches."


def played(players: Players, times: int = 1) -> str:
    """Let ada win rated matches; return the last one."""
    matches = [players.start("path-capture", *MOVES, rated=True) for _ in range(times)]
    for match in matches:
        players.resign(match, 2)
    rate(players.house)
    return matches[-1]


def test_a_leaderboard_says_how_one_gets_there_and_then_who_is(
    players: Players, visitor: FlaskClient
) -> None:
    empty = read(visitor.get("/games/path-capture/ratings").text)
    assert "Nobody is ranked yet" in empty.one("main").text
    played(players, LEAST_MATCHES)
    shown = read(visitor.get("/games/path-capture/ratings").text)
    rows = shown.one("tbody").all("tr")
    assert [row.one("a").attributes["href"] for row in rows] == ["/p/ada", "/p/bob"]
    assert [row.all("td")[0].text for row in rows] == ["1", "2"]
    assert MARK in shown.one("main").text
    assert visitor.get("/games/chess/ratings").status_code == 404
    assert visitor.get("/games/path-capture/ratings?cursor=x").status_code == 400
    links = [
        one.attributes["href"] for one in read(visitor.get("/games/path-capture").text).all("a")
    ]
    assert "/games/path-capture/ratings" in links


def test_a_match_shows_ratings_beside_names_and_in_the_end_what_it_did(
    players: Players, visitor: FlaskClient
) -> None:
    running = players.start(rated=True)
    assert "1500?" in read(visitor.get(f"/m/{running}").text).one("h1").text
    unrated = players.start()
    assert "1500" not in read(visitor.get(f"/m/{unrated}").text).one("h1").text
    match = played(players)
    facts = read(visitor.get(f"/m/{match}").text).one("div", class_="facts").text
    assert "1500?" in facts
    assert "→ 1662?" in facts
    assert "→ 1338?" in facts


def test_a_match_that_does_not_count_says_what_it_takes(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start(rated=True)
    players.resign(match, 2)
    rate(players.house)
    facts = read(visitor.get(f"/m/{match}").text).one("div", class_="facts").text
    assert "if it counts: both players must have moved" in facts


def test_a_profile_has_ratings_with_a_graph_and_all_of_it_to_keep(
    players: Players, visitor: FlaskClient
) -> None:
    assert not read(visitor.get("/p/ada").text).all("h2", id="ratings-title")
    played(players, 2)
    assert MARK in read(visitor.get("/p/ada").text).one("main").text
    shown = read(visitor.get("/p/ada").text)
    assert "the last 2 rated matches: from 1500 to" in shown.one("figcaption").text
    assert shown.one("path", class_="course").attributes["d"].startswith("M 0 55 L")
    csv = next(one for one in shown.all("a") if one.text.startswith("CSV"))
    assert "half_points" in visitor.get(csv.attributes["href"]).text
    assert "measured and stay fixed" in visitor.get("/p/house:3").text


def test_the_form_asks_for_a_rated_match_and_a_range(cora: Browser, house: Services) -> None:
    form = cora.form("/new?game=path-capture", "/new")
    typed = {"rated": ["1"], "rating_least": ["1400"], "rating_most": ["1600"]}
    match = cora.post("/new", {**form, **typed}).headers["Location"]
    shown = house.queries.show(Asker(), identity(match))
    assert shown.view.rated
    assert shown.rating is not None
    assert shown.rating.wanted == Range(140_000, 160_000)
    page = cora.page(match).one("main").text
    assert "for ratings from 1400 to 1600" in page
    assert "for ratings from 1400 to 1600" in cora.page("/").one("main").text


@pytest.mark.parametrize("wrong", [{"visibility": "unlisted"}, {"options__length": "21"}])
def test_what_cannot_be_rated_is_told_where_it_is_asked(
    cora: Browser, wrong: dict[str, str]
) -> None:
    form = cora.form("/new?game=path-capture", "/new")
    typed = {name.replace("__", "."): [value] for name, value in wrong.items()}
    answer = cora.post("/new", {**form, **typed, "rated": ["1"]})
    assert answer.status_code == 422
    shown = read(answer.text)
    [field] = [one for one in shown.everything() if one.attributes.get("aria-invalid")]
    assert field.attributes["name"] == "rated"
    told = shown.one("p", id="f-rated-error").text
    assert told.partition(": ")[2].startswith(("Only public", "Rated matches are played"))
