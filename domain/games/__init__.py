"""One package per game, found by looking, not listed.

Law of this room: games never meet. A package exports ``GAMES``, the versions of its
rules, and carries its rule book as ``rulebook.md``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from domain.game.registry import Games


@cache
def load_games() -> Games:
    """Return every game of this installation."""
    names = sorted(module.name for module in iter_modules(__path__))
    packages = [import_module(f"{__name__}.{name}") for name in names]
    return Games(game for package in packages for game in package.GAMES)
