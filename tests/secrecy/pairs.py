"""Scripts of two matches whose course is the same for all that one viewer may know."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple, Protocol

from domain.errors import Refusal
from domain.game.game import Draw, Viewer
from domain.games.power_lines import POWER_LINES
from domain.games.power_lines.cards import SUGGESTED
from domain.json_types import Json, JsonObject
from domain.log.chance import ChanceSource
from domain.match.decisions.draft import Chance
from domain.match.events import ChanceDrawn, Event, MoveMade
from domain.match.fold import evolve, fold
from domain.match.views import view
from tests.domain.match.test_twins import decks, other_truth
from tests.domain.twins import step, twins
from tests.secrecy.physical import Cards
from tests.support.games import WHISPER
from tests.support.scenario import Table

BOLD = 0.7
"""How often a card is played as near to the enemy base as can be."""

VIEWERS = (Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR)


class Script(NamedTuple):
    """One match: what each seat brings, what chance gives, and the moves."""

    options: JsonObject
    settings: tuple[JsonObject, JsonObject]
    outcomes: dict[int, Json]
    moves: list[JsonObject]


class Pair(NamedTuple):
    """Two matches of a game that ``viewer`` cannot tell apart."""

    game: str
    viewer: Viewer
    first: Script
    second: Script

    def moves(self) -> Iterator[tuple[JsonObject, JsonObject]]:
        """Yield the moves of both, side by side."""
        return zip(self.first.moves, self.second.moves, strict=True)


def whispers(viewer: Viewer, number: int, most: int, *, decks_known: bool = False) -> Pair:
    """Return a pair of matches of Whisper; ``decks_known``: with the same decks."""
    settings = (lambda _: decks(Random(number))) if decks_known else decks
    pair = twins(WHISPER, WHISPER, viewer, number, settings=settings, other_truth=_others_truth)
    random, count = Random(number), 0
    while count < most and step(pair, random):
        count += 1
    brought = [(one.match.settings[0], one.match.settings[1]) for one in pair[2:]]
    scripts = [
        Script({}, settings, _outcomes(table.events), _moves(table.events)[:count])
        for settings, table in zip(brought, pair[2:], strict=True)
    ]
    return Pair("whisper", viewer, *scripts)


def _others_truth(viewer: Viewer, draw: Draw, outcome: Json, random: Random) -> Json:
    """Give the others another deck. The viewer's own is so short that it is drawn to its end."""
    return outcome if draw.seat == viewer.seat else other_truth(viewer, draw, outcome, random)


def power_lines(viewer: Viewer, number: int, most: int, *, decks_known: bool = False) -> Pair:
    """Return a pair of matches of Power Lines; the first is played at random.

    ``decks_known``: in both with the suggested decks, so that only the order of cards differs.
    """
    random = Random(f"power-lines {number}")
    options: JsonObject = {"gap": random.choice((3, 4, 6)), "turn_limit": 60}
    first = _played(options, most, random, f"{number:064x}")
    cards = [Cards(seat, sorted(first.match.settings[seat - 1]["deck"]), viewer) for seat in (1, 2)]
    for event, state in _states(first):
        for side in cards:
            side.follow(event, state)
    script = Script(options, ({}, {}), _outcomes(first.events), _moves(first.events))
    values = [side.others(random, deck_known=decks_known) for side in cards]
    other = _exchanged(script, first.events, cards, values)
    return _alike(viewer, script, other._replace(settings=({}, {})) if decks_known else other)


def public(state: JsonObject) -> JsonObject:
    """Return what the rule page lets everybody see of a whole state of Power Lines."""
    players = [{**one, "hand": None, "deck": None} for one in state["players"]]
    field = [{**card, "card": None} if card["face"] == "down" else card for card in state["field"]]
    return {**state, "players": players, "field": field}


def seen_by(viewer: Viewer, state: JsonObject) -> JsonObject:
    """Return what the rule page lets ``viewer`` see of a whole state of Power Lines."""
    seen = public(state)
    if viewer.seat is None:
        return seen
    seen["players"][viewer.seat - 1]["hand"] = state["players"][viewer.seat - 1]["hand"]
    seen["field"] = [
        whole if whole["owner"] == viewer.seat else shown
        for whole, shown in zip(state["field"], seen["field"], strict=True)
    ]
    return seen


def _played(options: JsonObject, most: int, random: Random, secret: str) -> Table:
    table = Table.started(POWER_LINES, options=options, secret=secret)
    while table.match.ply < most and not table.match.over:
        table.play(_chosen(table, random))
    return table


def _chosen(table: Table, random: Random) -> JsonObject:
    """Choose a move, of any kind alike, but gladly one that meets the enemy."""
    by_action: dict[str, list[JsonObject]] = {}
    for move in table.legal_moves():
        by_action.setdefault(move["action"], []).append(move)
    meeting = sorted(by_action.keys() & {"dominate", "discard"})
    moves = by_action[random.choice(meeting or sorted(by_action))]
    goal = (table.match.to_act == 1) * (table.match.options["gap"] + 1)
    if moves[0]["action"] == "play" and random.random() < BOLD:
        return min(moves, key=lambda move: abs(move["x"] - goal) + abs(move["y"]))
    return random.choice(moves)


def _states(table: Table) -> Iterator[tuple[Event, JsonObject]]:
    match = fold(table.events[:1], table.games)
    for event in table.events[1:]:
        match = evolve(match, event, table.games)
        sight = view(match, Viewer.SERVER).sight
        if sight is not None:
            yield event, table.game.show(sight)


def _exchanged(
    script: Script, events: list[Event], cards: list[Cards], values: list[list[int]]
) -> Script:
    """Return the script with other values of the cards."""
    settings = tuple(
        {"deck": list(SUGGESTED) if side.viewer.seat == side.seat else sorted(of_seat)}
        for side, of_seat in zip(cards, values, strict=True)
    )
    orders = [iter(side.orders) for side in cards]
    outcomes = dict(script.outcomes)
    for event in events:
        fact = event.fact
        if isinstance(fact, ChanceDrawn) and fact.purpose == "shuffle" and fact.seat:
            order = next(orders[fact.seat - 1])
            outcomes[fact.draw] = [values[fact.seat - 1][card] for card in order]
    placed = [iter(side.placed) for side in cards]
    moves: list[JsonObject] = []
    for fact in (event.fact for event in events if isinstance(event.fact, MoveMade)):
        move = script.moves[len(moves)]
        if move["action"] == "place":
            move = {**move, "card": values[fact.seat - 1][next(placed[fact.seat - 1])]}
        moves.append(move)
    return Script(script.options, (settings[0], settings[1]), outcomes, moves)


def _alike(viewer: Viewer, first: Script, second: Script) -> Pair:
    """Return both up to where the rules show them to be different, or a match ends."""
    tables = [
        Table.started(
            POWER_LINES, options=one.options, settings=one.settings, chance=scripted(one.outcomes)
        )
        for one in (first, second)
    ]
    count = 0
    for moves in zip(first.moves, second.moves, strict=True):
        if not _same_step(tables, moves):
            break
        count += 1
    brought = (_brought(viewer, first), _brought(viewer, second))
    return Pair(
        "power-lines",
        viewer,
        *(
            one._replace(settings=settings, moves=one.moves[:count])
            for one, settings in zip((first, second), brought, strict=True)
        ),
    )


def _brought(viewer: Viewer, script: Script) -> tuple[JsonObject, JsonObject]:
    """Return the settings as they are sent: the viewer's own the same way in both."""
    first, second = (
        {} if viewer.seat == seat else given for seat, given in enumerate(script.settings, 1)
    )
    return first, second


def _same_step(tables: list[Table], moves: tuple[JsonObject, JsonObject]) -> bool:
    kinds = []
    for table, move in zip(tables, moves, strict=True):
        try:
            kinds.append([event.kind for event in table.play(move)])
        except (Refusal, KeyError):
            return False
    one, other = (public(table.state() or {}) for table in tables)
    return kinds[0] == kinds[1] and one == other and "match-ended" not in kinds[0]


def scripted(outcomes: dict[int, Json]) -> Chance:
    """Return a source of chance that gives these outcomes, by the number of the draw."""

    def chance(_: ChanceSource, number: int, __: Draw) -> Json:
        return outcomes[number]

    return chance


def _outcomes(events: list[Event]) -> dict[int, Json]:
    return {
        event.fact.draw: event.sealed[0].value if event.sealed else event.fact.outcome
        for event in events
        if isinstance(event.fact, ChanceDrawn)
    }


def _moves(events: list[Event]) -> list[JsonObject]:
    return [
        event.sealed[0].value if event.sealed else event.fact.move
        for event in events
        if isinstance(event.fact, MoveMade)
    ]


class Pairing(Protocol):
    """What makes pairs of matches of a game."""

    def __call__(
        self, viewer: Viewer, number: int, most: int, *, decks_known: bool = False
    ) -> Pair:
        """Return the pair of a number."""


PAIRINGS: dict[str, Pairing] = {"power-lines": power_lines, "whisper": whispers}
