"""Power Line said once more, and random matches held against it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.power_line import POWER_LINE
from domain.games.power_line.rules import Position
from domain.json_types import JsonObject
from tests.domain.games.support import Reference, agrees, course, opening, sequences

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "length": st.integers(3, 9),
        "nodes": st.integers(1, 9),
        "energy": st.integers(1, 40),
        "capture": st.sampled_from(["duel", "attacker"]),
        "deadlock": st.sampled_from(["ladder", "draw"]),
    },
)
NUMBERS = st.integers(0, 2**32)

Nodes = dict[int, tuple[int, int]]
"""Position -> owner and power."""


def nodes_of(state: JsonObject) -> Nodes:
    return {at: (one["owner"], one["power"]) for at, one in enumerate(state["line"]) if one}


def moves(state: JsonObject, seat: int, _: JsonObject) -> list[JsonObject]:
    """Try everything: each position with each power, each upgrade."""
    line, own = state["line"], state["players"][seat - 1]
    places = [
        {"action": "place", "position": at, "power": power}
        for at, there in enumerate(line)
        for power in (1, 2, 3, 4, 5)
        if there is None and own["nodes"] > 0 and power <= own["energy"]
    ]
    upgrades = [
        {"action": "upgrade", "position": at}
        for at, there in enumerate(line)
        if there is not None and there["owner"] == seat
        if there["power"] != 10 and there["power"] + 1 <= own["energy"]
    ]
    return places + upgrades


def play(state: JsonObject, seat: int, move: JsonObject, options: JsonObject) -> JsonObject:
    """Work on a map of the nodes; what a seat has unused is what is not on the line."""
    nodes, at = nodes_of(state), move["position"]
    power = move["power"] if move["action"] == "place" else nodes[at][1] + 1
    nodes[at] = (seat, power)
    for step in (-1, 1):
        there = at + step
        while there in nodes and nodes[there][0] != seat and nodes[there][1] < power:
            del nodes[there]
            there += step
    beside = [nodes.get(at + step, (seat, 0)) for step in (-1, 1)]
    stronger = [node for node in beside if node[0] != seat and node[1] > power]
    if stronger and options["capture"] == "duel":
        del nodes[at]
    energy = [player["energy"] for player in state["players"]]
    energy[seat - 1] -= power
    return state_of(nodes, energy, options)


def state_of(nodes: Nodes, energy: list[int], options: JsonObject) -> JsonObject:
    owners = [owner for owner, _ in nodes.values()]
    line = [
        {"owner": nodes[at][0], "power": nodes[at][1]} if at in nodes else None
        for at in range(options["length"])
    ]
    players = [
        {"energy": energy[seat - 1], "nodes": options["nodes"] - owners.count(seat)}
        for seat in (1, 2)
    ]
    return {"line": line, "players": players}


def end(state: JsonObject, seat: int, options: JsonObject) -> tuple[int | None, str] | None:
    owners = [node["owner"] if node else 0 for node in state["line"]]
    if owners == [seat] * options["length"]:
        return seat, "chain"
    if moves(state, 1, options) or moves(state, 2, options):
        return None
    ladders = [rungs(state, one) for one in (1, 2)]
    if options["deadlock"] == "draw" or ladders[0] == ladders[1]:
        return None, "deadlock"
    return 1 + ladders.index(max(ladders)), "deadlock"


def rungs(state: JsonObject, seat: int) -> list[int]:
    """Write the line as text, an x for each own node, and look for the longest word."""
    own = [node["power"] for node in state["line"] if node and node["owner"] == seat]
    text = "".join("x" if node and node["owner"] == seat else " " for node in state["line"])
    run = max([0, *map(len, text.split())])
    return [run, len(own), sum(own), state["players"][seat - 1]["energy"]]


REFERENCE = Reference(moves, play, end)


@given(OPTIONS, NUMBERS)
def test_random_matches_agree_with_the_reference(options: JsonObject, number: int) -> None:
    assert agrees(POWER_LINE, REFERENCE, options, number) > 0


@given(OPTIONS, NUMBERS)
def test_energy_never_comes_back_and_nodes_are_conserved(options: JsonObject, number: int) -> None:
    for turn in course(POWER_LINE, options, number):
        before, after = turn.before, turn.after
        mover, other = turn.seat - 1, 2 - turn.seat
        assert after.sides[mover].energy < before.sides[mover].energy
        assert after.sides[other].energy == before.sides[other].energy
        assert counted(after) == counted(before)
        assert all(1 <= node.power <= 10 for node in after.line if node)


def counted(position: Position) -> list[int]:
    """Return how many nodes each seat has, on the line or unused."""
    owners = [node.owner for node in position.line if node]
    return [owners.count(seat) + position.sides[seat - 1].nodes for seat in (1, 2)]


@given(OPTIONS, NUMBERS)
def test_no_match_is_longer_than_twice_its_energy(options: JsonObject, number: int) -> None:
    turns = list(course(POWER_LINE, options, number))
    assert len(turns) <= 2 * turns[0].before.terms.energy


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, [55, 2750]),
        ({"length": 3, "nodes": 3, "energy": 5}, [15, 150, 602]),
        ({"length": 4, "nodes": 2, "energy": 3, "capture": "attacker"}, [12, 108, 366, 636, 698]),
    ],
)
def test_as_many_sequences_of_moves_as_counted_independently(
    options: JsonObject, counts: list[int]
) -> None:
    for depth, count in enumerate(counts, 1):
        assert sequences(POWER_LINE, depth, **options) == count
        state, complete = opening(POWER_LINE, **options)
        assert REFERENCE.sequences(state, 1, complete, depth) == count
