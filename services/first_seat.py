"""What it is worth to begin, as it was measured: kept beside the rules, and told on a game's page.

A command makes the files (``./dev bench first-seat``): the house plays itself, and of each match it
is kept what came of it for who began.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import NamedTuple

from domain.json_types import JsonObject

FILE = "first_seat.toml"
"""In a game's package. A game that was not measured has none."""

WON, DRAWN, LOST = "+", "=", "-"
"""What a match came to for the seat that began."""


class FirstSeat(NamedTuple):
    """How who begins has done. ``options``: those that were not as usual.

    ``results``: of each match one of ``WON``, ``DRAWN``, ``LOST``. ``level``: of the house, which
    played both seats. ``engine``: the version of its search.
    """

    options: JsonObject
    results: str
    level: int
    engine: str

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return len(self.results)

    @property
    def per_mille(self) -> int:
        """How much of all points went to who began; a draw is half a point."""
        points = 2 * self.results.count(WON) + self.results.count(DRAWN)
        return round(500 * points / self.matches)

    @property
    def give(self) -> int:
        """How many of 100 points chance alone may well have moved that by: two standard errors.

        >>> FirstSeat({}, "+-" * 50, 1, "2").give, FirstSeat({}, "+" * 25, 1, "2").give
        (10, 0)
        """
        mean = self.per_mille / 1000
        worth = {WON: 1.0, DRAWN: 0.5, LOST: 0.0}
        spread = sum((worth[one] - mean) ** 2 for one in self.results) / self.matches
        return round(200 * sqrt(spread / self.matches))


@cache
def load_first_seat(slug: str) -> tuple[FirstSeat, ...]:
    """Return what was measured of a game: with its usual options first; nothing if it was not."""
    path = files("domain.games") / slug.replace("-", "_") / FILE
    if not path.is_file():
        return ()
    kept = tomllib.loads(path.read_text(encoding="utf-8"))
    found = (
        FirstSeat(one["options"], one["results"], kept["level"], kept["engine"])
        for one in kept["measured"]
    )
    return tuple(sorted(found, key=lambda one: len(one.options)))


def find_usual(slug: str) -> FirstSeat | None:
    """Return what was measured of a game with its usual options, or None."""
    return next((one for one in load_first_seat(slug) if not one.options), None)
