"""Matches of every game that were played at random."""

from __future__ import annotations

import pytest

from domain.game.game import AnyGame
from tests.domain.playouts import Case, Playout, cases, playout
from tests.support.games import test_games


def version_of(game: AnyGame) -> str:
    return f"{game.slug}-{game.rules_version}"


@pytest.fixture(params=cases(), ids=lambda case: f"{case.slug}-{case.rules_version}-{case.number}")
def played(request: pytest.FixtureRequest) -> Playout:
    case: Case = request.param
    return playout(case)


@pytest.fixture(params=list(test_games().iter_versions()), ids=version_of)
def game(request: pytest.FixtureRequest) -> AnyGame:
    rules: AnyGame = request.param
    return rules
