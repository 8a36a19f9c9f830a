"""The scripts: what is played, by whom, and how it must end.

Those of a game are in its own package, as ``demo.toml``: a table ``[[match]]`` for each script,
whose members are those of ``Script`` without ``game``. The dice of a match follow from its name:
whoever renames one has to find legal moves for it anew. ``./dev made`` adds a match for each ending
of a game that no match shows.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files

from domain.games import load_games
from domain.json_types import JsonObject
from services.runtime.randomness import derive_id


@dataclass(frozen=True, slots=True)
class Script:
    """A demo match.

    ``players``: the names of seats 1 and 2; seat 1 creates the match. ``moves`` are in the
    game's notation. ``resigns``: the seat that gives up after the last move. ``result``
    is how the match must end; None: it goes on, or nobody has joined it (one player).
    ``about`` says what it shows. ``examples``: after how many moves its board is drawn beside the
    rule book (0: before the first). ``showcase``: the first page of visitors plays this one.
    """

    name: str
    game: str
    players: tuple[str, ...]
    about: str
    options: JsonObject = field(default_factory=dict)
    settings: tuple[JsonObject, ...] = ({}, {})
    moves: tuple[str, ...] = ()
    resigns: int | None = None
    result: JsonObject | None = None
    examples: tuple[int, ...] = ()
    showcase: bool = False

    @property
    def match_id(self) -> str:
        """The id of the match, the same wherever it is loaded."""
        return derive_id(f"plybook demo match {self.name}".encode())

    @property
    def secret(self) -> str:
        """The match's secret: fixed, since the moves are legal for these dice only."""
        return sha256(f"plybook demo secret {self.name}".encode()).hexdigest()


@cache
def list_scripts() -> tuple[Script, ...]:
    """Return all scripts in the order in which they are loaded.

    What has ended comes first, then what goes on, then what waits for somebody, so that lists by
    last change show at the top what can be joined and watched.
    """
    every = (script for game in load_games() for script in read_scripts(game.slug))
    return tuple(sorted(every, key=lambda one: (one.result is None, one.players[1:] == ())))


@cache
def get_showcase_id() -> str:
    """Return the id of the demo match that the first page of visitors shows."""
    return next((one.match_id for one in list_scripts() if one.showcase), "")


def read_scripts(slug: str) -> list[Script]:
    """Return the scripts of one game as its package has them."""
    source = files("domain.games") / slug.replace("-", "_") / "demo.toml"
    if not source.is_file():
        return []
    entries = tomllib.loads(source.read_text(encoding="utf-8"))["match"]
    return [_make_script({"game": slug, **entry}) for entry in entries]


def _make_script(entry: JsonObject) -> Script:
    known: JsonObject = {
        name: tuple(one) if isinstance(one, list) else one for name, one in entry.items()
    }
    if "result" in known:
        known["result"] = {"winner": None, **known["result"]}
    return Script(**known)
