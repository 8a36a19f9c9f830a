"""The golden matches are there, and they still go as they are written down."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from domain.game.game import AnyGame
from tests.domain.conftest import version_of
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
    there = (record.game, record.rules_version, record.options)
    assert there == (match.slug, match.rules_version, match.options)
    assert match.fits(played(record).match)


@pytest.mark.parametrize("game", list(test_games().iter_versions()), ids=version_of)
def test_every_way_a_game_can_end_has_a_golden_match(game: AnyGame) -> None:
    records = [parse(path.read_text()) for path in FILES if path.parent.name == game.slug]
    ends = {
        played(record).match.reason
        for record in records
        if record.rules_version == game.rules_version
    }
    assert set(game.endings) <= ends


def test_a_golden_match_is_judged_by_the_rules_that_it_names() -> None:
    now = parse((HERE / "marathon" / "distance-drawn-rules-2.txt").read_text())
    then = replace(now, rules_version=1)
    assert (played(now).match.winner, played(then).match.winner) == (None, 2)
    assert render(then) != render(now).replace('"rules_version": 2', '"rules_version": 1')


def test_there_are_golden_matches_of_more_than_the_newest_rules() -> None:
    versions = {
        (parse(path.read_text()).game, parse(path.read_text()).rules_version) for path in FILES
    }
    assert versions == {(game.slug, game.rules_version) for game in test_games().iter_versions()}
    assert len(versions) > len(list(test_games()))


def test_no_golden_match_is_there_for_nothing() -> None:
    assert sorted(match.path for match in wanted()) == FILES
