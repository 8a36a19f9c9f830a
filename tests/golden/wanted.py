"""Which matches there are to be.

Every ending that a version of a game's rules declares, and a resignation; and what a game wishes
besides, in `<slug>/wanted.json`: other options, a draw as well as a win, another way to leave;
`versions` says of which versions of the rules, if not of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from domain.game.game import AnyGame
from domain.json_types import JsonObject
from domain.match.state import Match
from tests.support.games import test_games

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Wanted:
    """A golden match: its game in a version of its rules, its name, and the end it comes to.

    ``draw`` None: won or drawn. ``options`` are the match's, ``settings`` those of both seats.
    With ``steps`` (commands) the match ends by them, after ``moves`` moves.
    """

    slug: str
    rules_version: int
    name: str
    reason: str
    draw: bool | None = None
    options: JsonObject = field(default_factory=dict)
    settings: JsonObject = field(default_factory=dict)
    moves: int = 0
    steps: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """Where its transcript lies."""
        later = "" if self.rules_version == 1 else f"-rules-{self.rules_version}"
        return HERE / self.slug / f"{self.name}{later}.txt"

    def fits(self, match: Match) -> bool:
        """Say whether a match has come to this end."""
        drawn = match.winner is None
        return match.reason == self.reason and self.draw in {None, drawn}


def wanted() -> Iterator[Wanted]:
    """Yield them all."""
    for game in test_games().iter_versions():
        wishes = list(_wishes(game))
        yield from wishes
        wished = {wish.reason for wish in wishes}
        for ending in game.endings:
            if ending not in wished:
                yield Wanted(game.slug, game.rules_version, ending, ending)
        yield Wanted(
            game.slug,
            game.rules_version,
            "resignation",
            "resignation",
            moves=3,
            steps=["resign 2"],
        )


def _wishes(game: AnyGame) -> Iterator[Wanted]:
    path = HERE / game.slug / "wanted.json"
    if path.exists():
        for wish in orjson.loads(path.read_bytes()):
            versions = wish.pop("versions", [game.rules_version])
            if game.rules_version in versions:
                yield Wanted(game.slug, game.rules_version, **wish)
