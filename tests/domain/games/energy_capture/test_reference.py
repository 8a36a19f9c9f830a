"""Energy Capture said once more, and random matches held against it."""

from __future__ import annotations

from copy import deepcopy
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.game.game import Pass
from domain.games.energy_capture import ENERGY_CAPTURE
from domain.games.energy_capture.setup import OPEN_PLACES
from domain.json_types import JsonObject
from tests.domain.games.support import Reference, agrees, course, opening, sequences

CELLS = st.dictionaries(st.sampled_from(OPEN_PLACES), st.integers(1, 5), min_size=1).map(
    lambda worth: [
        {"row": row, "column": column, "value": value} for (row, column), value in worth.items()
    ]
)
OPTIONS = st.fixed_dictionaries(
    {"closed": st.sampled_from(["captured", "own"])}, optional={"cells": CELLS}
)
RING = ((2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 3), (4, 4))
NUMBERS = st.integers(0, 2**32)


def moves(state: JsonObject, seat: int, options: JsonObject) -> list[JsonObject]:
    """Look at all 25 cells, and drop those that are closed or not one step away."""
    own, other = state["players"][seat - 1], state["players"][2 - seat]
    closed = [*own["visited"], other["visited"][-1]]
    if options["closed"] == "captured":
        closed += [[cell["row"], cell["column"]] for cell in other["captured"]]
    return [
        {"row": row, "column": column}
        for row, column in product(range(1, 6), repeat=2)
        if [row, column] not in closed
        if {abs(row - own["row"]), abs(column - own["column"])} == {0, 1}
    ]


def play(state: JsonObject, seat: int, move: JsonObject, _: JsonObject) -> JsonObject:
    after = deepcopy(state)
    own = after["players"][seat - 1]
    own.update(move)
    own["visited"].append([move["row"], move["column"]])
    for cell in state["cells"]:
        if [cell["row"], cell["column"]] == own["visited"][-1]:
            after["cells"].remove(cell)
            own["captured"].append(cell)
    own["score"] = sum(cell["value"] for cell in own["captured"])
    return after


def end(state: JsonObject, seat: int, options: JsonObject) -> tuple[int | None, str] | None:
    if state["players"][seat - 1]["score"] >= 15:
        return seat, "energy"
    if not state["cells"]:
        return ahead(state), "exhausted"
    if not moves(state, 1, options) and not moves(state, 2, options):
        return ahead(state), "blocked"
    return None


def ahead(state: JsonObject) -> int | None:
    ladders = []
    for player in state["players"]:
        values = [cell["value"] for cell in player["captured"]]
        ladders.append([sum(values), len(values), max([0, *values])])
    return None if ladders[0] == ladders[1] else 1 + ladders.index(max(ladders))


REFERENCE = Reference(moves, play, end)


@given(OPTIONS, NUMBERS)
def test_random_matches_agree_with_the_reference(options: JsonObject, number: int) -> None:
    assert agrees(ENERGY_CAPTURE, REFERENCE, options, number) > 0


def test_the_reference_has_seen_passes_and_every_end() -> None:
    seen = set()
    for number in range(150):
        for turn in course(ENERGY_CAPTURE, {}, number):
            seen |= {getattr(step, "reason", "") for step in turn.then}
            assert len(turn.then) == 1 or isinstance(turn.then[0], Pass)
    assert seen >= {"no-legal-move", "blocked", "energy", "exhausted"}


@given(OPTIONS, NUMBERS)
def test_trails_only_grow_and_energy_only_changes_hands(options: JsonObject, number: int) -> None:
    for turn in course(ENERGY_CAPTURE, options, number):
        before, after = turn.before.markers, turn.after.markers
        mover, other = turn.seat - 1, 2 - turn.seat
        assert after[mover].visited[:-1] == before[mover].visited
        assert after[other] == before[other]
        assert len(set(after[mover].visited)) == len(after[mover].visited)
        taken = [cell for marker in after for cell in marker.captured]
        everything = [cell for marker in before for cell in marker.captured]
        assert sorted([*turn.after.cells, *taken]) == sorted([*turn.before.cells, *everything])


@given(OPTIONS, NUMBERS)
def test_no_match_is_longer_than_two_trails_over_the_grid(options: JsonObject, number: int) -> None:
    assert len(list(course(ENERGY_CAPTURE, options, number))) <= 2 * 24


@pytest.mark.parametrize(
    ("closed", "counts"),
    [
        ("captured", [2, 4, 8, 16, 40, 100, 240, 506, 1066]),
        ("own", [2, 4, 8, 16, 40, 100, 240, 506, 1186]),
    ],
)
def test_as_many_sequences_of_moves_as_counted_independently(
    closed: str, counts: list[int]
) -> None:
    cells = [{"row": row, "column": column, "value": 1} for row, column in RING]
    state, complete = opening(ENERGY_CAPTURE, closed=closed, cells=cells)
    for depth, count in enumerate(counts, 1):
        assert sequences(ENERGY_CAPTURE, depth, closed=closed, cells=cells) == count
        assert REFERENCE.sequences(state, 1, complete, depth) == count
