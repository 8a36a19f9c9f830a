"""What if: moves tried on a private board, by links alone, and nothing hidden is ever shown."""

from __future__ import annotations

import random

import pytest
from flask.testing import FlaskClient

from domain.errors import Refusal
from services.container import Services
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser
from tests.web.pages.conftest import Players
from tests.web.pages.readers import read

WALK = [{"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3}]


def test_a_line_is_entered_by_links_and_the_match_stays_as_it_is(
    players: Players, somebody: Browser, house: Services
) -> None:
    match = players.start("path-capture", *WALK)
    before = house.queries.show(Asker(), match).view.version
    start = somebody.page(f"/m/{match}?at=5").one("a", id="what-if").attributes["href"]
    shown = somebody.page(somebody.choose(start, "node 9"))
    assert shown.one("section", class_="preview").one("code").text == "+1"
    tried = shown.one("a", class_="main").attributes["href"]
    line = somebody.page(tried).one("ol", class_="line")
    assert [one.text for one in line.all("li")] == ["+1 bob goes 1 node forward to node 9."]
    assert somebody.page(tried).one("h2", id="desk-title").text.startswith("What if: ada to move")
    assert (
        somebody.page(tried)
        .one("input", id="share")
        .attributes["value"]
        .endswith(f"/m/{match}/line?at=5&try=%2B1#board")
    )
    assert house.queries.show(Asker(), match).view.version == before


def test_a_line_can_run_to_an_end(players: Players, house: Services) -> None:
    match = players.start("path-capture", *WALK)
    line = house.what_if.try_line(Asker(), match, 6, ["+2", "+3"])
    assert [one.told for one in line.tried][-1].endswith("captures P1.")
    assert line.ends == "P2 wins (capture)."
    assert line.legal == []
    assert house.what_if.try_line(Asker(), match, 6, ["+2", "+3", "+1"]).fault is not None


@pytest.mark.parametrize("move", ["+9", "nonsense", "<script>"])
def test_a_move_that_cannot_be_made_is_told_and_those_before_it_stand(
    players: Players, visitor: FlaskClient, move: str
) -> None:
    match = players.start("path-capture", *WALK)
    answer = visitor.get(f"/m/{match}/line", query_string={"at": 4, "try": ["+1", move]})
    assert answer.status_code == 200
    shown = read(answer.text)
    assert shown.one("p", role="alert").text.startswith(move)
    assert len(shown.one("ol", class_="line").all("li")) == 1
    assert not [one for one in shown.all("script") if one.text]


def test_in_a_running_match_with_hidden_cards_nobody_can_try_moves(
    players: Players, visitor: FlaskClient, house: Services
) -> None:
    match = players.start("power-lines")
    players.play_on(match, 8, lambda _: 0)
    assert not read(visitor.get(f"/m/{match}").text).all("a", id="what-if")
    assert visitor.get(f"/m/{match}/line?at=6").status_code == 400
    for look in (Asker(players.ids[0]), Asker(players.ids[1]), Asker()):
        with pytest.raises(Refusal, match="nothing is hidden"):
            house.what_if.try_line(look, match, 6, [])


def choices_at(house: Services, match: str, at: int) -> list[str]:
    return [str(one["text"]) for one in house.what_if.try_line(Asker(), match, at, []).legal]


def is_free(choices: list[str]) -> bool:
    return "draw" in choices and choices != ["draw"]


def test_in_a_finished_card_match_a_line_ends_where_chance_decides(
    players: Players, visitor: FlaskClient, house: Services
) -> None:
    match = players.start("power-lines")
    chance = random.Random(4)
    players.play_on(match, 30, lambda moves: chance.randrange(len(moves)))
    players.resign(match, 1)
    frames = house.replays.replay(Asker(), match).frames
    played = [one for one in frames if one.event and one.event["kind"] == "move-made"]
    # In the middle of an action one begins no other; a draw that is all there is stands elsewhere.
    at = next(one.version for one in played[10:] if is_free(choices_at(house, match, one.version)))
    tried: list[str] = []
    for _ in range(25):
        line = house.what_if.try_line(Asker(), match, at, tried)
        assert line.fault is None
        if line.ends:
            break
        texts = [str(one["text"]) for one in line.legal]
        # At first nothing that chance decides at once: a shuffle, or a 5.
        quiet = [one for one in texts if one != "shuffle" and not one.startswith("5")]
        tried.append(chance.choice(texts if len(tried) > 2 else quiet or texts))
    assert len(tried) > 2
    shown = read(visitor.get(f"/m/{match}/line?at={at}").text)
    choices = [one.text for one in shown.all("a", class_="choice")]
    assert "Draw a card" in choices
    # Over the piles of another player there is no room for a name.
    titles = {one.text for one in shown.all("figcaption")}
    assert {"Deck", "Discard pile", "Trash pile"} <= titles
    assert not [one for one in choices if one.startswith("action")]
    assert visitor.get(f"/m/{match}/line?at={at}&as=seat-1").status_code == 400


def test_a_line_stays_within_the_match_and_is_not_endless(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    for query, status in (("", 400), ("?at=99", 404), ("?at=1", 404), ("?at=x", 400)):
        assert visitor.get(f"/m/{match}/line{query}").status_code == status, query
    assert visitor.get(f"/m/{match}/line?at=4" + "&try=%2B1" * 61).status_code == 400
    assert visitor.get("/m/none/line?at=4").status_code == 404


def test_a_script_is_answered_with_the_move_tried_by_its_last_step(
    players: Players, somebody: Browser
) -> None:
    match = players.start("grid-power")
    begun = f"/m/{match}/line?at={players.house.queries.show(Asker(), match).view.version}&once=1"
    first = somebody.page(begun)
    # Of a unit alone nobody knows where it goes: nothing is tried yet.
    half = somebody.page(f"{begun}&path=unit:5")
    assert not first.all("ol", class_="line")
    assert not half.all("ol", class_="line")
    whole = somebody.page(f"{begun}&path=unit:5&path=cell:2,2")
    assert [one.text.split()[0] for one in whole.one("ol", class_="line").all("li")] == ["5@2,2"]
    assert "Move 1" in whole.one("p", class_="told-step").text
    assert not whole.all("section", class_="preview")
