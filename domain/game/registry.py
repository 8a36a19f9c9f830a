"""The games there are, by slug and version of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from domain.errors import UnknownGame
from domain.game.game import AnyGame, Game
from domain.i18n import say


class Games:
    """A set of games; each slug may come in several versions of its rules."""

    def __init__(self, games: Iterable[Game[Any, Any, Any]]) -> None:
        self._games = {(game.slug, game.rules_version): cast("AnyGame", game) for game in games}
        self._newest = dict(sorted(self._games))

    def get(self, slug: str, rules_version: int | None = None) -> AnyGame:
        """Return a game, the newest version unless one is named. Raises ``UnknownGame``."""
        version = self._newest.get(slug) if rules_version is None else rules_version
        game = self._games.get((slug, version)) if version is not None else None
        if game is None:
            if rules_version is None:
                raise UnknownGame(say("There is no game {game}.", game=slug))
            raise UnknownGame(
                say(
                    "There is no game {game} with rules_version {version}.",
                    game=slug,
                    version=rules_version,
                )
            )
        return game

    def iter_versions(self) -> Iterator[AnyGame]:
        """Iterate over all versions of each game, by slug and version."""
        return (self._games[key] for key in sorted(self._games))

    def __iter__(self) -> Iterator[AnyGame]:
        """Iterate over the newest version of each game, by slug."""
        return (self._games[key] for key in sorted(self._newest.items()))
