"""Hints in practice matches: what the house would play, of what the seat that is to act sees."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.errors import MatchNotActive, NotYourSeat
from domain.game.game import Viewer
from domain.search import engine
from services.container import Services
from services.errors import NoHints, NotFound
from services.lobby import hints
from services.lobby.hints import Hints
from services.lobby.practice import NewPractice, Opponent
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest
from tests.domain.games.power_lines.test_twin_matches import decks, other_truth
from tests.domain.twins import step, twins
from tests.services.conftest import ON_SQLITE_ALONE
from tests.services.people import table
from tests.support.games import test_games

ME = "a cookie"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Let the gentlest level think, which takes less; return what was asked."""
    asked: list[tuple[Any, ...]] = []

    def gently(game: Any, question: Any, level: int, seed: int) -> Any:  # noqa: ANN401 - as it is
        asked.append((game, question, level, seed))
        return engine.choose(game, question, 1, seed)

    monkeypatch.setattr(hints, "choose", gently)
    return asked


def begun(house: Services, game: str) -> str:
    new = NewPractice(game, {}, ({}, {}))
    return house.practice.begin(ME, new).shown.view.id


def hand(house: Services, match: str) -> Asker:
    acting = house.practice.find_acting(ME, match)
    assert acting is not None
    return Asker(acting.player)


@ON_SQLITE_ALONE
@pytest.mark.parametrize("game", ["path-capture", "power-lines", "grid-power"])
def test_what_is_hinted_at_can_be_played_and_is_said_again(house: Services, game: str) -> None:
    match = begun(house, game)
    for _ in range(4):
        look = hand(house, match)
        hint = house.hints.get(look, match)
        assert house.hints.get(look, match) == hint
        legal = house.queries.list_legal_moves(look, match)
        assert hint.version == legal.version
        found = {"move": hint.move, "text": hint.text, "path": hint.path}
        assert found in legal.moves
        player = look.caller or ""
        house.matches.play(ChangeRequest(player, hint.version), match, hint.move)


def test_two_processes_hint_alike(houses: tuple[Services, Services]) -> None:
    match = begun(houses[0], "grid-power")
    look = hand(houses[0], match)
    assert houses[0].hints.get(look, match) == houses[1].hints.get(look, match)


@ON_SQLITE_ALONE
def test_no_other_match_has_hints(house: Services) -> None:
    there = table(house).start("grid-power")
    for player in (there.first, there.second, None):
        with pytest.raises(NoHints):
            house.hints.get(Asker(player), there.match)
    against = house.practice.begin_against(
        ME, NewPractice("grid-power", {}, ({}, {})), Opponent(1, 1)
    ).shown.view.id
    with pytest.raises(NoHints):
        house.hints.get(hand(house, against), against)
    with pytest.raises(NotFound):
        house.hints.get(Asker(), "0" * 16)


@ON_SQLITE_ALONE
def test_a_hint_that_tells_of_a_hand_is_for_that_seat_alone(house: Services) -> None:
    match = begun(house, "power-lines")
    view = house.queries.show(Asker(), match).view
    other = view.seats[2 - (view.to_act or 1)]
    for look in (Asker(), Asker(other), Asker(local=True)):
        with pytest.raises(NotYourSeat):
            house.hints.get(look, match)
    assert house.hints.get(hand(house, match), match)


@ON_SQLITE_ALONE
def test_where_nothing_is_hidden_everybody_may_know(house: Services) -> None:
    match = begun(house, "grid-power")
    assert house.hints.get(Asker(), match) == house.hints.get(hand(house, match), match)


@ON_SQLITE_ALONE
@pytest.mark.parametrize("game", ["grid-power", "power-lines"])
def test_a_match_that_is_over_has_none(house: Services, game: str) -> None:
    match = begun(house, game)
    house.practice.end(ME, match)
    for look in (Asker(), hand(house, match)):
        with pytest.raises(MatchNotActive):
            house.hints.get(look, match)


@ON_SQLITE_ALONE
def test_the_strongest_level_is_asked_once(house: Services, quick: list[tuple[Any, ...]]) -> None:
    match = begun(house, "grid-power")
    for _ in range(3):
        house.hints.get(Asker(), match)
    [(game, question, level, _)] = quick
    assert level == len(game.levels)
    assert question.seat == 1


@ON_SQLITE_ALONE
@pytest.mark.parametrize("number", range(4))
def test_a_hint_looks_at_the_view_of_the_seat_alone(
    house: Services, number: int, quick: list[tuple[Any, ...]]
) -> None:
    """Two matches alike to the seat that is to act, different in what is hidden: the same hint."""
    game = test_games().get("power-lines")
    pair = twins(game, game, Viewer.SEAT_1, number, settings=decks, other_truth=other_truth)
    random, compared = Random(number), 0
    for _ in range(8):
        if pair.first.match.to_act == 1:
            both = [one.match for one in (pair.first, pair.second)]
            given = [Hints(house.queries)._make_hint(match, 1) for match in both]  # noqa: SLF001
            assert given[0] == given[1]
            assert quick[-2] == quick[-1]
            compared += pair.differ
        if not step(pair, random):
            break
    assert compared
