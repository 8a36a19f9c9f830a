"""An analysis says of the golden matches what it said before, under one engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.games import load_games
from tests.golden.analyses import matches, rendered
from tests.golden.transcript import Record

MATCHES = list(matches())


@pytest.mark.parametrize(
    ("path", "record"), MATCHES, ids=[f"{path.parent.name}-{path.stem}" for path, _ in MATCHES]
)
def test_an_analysis_says_what_is_written_down(path: Path, record: Record) -> None:
    """Where it does not, ``ENGINE`` rises, and `python -m tests.golden.analyses` writes it anew."""
    assert rendered(record) == path.read_text()


def test_each_of_our_games_has_a_golden_analysis() -> None:
    assert {path.parent.name for path, _ in MATCHES} >= {game.slug for game in load_games()}
