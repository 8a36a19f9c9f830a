"""Matches of every game that were played at random."""

from __future__ import annotations

import pytest

from domain.game import AnyGame
from tests.domain.playouts import Case, Playout, cases, playout
from tests.support.games import test_games


@pytest.fixture(params=cases(), ids=lambda case: f"{case.slug}-{case.number}")
def played(request: pytest.FixtureRequest) -> Playout:
    case: Case = request.param
    return playout(case)


@pytest.fixture(params=list(test_games()), ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> AnyGame:
    rules: AnyGame = request.param
    return rules
