"""How strong the house's levels are, as ratings.

They are fixed: matches against the house move the person only. Level 3 of a game is 1500. The
others lie where the score of a level against the one below it puts them (``Game.level_scores``), by
the formula that expects a score of two ratings. A game of fewer than three levels has its strongest
at 1500.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from functools import cache

from domain.games import load_games
from domain.rating.glicko2 import CONTEXT, HUNDREDTHS, INITIAL, SCALE, Rating

ANCHOR = 3
"""The level that is 1500."""


@cache
def list_level_scores() -> Mapping[str, tuple[int, ...]]:
    """Return the scores of the house's levels, by game; whatever the version of its rules."""
    return {game.slug: game.level_scores for game in load_games()}


def find_level_rating(game: str, level: int) -> Rating | None:
    """Return the rating of a level of the house; None: it was not measured in this game.

    It is certain, and does not change.

    >>> find_level_rating("path-capture", 2), find_level_rating("path-capture", 3)
    (Rating(rating=150000, deviation=0, volatility=0), None)
    """
    points = list_level_scores().get(game, ())
    if not points or not 1 <= level <= len(points) + 1:
        return None
    anchor = min(ANCHOR, len(points) + 1)
    between = points[min(level, anchor) - 1 : max(level, anchor) - 1]
    with localcontext(CONTEXT):
        apart = sum(((Decimal(one) / (1000 - one)).ln() for one in between), Decimal(0)) * SCALE
        steps = round(apart * HUNDREDTHS)
    return Rating(INITIAL.rating + (steps if level > anchor else -steps), 0, 0)
