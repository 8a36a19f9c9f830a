"""Puzzles on pages, without a script: tried, answered, solved, given up, remembered."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from flask import Flask

from services.container import Services
from tests.web.pages.browsing import Browser
from tests.web.pages.conftest import Players
from tests.web.pages.readers import Element, read
from tests.web.people import Answer

BEST = [{"steps": steps} for steps in (2, 3, 1, 1, 3)]
"""Seat 1 of a path of 11 nodes plays the only winning move each time: three moves to find."""


@pytest.fixture
def match(house: Services, players: Players) -> str:
    there = players.start("path-capture", *BEST)
    house.puzzle_finder.search_match(there)
    return there


@pytest.fixture
def puzzle(house: Services, match: str) -> str:
    """Give the address of the puzzle that the beginning of the match is."""
    return f"/puzzles/{house.puzzles.list_by_match(match)[0]}"


def tried(puzzle: str, *moves: str) -> str:
    return puzzle + "".join(f"{'&' if at else '?'}try={quote(one)}" for at, one in enumerate(moves))


def desk(page: Element) -> str:
    return page.one("section", id="entry").one("h2").text


def send(browser: Browser, address: str, puzzle: str, move: str) -> Answer:
    """Type a move at the puzzle's page, and send it."""
    return browser.send(address, puzzle, move=move)


def test_the_page_says_what_is_to_be_found_and_nothing_of_what_it_is(
    somebody: Browser, puzzle: str, match: str
) -> None:
    page = somebody.page(puzzle)
    assert page.one("h1").text == "Find the only winning move for A"
    assert desk(page) == "Your move"
    assert len(page.all("a", class_="choice")) == 3
    assert match not in somebody.get(puzzle).text
    assert "Move 1 of the solution" not in page.text


def test_a_visitor_solves_it_step_by_step_without_a_script(somebody: Browser, puzzle: str) -> None:
    for at, own in enumerate(("+2", "+3", "+3")):
        here = tried(puzzle, *("+2", "+3", "+3")[:at])
        step = somebody.page(here).one("nav", class_="next").all("a")[int(own[1]) - 1]
        preview = somebody.page(step.attributes["href"])
        assert own in preview.one("section", class_="preview").one("h3").text
        action = puzzle
        answer = somebody.post(action, somebody.filled(preview, action))
        assert answer.status_code == 303
        assert answer.headers["Location"].partition("#")[0] == tried(
            puzzle, *("+2", "+3", "+3")[: at + 1]
        ).replace("+", "%2B")
        page = somebody.page(answer.headers["Location"])
        wanted = f"Right. Now find move {at + 2} of 3" if at < 2 else "Solved"
        assert desk(page) == wanted
        told = page.one("section", id="entry").text
        assert ("You have found every move." in told) is (at == 2)
    assert somebody.page(puzzle).one("span", class_="solved").text == "solved"
    marks = somebody.page("/puzzles").all("span", class_="solved")
    assert [one.text for one in marks] == ["solved"]


def test_a_wrong_move_says_so_and_the_next_may_be_right(somebody: Browser, puzzle: str) -> None:
    answer = send_typed(somebody, puzzle, (), "+1")
    page = somebody.page(answer.headers["Location"])
    assert page.one("p", role="alert").text == "+1 is not the move. Try another one."
    assert desk(page) == "Your move"
    answer = send_typed(somebody, puzzle, (), "2")
    assert desk(somebody.page(answer.headers["Location"])).startswith("Right.")


def send_typed(browser: Browser, puzzle: str, own: tuple[str, ...], move: str) -> Answer:
    return browser.post(puzzle, {"try": [*own], "move": [move]})


@pytest.mark.parametrize(("typed", "said"), [("far", "Type how far"), ("", "Type how far")])
def test_what_is_no_move_is_told_at_the_board(
    somebody: Browser, puzzle: str, typed: str, said: str
) -> None:
    answer = send_typed(somebody, puzzle, (), typed)
    assert answer.status_code == 422
    page = read(answer.text)
    assert page.one("p", role="alert").text.startswith(said)
    assert len(page.all("a", class_="choice")) == 3


def test_the_solution_is_shown_to_who_gives_up_and_stepped_through(
    somebody: Browser, puzzle: str, match: str
) -> None:
    closed = somebody.get(f"{puzzle}/solution?step=2")
    assert closed.status_code == 303
    answer = somebody.send(puzzle, f"{puzzle}/solution")
    page = somebody.page(answer.headers["Location"])
    assert desk(page) == "The solution"
    line = [one.text for one in page.one("ol", class_="line").all("strong")]
    assert line == ["+2", "+1", "+3", "+1", "+3"]
    for _ in line:
        (following,) = page.all("a", rel="next")
        page = somebody.page(following.attributes["href"])
    assert page.all("a", rel="next") == []
    assert "Move 5 of the solution" in page.one("div", class_="told").text
    assert match in somebody.get(f"{puzzle}/solution").text
    send_typed(somebody, puzzle, ("+2", "+3"), "+3")
    assert somebody.page("/puzzles").all("span", class_="solved") == []


@pytest.mark.parametrize("step", ["9", "9" * 5000])
def test_a_step_behind_the_solution_is_its_last(somebody: Browser, puzzle: str, step: str) -> None:
    somebody.send(puzzle, f"{puzzle}/solution")
    page = somebody.page(f"{puzzle}/solution?step={step}")
    assert "Move 5 of the solution" in page.one("div", class_="told").text


def test_an_account_keeps_what_it_has_solved(
    cora: Browser, somebody: Browser, puzzle: str, house: Services
) -> None:
    values = cora.form(puzzle, puzzle)
    cora.post(puzzle, {**values, "try": ["+2", "+3"], "move": ["+3"]})
    player = house.accounts.find("cora")
    assert player is not None
    identity = puzzle.rpartition("/")[2]
    assert house.puzzles.show(player.id, identity).mark == "solved"
    assert len(cora.page("/puzzles").all("span", class_="solved")) == 1
    assert somebody.page("/puzzles").all("span", class_="solved") == []
    assert not any(
        "plybook-puzzles" in one for one in cora.get(puzzle).headers.getlist("Set-Cookie")
    )


def test_who_was_shown_the_solution_before_logging_in_has_not_solved_it(
    somebody: Browser, app: Flask, puzzle: str, house: Services
) -> None:
    Browser(app).sign_up("dora")
    somebody.send(puzzle, f"{puzzle}/solution")
    somebody.log_in("dora")
    assert "solution seen" in somebody.page(puzzle).one("p", class_="standing").text
    assert "solution seen" in somebody.page("/puzzles").text
    assert desk(somebody.page(f"{puzzle}/solution")) == "The solution"
    values = somebody.form(puzzle, puzzle)
    somebody.post(puzzle, {**values, "try": ["+2", "+3"], "move": ["+3"]})
    player = house.accounts.get_by_name("dora").id
    assert house.puzzles.show(player, puzzle.rpartition("/")[2]).mark == "shown"


def test_a_cookie_solves_nothing_for_an_account(
    somebody: Browser, app: Flask, puzzle: str, house: Services
) -> None:
    Browser(app).sign_up("dora")
    send_typed(somebody, puzzle, ("+2", "+3"), "+3")
    assert somebody.page("/puzzles").all("span", class_="solved")
    somebody.log_in("dora")
    assert somebody.page("/puzzles").all("span", class_="solved") == []
    assert somebody.page(puzzle).all("span", class_="solved") == []
    player = house.accounts.get_by_name("dora").id
    assert house.puzzles.show(player, puzzle.rpartition("/")[2]).mark is None


def test_a_forged_form_of_another_site_is_refused(cora: Browser, puzzle: str) -> None:
    for address in (puzzle, f"{puzzle}/solution"):
        assert cora.post(address, {"move": ["+2"]}).status_code == 403


@pytest.mark.parametrize("cookie", ["x" * 3000, "s0.g1", "s" + "0" * 16, "\u00e9", "z" + "0" * 16])
def test_a_cookie_that_says_nothing_of_ours_changes_nothing(
    somebody: Browser, puzzle: str, cookie: str
) -> None:
    somebody.client.set_cookie("plybook-puzzles", cookie)
    assert somebody.page("/puzzles").all("span", class_="solved") == []
    assert somebody.get(f"{puzzle}/solution").status_code == 303


def test_filters_and_what_is_said_where_there_is_nothing(somebody: Browser, puzzle: str) -> None:
    assert len(somebody.page("/puzzles?game=path-capture").all("li", class_="match-card")) == 3
    empty = somebody.page("/puzzles?game=grid-power")
    assert empty.one("div", class_="empty").one("h2").text == "No puzzles found"
    assert somebody.get("/puzzles?game=chess").status_code == 404
    assert somebody.get("/puzzles?difficulty=9").status_code == 400
    assert somebody.get("/puzzles?cursor=x").status_code == 400
    assert somebody.get("/puzzles/none").status_code == 404
    assert somebody.get(f"{puzzle}?try=nonsense").status_code == 422


def test_without_any_puzzle_it_is_said_how_they_are_found(somebody: Browser) -> None:
    page = somebody.page("/puzzles")
    assert page.one("div", class_="empty").one("code").text == "plybook puzzles find"


def test_a_match_leads_to_its_puzzles_and_pages_to_all_of_them(
    somebody: Browser, match: str, puzzle: str
) -> None:
    facts = somebody.page(f"/m/{match}").one("div", class_="facts")
    links = [one.attributes["href"] for one in facts.all("a")]
    assert puzzle in links
    for address in ("/", f"/m/{match}"):
        assert somebody.page(address).all("a", href="/puzzles")


def test_who_finds_the_only_move_that_is_asked_for_is_told_so(
    somebody: Browser, house: Services, match: str
) -> None:
    found = [
        house.puzzles.walk(None, one, (), told=True) for one in house.puzzles.list_by_match(match)
    ]
    short = next(one for one in found if one.shown.asked == 1)
    address = tried(f"/puzzles/{short.shown.id}", short.played[0].text)
    page = somebody.page(address.replace("+", "%2B"))
    assert "You have found the move." in page.one("section", id="entry").text


def test_behind_a_solved_puzzle_comes_the_next(somebody: Browser, puzzle: str) -> None:
    send_typed(somebody, puzzle, ("+2", "+3"), "+3")
    page = somebody.page(tried(puzzle, "+2", "+3", "+3").replace("+", "%2B"))
    (following,) = [one for one in page.all("a", class_="main") if one.text == "Next puzzle"]
    assert following.attributes["href"].startswith("/puzzles/")
    assert following.attributes["href"] != puzzle
