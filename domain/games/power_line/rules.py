"""The rules of Power Line, version 1: the line, who captures whom, and the course of a match."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from domain.game.game import ACTS, Over, Pass, Step, read_action
from domain.i18n import say
from domain.json_types import Json, JsonObject

DUEL, ATTACKER = "duel", "attacker"
"""Who captures: both, or only who acts."""


class Node(NamedTuple):
    """A node on the line: whose, and how strong."""

    owner: int
    power: int


Line: TypeAlias = tuple[Node | None, ...]
"""What stands on each position."""


def find_holder(line: Line) -> int | None:
    """Return the seat that has a node on every position, or None."""
    first = line[0]
    if first is None:
        return None
    owner = first.owner
    for node in line:
        if node is None or node.owner != owner:
            return None
    return owner


def measure_longest_run(line: Line, seat: int) -> int:
    """Return the most nodes of ``seat`` on consecutive positions."""
    longest = run = 0
    for node in line:
        run = run + 1 if node and node.owner == seat else 0
        longest = max(longest, run)
    return longest


@cache
def _list_ways(length: int) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return for each position those to its left and those to its right, the nearest first."""
    places = tuple(range(length))
    return tuple((places[:at][::-1], places[at + 1 :]) for at in places)


def strike(line: list[Node | None], at: int, captor: Node, capture: str) -> list[int]:
    """Put ``captor`` on ``at`` and empty what it captures to its left, then to its right.

    In a duel it is itself captured, at last, beside a stronger enemy. Returns what was emptied.
    """
    owner, power = captor
    line[at] = captor
    emptied: list[int] = []
    outdone = False
    for way in _list_ways(len(line))[at]:
        for place in way:
            node = line[place]
            if node is None or node[0] == owner:
                break
            if node[1] >= power:
                outdone = outdone or (node[1] > power and place == way[0])
                break
            line[place] = None
            emptied.append(place)
    if outdone and capture == DUEL:
        line[at] = None
        emptied.append(at)
    return emptied


STRONGEST_PLACED = 5
STRONGEST = 10

LADDER, DRAW = "ladder", "draw"

_new = tuple.__new__
"""Makes a record of its members as they stand: up to a tenth of a fold, which has a goal."""


class Side(NamedTuple):
    """What a seat has left: energy and unused nodes."""

    energy: int
    nodes: int


Sides: TypeAlias = tuple[Side, Side]


class Terms(NamedTuple):
    """What the match's options say, besides the length of the line."""

    nodes: int
    energy: int
    capture: str
    deadlock: str


class Position(NamedTuple):
    """The line, both sides and the seat to act.

    ``taken`` holds the positions that the last action emptied. No rule looks at it; a
    board shows it.
    """

    terms: Terms
    line: Line
    sides: Sides
    seat: int
    taken: tuple[int, ...] = ()


class Place(NamedTuple):
    """Put an unused node on an empty position."""

    position: int
    power: int


class Upgrade(NamedTuple):
    """Make an own node stronger by 1."""

    position: int


Move: TypeAlias = Place | Upgrade

FORMS = {"place": {"position": int, "power": int}, "upgrade": {"position": int}}


def set_up(options: JsonObject, _: tuple[JsonObject, JsonObject]) -> Position:
    """Lay out an empty line; seat 1 begins."""
    terms = Terms(*(options[name] for name in Terms._fields))
    side = Side(terms.energy, terms.nodes)
    return Position(terms, (None,) * options["length"], (side, side), 1)


def get_next_step(position: Position) -> Step:
    """Say who acts next, or how it ended."""
    owner = find_holder(position.line)
    if owner is not None:
        return Over(owner, "chain")
    if can_act(position, position.seat):
        return ACTS[position.seat]
    if can_act(position, 3 - position.seat):
        return Pass(position.seat)
    return Over(_judge_deadlock(position), "deadlock")


def can_act(position: Position, seat: int) -> bool:
    """Whether ``seat`` has a legal action, were it to act."""
    side = position.sides[seat - 1]
    if side.nodes and side.energy and None in position.line:
        return True
    return any(
        node and node.owner == seat and node.power < min(STRONGEST, side.energy)
        for node in position.line
    )


def _judge_deadlock(position: Position) -> int | None:
    if position.terms.deadlock == DRAW:
        return None
    first, second = compute_standing(position, 1), compute_standing(position, 2)
    if first == second:
        return None
    return 1 if first > second else 2


def compute_standing(position: Position, seat: int) -> tuple[int, int, int, int]:
    """Return the rungs of the ladder: longest run, nodes, power, energy left."""
    powers = [node.power for node in position.line if node and node.owner == seat]
    energy = position.sides[seat - 1].energy
    return measure_longest_run(position.line, seat), len(powers), sum(powers), energy


def parse_move(json: Json) -> Move:
    """Parse a move."""
    if read_action(json, FORMS) == "place":
        return Place(json["position"], json["power"])
    return Upgrade(json["position"])


def recall(json: JsonObject) -> Move:
    """Parse a move that is on record."""
    if json["action"] == "place":
        return _new(Place, (json["position"], json["power"]))
    return _new(Upgrade, (json["position"],))


def dump_move(move: Move) -> JsonObject:
    """Return a move's JSON form."""
    name = "place" if isinstance(move, Place) else "upgrade"
    return {"action": name, **move._asdict()}


def check_move(position: Position, move: Move) -> str | None:
    """Say which rule forbids the move, or None."""
    if not 0 <= move.position < len(position.line):
        return say("The line has positions 0 to {last}.", last=len(position.line) - 1)
    if isinstance(move, Place):
        return _check_place(position, move)
    return _check_upgrade(position, move)


def _check_place(position: Position, move: Place) -> str | None:
    side = position.sides[position.seat - 1]
    if not 1 <= move.power <= STRONGEST_PLACED:
        return say("A node is placed with a power of 1 to {most}.", most=STRONGEST_PLACED)
    node = position.line[move.position]
    if node:
        return say(
            "Position {position} is taken by P{owner}'s node.",
            position=move.position,
            owner=node.owner,
        )
    if not side.nodes:
        return say("You have no unused node: all your nodes are on the line.")
    if move.power > side.energy:
        return say(
            "A node of power {power} costs {power} energy, and you have {energy}.",
            power=move.power,
            energy=side.energy,
        )
    return None


def _check_upgrade(position: Position, move: Upgrade) -> str | None:
    node = position.line[move.position]
    energy = position.sides[position.seat - 1].energy
    if not node:
        return say(
            "Position {position} is empty: there is nothing to upgrade.", position=move.position
        )
    if node.owner != position.seat:
        return say(
            "The node on position {position} is not yours: you upgrade your own only.",
            position=move.position,
        )
    if node.power >= STRONGEST:
        return say(
            "The node on position {position} has the highest power, {most}.",
            position=move.position,
            most=STRONGEST,
        )
    if node.power + 1 > energy:
        cost = node.power + 1
        return say(
            "An upgrade to power {cost} costs {cost} energy, and you have {energy}.",
            cost=cost,
            energy=energy,
        )
    return None


def iter_legal_moves(position: Position) -> Iterator[Move]:
    """Yield all places by position, then power; then all upgrades by position."""
    side = position.sides[position.seat - 1]
    strongest = min(STRONGEST_PLACED, side.energy) if side.nodes else 0
    for at, node in enumerate(position.line):
        if not node:
            yield from (Place(at, power) for power in range(1, strongest + 1))
    for at, node in enumerate(position.line):
        if node and node.owner == position.seat and node.power < min(STRONGEST, side.energy):
            yield Upgrade(at)


def play(position: Position, move: Move) -> Position:
    """Place or upgrade for the seat to act, then capture."""
    terms, before, sides, seat, _ = position
    line, (energy, nodes), (theirs, others) = list(before), sides[seat - 1], sides[2 - seat]
    if isinstance(move, Place):
        at, power = move
        nodes -= 1
    else:
        at = move.position
        node = line[at]
        power = node.power + 1 if node else 1
    taken = strike(line, at, _new(Node, (seat, power)), terms.capture)
    lost = line[at] is None
    own = _new(Side, (energy - power, nodes + lost))
    other = _new(Side, (theirs, others + len(taken) - lost))
    sides = (own, other) if seat == 1 else (other, own)
    return _new(Position, (terms, tuple(line), sides, 3 - seat, tuple(taken)))


def show(position: Position) -> JsonObject:
    """Return the state as the game's page gives it."""
    return {
        "line": [node._asdict() if node else None for node in position.line],
        "players": [side._asdict() for side in position.sides],
    }


def evaluate(position: Position) -> int:
    """Return by how much seat 1 is ahead, its longest run counting most, as on the ladder."""
    first, second = position.sides
    led = ENERGY * (first.energy - second.energy)
    longest, run, owner = [0, 0, 0], 0, 0
    for node in position.line:
        if node is None:
            run = owner = 0
            continue
        seat = node[0]
        run = run + 1 if seat == owner else 1
        owner = seat
        longest[seat] = max(longest[seat], run)
        led += NODE if seat == 1 else -NODE
    return led + RUN * (longest[1] - longest[2])


RUN, NODE, ENERGY = 60, 10, 35
"""What a node more in the longest run, a node and a unit of energy are worth on the way."""
