"""Grid Power: every check of its page, every broken rule, and a second opinion."""

from __future__ import annotations

from itertools import combinations, permutations
from statistics import mean
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.game.game import Act
from domain.game.scene import Link, Mark, Meter, Note, Shape
from domain.games.grid_power import GRID_POWER, rules
from domain.json_types import Json, JsonObject
from tests.domain.games.support import (
    HUGE,
    Reference,
    agrees,
    course,
    drawn,
    ended,
    invalid,
    listed,
    marked,
    opening,
    refusal,
    sequences,
    space,
    state,
    told,
    typed,
)

SEED = "5@2,2 7@1,2 3@2,1"
TIED = "2@1,1 2@3,2 9@1,2 6@2,2 7@3,3 5@2,1 4@3,1 8@2,3 6@1,3"
"""A full grid with totals of 54 each."""

OPTIONS = st.fixed_dictionaries({}, optional={"komi": st.integers(0, 99)})
NUMBERS = st.integers(0, 2**32)


# --- the checks of the page ---------------------------------------------------------------------


def test_the_sequence_of_the_seed() -> None:
    now = state(typed(GRID_POWER, SEED))
    assert [player["total"] for player in now["players"]] == [16, 7]
    assert now["grid"] == [
        [None, {"owner": 2, "unit": 7}, None],
        [{"owner": 1, "unit": 3}, {"owner": 1, "unit": 5}, None],
        [None, None, None],
    ]
    assert now["players"][0]["units"] == [1, 2, 4, 6, 7, 8, 9]
    assert now["players"][1]["units"] == [1, 2, 3, 4, 5, 6, 8, 9]


@pytest.mark.parametrize("free", [1, 2, 3, 4])
def test_the_end_is_expected_as_the_mean_of_all_ends_that_the_highest_units_come_to(
    free: int,
) -> None:
    position = rules.set_up({"komi": 7}, ({}, {}))
    laid = ((5, 4), (9, 1), (3, 3), (8, 8), (9, 0), (1, 5), (2, 7), (7, 2))
    for unit, at in laid[: 9 - free]:
        position = rules.play(position, rules.Placement(unit, at // 3 + 1, at % 3 + 1))
    cells = [divmod(at, 3) for at, there in enumerate(position.grid) if not there]
    margins = []
    for order in permutations(cells):
        end = position
        for row, column in order:
            unit = end.units[end.seat - 1][-1]
            end = rules.play(end, rules.Placement(unit, row + 1, column + 1))
        margins.append(rules.evaluate(end))
    assert abs(rules.evaluate(position) - mean(margins)) <= 1


@given(OPTIONS, NUMBERS)
def test_every_match_is_nine_placements_long(options: JsonObject, number: int) -> None:
    turns = list(course(GRID_POWER, options, number))
    assert [turn.seat for turn in turns] == [1, 2, 1, 2, 1, 2, 1, 2, 1]


def test_a_full_grid_of_equal_totals_is_a_draw() -> None:
    table = typed(GRID_POWER, TIED)
    assert [player["total"] for player in state(table)["players"]] == [54, 54]
    assert ended(table) == (None, "power")


def test_komi_counts_for_seat_two_at_the_end_only() -> None:
    table = typed(GRID_POWER, TIED, komi=1)
    assert ended(table) == (2, "power")
    assert [player["total"] for player in state(table)["players"]] == [54, 54]


def test_the_higher_total_wins() -> None:
    moves = TIED.replace("6@1,3", "8@1,3")
    assert ended(typed(GRID_POWER, moves)) == (1, "power")
    assert ended(typed(GRID_POWER, moves, komi=4)) == (None, "power")


# --- moves --------------------------------------------------------------------------------------


def test_moves_are_listed_by_unit_then_row_then_column() -> None:
    moves = listed(typed(GRID_POWER, SEED))
    assert moves[:7] == ["1@1,1", "1@1,3", "1@2,3", "1@3,1", "1@3,2", "1@3,3", "2@1,1"]
    assert len(moves) == 8 * 6


@pytest.mark.parametrize(
    ("moves", "units"),
    [("", {5, 6, 7, 8, 9}), (SEED, {6, 8, 9}), (TIED.rsplit(" ", 2)[0], {9})],
)
def test_no_unit_is_promising_below_the_highest_that_can_still_be_placed(
    moves: str, units: set[int]
) -> None:
    position = cast("rules.Position", typed(GRID_POWER, moves).match.started)
    assert {one.unit for one in rules.iter_promising(position)} == units


@pytest.mark.parametrize(
    ("moves", "move", "sentence"),
    [
        ("", "0@1,1", "Units are numbered 1 to 9."),
        ("", "10@1,1", "Units are numbered 1 to 9."),
        ("", "1@0,1", "The grid has rows and columns 1 to 3."),
        ("", "1@1,4", "The grid has rows and columns 1 to 3."),
        (SEED, "7@1,1", "You have placed your unit 7 already; each is usable once."),
        (SEED, "5@2,1", "The cell (2,1) is taken by P1's unit 3."),
        (SEED, "5@1,2", "The cell (1,2) is taken by P2's unit 7."),
    ],
)
def test_each_broken_rule_has_its_sentence(moves: str, move: str, sentence: str) -> None:
    assert refusal(typed(GRID_POWER, moves), GRID_POWER.notation.read(move)) == sentence


def test_numbers_beyond_all_bounds_are_illegal() -> None:
    table = typed(GRID_POWER, "")
    for huge in HUGE:
        assert "1 to 9" in refusal(table, {"unit": huge, "row": 1, "column": 1})
        assert "1 to 3" in refusal(table, {"unit": 1, "row": huge, "column": 1})
        assert "1 to 3" in refusal(table, {"unit": 1, "row": 1, "column": huge})


@pytest.mark.parametrize(
    ("komi", "sentence"),
    [
        (-1, "komi must be from 0 to 99."),
        (100, "komi must be from 0 to 99."),
        ("7", "komi must be a whole number."),
    ],
)
def test_komi_out_of_range_is_refused(komi: Json, sentence: str) -> None:
    assert invalid(GRID_POWER, komi=komi) == sentence


# --- what is told and drawn ---------------------------------------------------------------------


def test_a_placement_is_told_with_the_power_it_brought() -> None:
    table = typed(GRID_POWER, "")
    assert told(table, "5@2,2") == "P1 places 5 on (2,2): power +5, now 5."
    assert told(table, "7@1,2") == "P2 places 7 on (1,2): power +7, now 7."
    assert told(table, "3@2,1") == "P1 places 3 on (2,1), beside its own 5: power +11, now 16."
    assert told(table, "1@3,3") == "P2 places 1 on (3,3): power +1, now 8."
    assert told(table, "1@3,2") == "P1 places 1 on (3,2), beside its own 5: power +7, now 23."
    assert told(table, "2@1,1") == "P2 places 2 on (1,1), beside its own 7: power +11, now 19."
    assert told(table, "2@3,1") == (
        "P1 places 2 on (3,1), beside its own 3 and 1: power +10, now 33."
    )


def test_the_grid_shows_units_bonds_and_axes() -> None:
    scene = drawn(typed(GRID_POWER, SEED))
    assert scene.zones[0].shape is Shape.GRID
    (token,) = space(scene, "cell:2,1").tokens
    assert (token.text, token.owner, token.value) == ("3", 1, 8)
    assert token.label == "P1's unit 3, power 8"
    there = space(scene, "cell:1,3")
    assert (there.x, there.y, there.tokens) == (2, 0, ())
    assert marked(scene, Mark.LAST) == ["cell:2,1"]
    assert scene.links == (Link("cell:2,1", "cell:2,2", 1),)
    assert scene.meters == (Meter(1, "power", 16), Meter(2, "power", 7))
    assert scene.columns == scene.rows == ("1", "2", "3")


def test_only_the_hand_of_the_seat_to_act_holds_steps_of_a_path() -> None:
    scene = drawn(typed(GRID_POWER, SEED))
    first, second = ([one.id for one in zone.spaces] for zone in scene.zones[1:])
    assert first == [f"unit:1:{unit}" for unit in (1, 2, 4, 6, 7, 8, 9)]
    assert second == [f"unit:{unit}" for unit in (1, 2, 3, 4, 5, 6, 8, 9)]


def test_nobody_has_a_step_when_the_grid_is_full() -> None:
    hands = drawn(typed(GRID_POWER, TIED)).zones[1:]
    assert [one.id for zone in hands for one in zone.spaces if one.id.count(":") == 1] == []


def test_komi_is_noted_beside_the_board() -> None:
    assert drawn(typed(GRID_POWER, SEED)).notes == ()
    assert drawn(typed(GRID_POWER, SEED, komi=7)).notes == (
        Note("Komi adds 7 at the end, which makes 14 so far.", 2),
    )


# --- a second opinion ---------------------------------------------------------------------------

PLACES = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
PAIRS = [(a, b) for a, b in combinations(PLACES, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]


def moves(now: JsonObject, seat: int, _: JsonObject) -> list[JsonObject]:
    return [
        {"unit": unit, "row": row, "column": column}
        for unit in now["players"][seat - 1]["units"]
        for row, column in PLACES
        if now["grid"][row - 1][column - 1] is None
    ]


def play(now: JsonObject, seat: int, move: JsonObject, _: JsonObject) -> JsonObject:
    """Place the unit, and count both totals anew, over the cells and the pairs of neighbours."""
    grid = [list(row) for row in now["grid"]]
    grid[move["row"] - 1][move["column"] - 1] = {"owner": seat, "unit": move["unit"]}
    players = []
    for owner, player in enumerate(now["players"], 1):
        own = {
            (row, column): there["unit"]
            for row, column in PLACES
            if (there := grid[row - 1][column - 1]) and there["owner"] == owner
        }
        bonds = sum(own[a] + own[b] for a, b in PAIRS if a in own and b in own)
        used = [move["unit"]] if owner == seat else []
        units = [unit for unit in player["units"] if unit not in used]
        players.append({"units": units, "total": sum(own.values()) + bonds})
    return {"grid": grid, "players": players}


def end(now: JsonObject, _: int, options: JsonObject) -> tuple[int | None, str] | None:
    if any(there is None for row in now["grid"] for there in row):
        return None
    lead = now["players"][0]["total"] - now["players"][1]["total"] - options["komi"]
    return (1 if lead > 0 else 2 if lead else None), "power"


REFERENCE = Reference(moves, play, end)


@given(OPTIONS, NUMBERS)
def test_random_matches_agree_with_the_reference(options: JsonObject, number: int) -> None:
    assert agrees(GRID_POWER, REFERENCE, options, number) == 9


@given(NUMBERS)
def test_each_placement_leaves_one_unit_and_one_cell_fewer(number: int) -> None:
    for made, turn in enumerate(course(GRID_POWER, {}, number)):
        assert len(turn.legal) == (9 - made) * (9 - made // 2)
        assert isinstance(turn.then[-1], Act) == (made < 8)


def test_as_many_sequences_of_moves_as_counted_independently() -> None:
    now, options = opening(GRID_POWER)
    for depth, count in enumerate([9 * 9, 9 * 9 * 8 * 9], 1):
        assert sequences(GRID_POWER, depth) == count
        assert REFERENCE.sequences(now, 1, options, depth) == count
