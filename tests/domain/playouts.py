"""Random matches of every game, with many kinds of options, to hold the contract against."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from random import Random
from typing import NamedTuple

from domain.game.game import Act, AnyGame
from domain.game.options import Option
from domain.json_types import Json, JsonObject
from domain.match.fold import evolve
from domain.match.state import Match
from tests.support.games import test_games
from tests.support.scenario import Table

BOUND = 4_000
"""More moves than any match may take with the options drawn here."""

LOOKED_AT = 10
"""At so many positions of a match the costly checks are made."""

FEW = 100
"""An option with a wider span is not tried at its greatest value: the matches take too long."""


class Case(NamedTuple):
    """One match to play: a version of a game's rules, and a number that decides all the rest."""

    slug: str
    rules_version: int
    number: int

    @property
    def seed(self) -> str:
        """What chance is drawn from: the same in all versions of the rules."""
        return f"Case(slug={self.slug!r}, number={self.number})"


class Playout(NamedTuple):
    """A whole match: its table, and the match after each event from the start on."""

    table: Table
    moments: list[Match]

    @property
    def game(self) -> AnyGame:
        return self.table.game

    @property
    def acting(self) -> list[Match]:
        """Some moments at which a seat is to act, the first and the last among them."""
        moments = [moment for moment in self.moments if isinstance(moment.find_step(), Act)]
        stride = max(1, len(moments) // LOOKED_AT)
        return [*moments[::stride], moments[-1]]


def cases() -> list[Case]:
    """Return the matches to play: per game its defaults, then each option at its corners."""
    return [
        Case(game.slug, game.rules_version, number)
        for game in test_games().iter_versions()
        for number in range(2 + len(_corners(game)) + (2 if game.settings else 0))
    ]


@cache
def playout(case: Case) -> Playout:
    """Play one match to its end with random moves."""
    game = test_games().get(case.slug, case.rules_version)
    chance = Random(case.seed)
    table = Table.started(
        game,
        options=options_of(game, case.number, chance),
        settings=(_drawn(game.settings, chance), _drawn(game.settings, chance)),
        secret=sha256(case.seed.encode()).hexdigest(),
    )
    while not table.match.over:
        assert table.match.ply < BOUND, f"no end of {case} with {table.match.options}"
        table.play(chance.choice(table.legal_moves()))
    return Playout(table, list(_moments(table)))


def _moments(table: Table) -> Iterator[Match]:
    match = None
    for event in table.events:
        match = evolve(match, event, table.games)
        if match.position is not None:
            yield match


def options_of(game: AnyGame, number: int, chance: Random) -> JsonObject:
    """Return no options (the defaults), one option at a corner, or a mixture."""
    corners = _corners(game)
    if number == 0:
        return {}
    if number <= len(corners):
        name, value = corners[number - 1]
        return {name: value}
    return _drawn(game.options, chance)


def _corners(game: AnyGame) -> list[tuple[str, Json]]:
    return [
        (option.name, value)
        for option in game.options
        for value in _values(option, Random(option.name))
        if value != option.default
    ]


def _drawn(options: tuple[Option, ...], chance: Random) -> JsonObject:
    """Return a random value for about half of the options."""
    return {
        option.name: chance.choice(_values(option, chance))
        for option in options
        if chance.random() < 0.5
    }


def _values(option: Option, chance: Random) -> list[Json]:
    match option.form:
        case {"type": "string", "enum": values}:
            return list(values)
        case {"type": "integer", "minimum": least, "maximum": most}:
            most = most if most - least <= FEW else option.default
            return sorted({least, option.default, most, chance.randint(least, most)})
        case form:
            drawn = (instance(form, chance) for _ in range(200))
            fitting = [one for one in drawn if one != option.default and option.check(one) is None]
            return [option.default, *fitting[:3]]


def instance(schema: JsonObject, chance: Random) -> Json:
    """Return a random value that a simple JSON Schema allows."""
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return instance(chance.choice(schema[union]), chance)
    kind = schema["type"]
    match chance.choice(kind) if isinstance(kind, list) else kind:
        case "integer":
            return chance.randint(schema["minimum"], schema["maximum"])
        case "array":
            least = schema.get("minItems", 0)
            size = chance.randint(least, min(least + 6, schema.get("maxItems", 8)))
            return [instance(schema["items"], chance) for _ in range(size)]
        case "object":
            return {name: instance(one, chance) for name, one in schema["properties"].items()}
        case "null":
            return None
        case other:
            raise ValueError(other)
