"""A hint on the page of a practice match: tried on the board, and said in a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from domain.search import engine
from services.container import Services
from services.lobby import hints
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.lobby.test_practice import begin
from tests.web.pages.lobby.test_visitors_against_the_house import begin as begin_against
from tests.web.people import Person, problem
from web.capacity.clients import SHARE
from web.site import site_of


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the gentlest level think, which takes less."""

    def gently(game: Any, question: Any, _: int, seed: int) -> Any:  # noqa: ANN401 - as it is
        return engine.choose(game, question, 1, seed)

    monkeypatch.setattr(hints, "choose", gently)


def test_a_hint_is_tried_on_the_board_and_told(somebody: Browser, house: Services) -> None:
    for game in ("grid-power", "power-lines"):
        match = begin(somebody, game)
        link = next(
            one
            for one in somebody.page(match).one("section", class_="practising").all("a")
            if one.text == "Hint"
        )
        answer = somebody.get(link.attributes["href"])
        assert answer.status_code == 303
        shown = somebody.page(answer.headers["Location"].partition("#")[0])
        told = shown.one("p", class_="hinted")
        text = told.one("strong").text
        assert told.attributes["role"] == "status"
        assert somebody.filled(shown, f"{match}/moves")["move"] == [text]
        assert (
            somebody.post(f"{match}/moves", somebody.filled(shown, f"{match}/moves")).status_code
            == 303
        )
        assert house.queries.show(Asker(), identity(match)).view.ply == 1


def test_only_a_hint_of_ours_is_told(somebody: Browser) -> None:
    match = begin(somebody, "grid-power")
    assert not somebody.page(f"{match}?hint=1").all("p", class_="hinted")
    assert not somebody.page(f"{match}?hint=resign+at+once&on=1").all("p", class_="hinted")


@pytest.mark.parametrize("game", ["grid-power", "power-lines"])
def test_a_hint_that_comes_too_late_is_refused_on_the_page(somebody: Browser, game: str) -> None:
    match = begin(somebody, game)
    end = f"{match}/end-practice"
    assert somebody.post(end, somebody.form(match, end)).status_code == 303
    answer = somebody.get(f"{match}/hint")
    assert answer.status_code == 409
    assert "This match is over." in answer.text


def test_nothing_is_thought_about_beside_the_client_s_turn(
    somebody: Browser, app: Flask, house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(somebody, "grid-power")
    version = house.queries.show(Asker(), identity(match)).view.version
    address = f"{match}?on={version}&hint=1"
    for _ in range(SHARE):
        site_of(app).workshop._queue.come("127.0.0.1")  # noqa: SLF001 - as if others were made
    with monkeypatch.context() as patch:
        patch.setattr(hints, "choose", None)
        assert somebody.get(f"{match}/hint").status_code == 429
        assert not somebody.page(address).all("p", class_="hinted")
    for _ in range(SHARE):
        site_of(app).workshop._queue.go("127.0.0.1")  # noqa: SLF001 - see above
    assert somebody.page(address).all("p", class_="hinted")


def test_nobody_else_gets_one(somebody: Browser, cora: Browser) -> None:
    match = begin(somebody, "power-lines")
    for browser in (cora, Browser(somebody.client.application)):
        assert browser.get(f"{match}/hint").status_code == 404
        assert not [one for one in browser.page(match).all("a") if one.text == "Hint"]
    against = begin_against(somebody)
    assert somebody.get(f"{against}/hint").status_code == 404
    assert not [one for one in somebody.page(against).all("a") if one.text == "Hint"]


def test_a_program_is_hinted_at_what_all_can_see(
    somebody: Browser, ada: Person, bob: Person
) -> None:
    open_, hidden = (identity(begin(somebody, game)) for game in ("grid-power", "power-lines"))
    hint = ada.get(f"/matches/{open_}/hint")
    assert hint.status_code == 200
    assert sorted(hint.json) == ["move", "text", "version"]
    problem(ada.get(f"/matches/{hidden}/hint"), 403, "not-your-seat")
    problem(ada.get("/matches/0000000000000000/hint"), 404, "not-found")
    match = ada.start(bob)
    for person in (ada, bob):
        problem(person.get(f"/matches/{match['id']}/hint"), 409, "no-hints")
