"""The analysis on a match's page: a button, how far it is, then marks, a graph and best lines."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from services.container import Services
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser
from tests.web.pages.conftest import Players
from tests.web.pages.furnishing import analyse
from tests.web.pages.lobby.test_practice import begin
from tests.web.pages.lobby.test_visitors_against_the_house import begin as begin_against
from tests.web.pages.readers import Element, read

THROWN_AWAY = [{"steps": 1}, {"steps": 3}, {"steps": 3}]
"""On 8 nodes: the first move gives a won match away, and the second one gives it back."""


@pytest.fixture
def match(players: Players) -> str:
    return players.start("path-capture", *THROWN_AWAY, options={"length": 8})


def section(client: FlaskClient, match: str, query: str = "") -> Element:
    return read(client.get(f"/m/{match}{query}").text).one("div", class_="analysis")


def test_a_visitor_asks_for_it_sees_how_far_it_is_and_what_was_found(
    match: str, somebody: Browser, house: Services
) -> None:
    house.analyses.budget = lambda _: 300
    sent = somebody.send(f"/m/{match}", f"/m/{match}/analysis")
    assert sent.headers["Location"].endswith(f"/m/{match}#analysis")
    waiting = section(somebody.client, match)
    assert (
        waiting.one("div", class_="progress")
        .text.strip()
        .startswith("0 of 4 positions are analysed.")
    )
    again = waiting.one("p", class_="without-script").one("a")
    assert again.attributes["href"].endswith("#analysis")
    progress = waiting.attributes["data-waits"]
    assert house.analyses.go_on(match)
    soon = somebody.get(progress)
    assert (soon.status_code, soon.headers["Cache-Control"]) == (200, "private, no-store")
    assert soon.text.startswith("<p>1 of 4 positions are analysed.</p>")
    assert len(soon.data) < 250
    assert section(somebody.client, match).one("progress").attributes["value"] == "1"
    analyse(house, match, 300)
    assert somebody.get(progress).status_code == 204
    found = section(somebody.client, match)
    assert "data-waits" not in found.attributes
    entries = [one.text for one in found.one("ol", class_="judged").all("li")]
    assert entries[0] == "ada: +1 mistake, costs 100; best: +3 +1 +3"
    assert entries[1] == "bob: +3 mistake, costs 100; best: +2 +1 +3"
    assert entries[2] == "ada: +3 best"
    counts = {
        row.one("th").text: [one.text for one in row.all("td")]
        for row in found.one("table").one("tbody").all("tr")
    }
    assert (counts["best"], counts["mistake"]) == (["1", "0"], ["1", "1"])


def test_a_best_line_opens_in_the_what_if_board(
    match: str, somebody: Browser, house: Services
) -> None:
    analyse(house, match, 300)
    first = section(somebody.client, match).one("ol", class_="judged").all("li")[0]
    address = first.all("a")[-1].attributes["href"]
    line = somebody.page(address).one("ol", class_="line")
    assert [one.text.split()[0] for one in line.all("li")] == ["+3", "+1", "+3"]


def test_moves_in_the_list_have_marks_that_are_told(
    match: str, somebody: Browser, house: Services
) -> None:
    analyse(house, match, 300)
    moves = somebody.page(f"/m/{match}").one("div", class_="moves-list")
    marked = [one for one in moves.all("a") if one.all("span", class_="judgement")]
    assert len(marked) == 3
    assert marked[0].text == "+1, mistake"
    assert marked[0].all("span")[0].attributes["aria-hidden"] == "true"


def test_links_lead_to_the_mistakes_around_the_step_that_is_shown(
    match: str, somebody: Browser, house: Services
) -> None:
    analyse(house, match, 300)
    played = house.analyses.show(Asker(), match).positions[0]["played"]["version"]

    def links(query: str) -> list[str | None]:
        ways = section(somebody.client, match, query).one("p", class_="ways-to-mistakes")
        return [one.attributes.get("href") for one in ways.all("a")]

    there = f"/m/{match}?at={played}#board"
    assert links("?at=4")[1] == there
    assert links("?at=4")[0] is None
    assert links(f"?at={played + 1}")[0] == there


def test_the_graph_stands_beside_the_games_own_and_is_told_in_words(
    match: str, somebody: Browser, house: Services
) -> None:
    assert "evaluation" not in somebody.get(f"/m/{match}").text
    analyse(house, match, 300)
    shown = somebody.page(f"/m/{match}")
    assert len(shown.all("div", class_="graph")) == 2
    place = shown.one("div", class_="course-place")
    assert "ada may expect 100 hundredths of a win at the beginning, 100 at the end" in place.text
    assert "evaluation" not in somebody.get(f"/m/{match}/embed").text


def test_nothing_is_drawn_of_positions_that_are_not_analysed_yet(
    match: str, somebody: Browser, house: Services
) -> None:
    house.analyses.budget = lambda _: 300
    house.analyses.ask(Asker(), match)
    assert house.analyses.go_on(match)
    shown = somebody.page(f"/m/{match}")
    assert len(shown.one("ol", class_="judged").all("li")) == 1
    assert "at the end" not in shown.one("div", class_="course-place").text
    analyse(house, match, 300)
    assert "at the end" in somebody.page(f"/m/{match}").one("div", class_="course-place").text


def test_a_running_match_has_no_analysis_and_cannot_be_asked_for(
    players: Players, somebody: Browser
) -> None:
    running = players.start("path-capture", {"steps": 1})
    for address in (f"/m/{running}", f"/m/{running}?at=4", f"/m/{running}/line?at=4"):
        assert not somebody.page(address).all("div", class_="analysis")
    values = somebody.form("/practice?game=path-capture", "/practice")
    answer = somebody.post(f"/m/{running}/analysis", {"csrf": values["csrf"]})
    assert answer.status_code == 409
    other = somebody.post("/m/nosuchmatch00000/analysis", {"csrf": values["csrf"]})
    assert other.status_code == 404
    assert somebody.get(f"/m/{running}/analysis").status_code == 409
    assert somebody.get("/m/nosuchmatch00000/analysis").status_code == 404


def test_of_a_private_match_nobody_else_sees_how_far_it_is(
    cora: Browser, dan: Browser, somebody: Browser
) -> None:
    match = cora.new_match(**{"with": "player"}, opponent="dan", visibility="private")
    match = match.partition("#")[0]
    assert dan.join(match).status_code == 303
    dan.post(f"{match}/actions", dan.form(f"{match}?ask=resign", f"{match}/actions"))
    strange = somebody.form("/practice?game=path-capture", "/practice")
    assert somebody.post(f"{match}/analysis", {"csrf": strange["csrf"]}).status_code == 404
    assert somebody.get(f"{match}/analysis").status_code == 404
    assert cora.send(match, f"{match}/analysis").status_code == 303
    seen = [one.get(f"{match}/analysis").status_code for one in (cora, dan, somebody)]
    assert seen == [200, 200, 404]


def test_a_full_queue_is_said_at_the_button(
    match: str, somebody: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.replays.analysis.MOST_WAITING", 0)
    answer = somebody.send(f"/m/{match}", f"/m/{match}/analysis")
    assert answer.status_code == 429
    alert = read(answer.text).one("div", class_="analysis").one("p", role="alert")
    assert alert.text.startswith("Too many matches wait to be analysed.")


def test_practice_matches_of_two_visitors_do_not_wait_for_each_other(app: Flask) -> None:
    for _ in range(2):
        browser = Browser(app)
        match = begin(browser)
        for step in ("node 3", "node 8", "node 5", "node 5"):
            assert browser.play(match, step).status_code == 303
        assert browser.send(match, f"{match}/analysis").status_code == 303


def test_who_plays_the_house_without_an_account_waits_among_the_visitors(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.replays.analysis.MOST_OF_VISITORS", 1)
    for status in (303, 429):
        browser = Browser(app)
        match = begin_against(browser)
        sure = browser.form(f"{match}?ask=resign", f"{match}/actions")
        assert browser.post(f"{match}/actions", sure).status_code == 303
        assert browser.send(match, f"{match}/analysis").status_code == status


def test_one_of_an_earlier_engine_can_be_made_anew(
    match: str, somebody: Browser, house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyse(house, match, 300)
    monkeypatch.setattr("services.replays.analysis.ENGINE", "next")
    found = section(somebody.client, match)
    assert "An earlier version of the engine has made this analysis." in found.text
    assert found.all("ol", class_="judged")
    somebody.send(f"/m/{match}", f"/m/{match}/analysis")
    assert "data-waits" in section(somebody.client, match).attributes


def test_the_page_of_cards_says_what_is_judged(
    players: Players, somebody: Browser, house: Services
) -> None:
    cards = players.start("power-lines")
    players.play_on(cards, 2, lambda _: 0)
    players.resign(cards, 1)
    analyse(house, cards, 60)
    assert "by what its player could know" in section(somebody.client, cards).text
    assert section(somebody.client, cards, "?as=seat-1").all("ol", class_="judged")
