"""Games that only tests play, beside the real ones."""

from __future__ import annotations

from functools import cache

from domain.game.registry import Games
from domain.games import load_games
from tests.support.games.marathon import FIRST_MARATHON, MARATHON
from tests.support.games.whisper import WHISPER

__all__ = ["FIRST_MARATHON", "MARATHON", "WHISPER", "test_games"]


@cache
def test_games() -> Games:
    """Return the games of the installation and those of the tests, in every version."""
    return Games((*load_games().iter_versions(), FIRST_MARATHON, MARATHON, WHISPER))


test_games.__test__ = False  # type: ignore[attr-defined]  # its name is its use, not a test
