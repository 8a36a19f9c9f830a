"""The golden matches are there, and they still go as they are written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.game import AnyGame
from tests.golden.transcript import parse, played, render
from tests.golden.wanted import HERE, Wanted, wanted
from tests.support.games import test_games

FILES = sorted(HERE.glob("*/*.txt"))


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_golden_match_goes_as_it_is_written_down(path: Path) -> None:
    text = path.read_text()
    assert render(parse(text)) == text


@pytest.mark.parametrize("match", list(wanted()), ids=lambda match: f"{match.slug}-{match.name}")
def test_a_golden_match_comes_to_the_end_that_it_is_named_for(match: Wanted) -> None:
    record = parse(match.path.read_text())
    assert (record.game, record.options) == (match.slug, match.options)
    assert match.fits(played(record).match)


@pytest.mark.parametrize("game", list(test_games()), ids=lambda game: game.slug)
def test_every_way_a_game_can_end_has_a_golden_match(game: AnyGame) -> None:
    ends = {
        played(parse(path.read_text())).match.reason
        for path in FILES
        if path.parent.name == game.slug
    }
    assert set(game.endings) <= ends


def test_no_golden_match_is_there_for_nothing() -> None:
    assert sorted(match.path for match in wanted()) == FILES
