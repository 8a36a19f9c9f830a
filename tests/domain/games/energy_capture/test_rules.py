"""Energy Capture: every check of its page, every broken rule, every end."""

from __future__ import annotations

from itertools import product
from typing import cast

import jsonschema
import pytest

from domain.game.game import Act, Draw, Over, Pass
from domain.games.energy_capture import ENERGY_CAPTURE, setup
from domain.games.energy_capture.rules import Go, Marker, Position
from domain.games.energy_capture.setup import NEIGHBOURS, Cell, Coordinates
from domain.json_types import Json, JsonObject
from domain.log.chance import ChanceSource, Dice
from domain.match.fold import fold
from domain.match.state import dump
from tests.domain.games.support import HUGE, ended, invalid, kinds, listed, refusal, state, typed
from tests.support.scenario import Table


def cells(text: str) -> list[JsonObject]:
    """Read a setup: ``4,2=1`` is an Energy Cell worth 1 on row 4, column 2."""
    numbers = ((one[0], one[2], one[4]) for one in text.split())
    return [{"row": int(r), "column": int(c), "value": int(v)} for r, c, v in numbers]


EXAMPLE = cells("4,2=1 2,4=2 2,2=3 4,4=4 3,3=5")
STEPS = "1,2 5,4 2,2 4,4 2,3 3,4 2,4 3,3 3,4 2,3"
CONSOLE = cells("2,1=2 3,3=3 4,5=4")
FAR = cells("4,1=1")


def scores(table: Table) -> list[int]:
    return [player["score"] for player in state(table)["players"]]


# --- the checks of the page ---------------------------------------------------------------------


def test_the_example_of_the_seed() -> None:
    table = typed(ENERGY_CAPTURE, STEPS, cells=EXAMPLE)
    assert scores(table) == [5, 9]
    assert state(table)["players"][0]["captured"] == cells("2,2=3 2,4=2")
    assert state(table)["players"][1]["visited"][-3:] == [[3, 4], [3, 3], [2, 3]]
    assert refusal(table, {"row": 4, "column": 4}) == (
        "P2 captured the Energy Cell of (4,4): it is closed to you."
    )
    assert listed(table) == ["3,5"]


def test_with_own_a_cell_that_the_opponent_emptied_is_open() -> None:
    table = typed(ENERGY_CAPTURE, STEPS, cells=EXAMPLE, closed="own")
    assert listed(table) == ["3,3", "3,5", "4,4"]


def test_the_console_sample_of_the_seed() -> None:
    table = typed(ENERGY_CAPTURE, "", cells=CONSOLE)
    assert listed(table) == ["1,2", "2,1"]
    table.play({"row": 2, "column": 1}, {"row": 4, "column": 5})
    assert scores(table) == [2, 4]
    assert listed(table) == ["2,2", "3,1"]
    assert state(table)["cells"] == cells("3,3=3")


@pytest.mark.parametrize(
    ("row", "column", "sentence"),
    [
        (2, 3, "A step goes one cell up, down, left or right from where you are, (1,2)."),
        (1, 2, "A step goes one cell up, down, left or right from where you are, (1,2)."),
        (1, 4, "A step goes one cell up, down, left or right from where you are, (1,2)."),
        *(
            (row, column, "A step goes one cell up, down, left or right from where you are, (1,2).")
            for row, column in ((3, 1), (5, 1), (1, 5), (5, 4))
        ),
        (0, 2, "The grid has rows and columns 1 to 5."),
        (3, 0, "The grid has rows and columns 1 to 5."),
        (6, 1, "The grid has rows and columns 1 to 5."),
        (2, 6, "The grid has rows and columns 1 to 5."),
        (1, 1, "You have been on (1,1) before; a marker never goes back."),
    ],
)
def test_each_broken_rule_has_its_sentence(row: int, column: int, sentence: str) -> None:
    table = typed(ENERGY_CAPTURE, "1,2 5,4", cells=FAR)
    assert refusal(table, {"row": row, "column": column}) == sentence


def test_a_marker_does_not_step_onto_the_other() -> None:
    table = typed(ENERGY_CAPTURE, "2,1 5,4 3,1 5,3 3,2 4,3 3,3", cells=FAR)
    assert refusal(table, {"row": 3, "column": 3}) == "P1 stands on (3,3)."


def test_numbers_beyond_all_bounds_are_illegal() -> None:
    table = typed(ENERGY_CAPTURE, "", cells=FAR)
    for huge in HUGE:
        assert "rows and columns" in refusal(table, {"row": huge, "column": 1})
        assert "rows and columns" in refusal(table, {"row": 1, "column": huge})


# --- the setup ----------------------------------------------------------------------------------


def test_the_setup_is_drawn_as_the_worked_values_say() -> None:
    secret = bytes(range(32)).hex()
    dice = Dice(ChanceSource(secret, "0" * 16, (None, None)), 1)
    assert setup.sample(dice) == cells("1,2=4 1,3=3 1,5=2 2,1=1 3,4=1 4,1=3 4,2=5 5,1=5")


class Loaded:
    """Dice that leave the order alone and give these numbers."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def shuffle(self, items: Json) -> list[Json]:
        return list(items)

    def draw_below(self, bound: int) -> int:
        assert bound == 5
        return self.numbers.pop(0)


def test_a_setup_worth_less_than_fifteen_is_drawn_again_as_a_whole() -> None:
    dice = Loaded(0, 0, 0, 0, 0, 0, 2, 4, *range(4), 0, 0, 0, 1)
    drawn = setup.sample(cast("Dice", dice))
    assert [cell["value"] for cell in drawn] == [1, 2, 3, 4, 1, 1, 1, 2]
    assert dice.numbers == []


def test_about_one_setup_in_a_hundred_and_thirty_is_too_poor() -> None:
    poor = sum(sum(values) < setup.GOAL for values in product(range(1, 6), repeat=8))
    assert poor / 5**8 == pytest.approx(0.0075, abs=0.0001)


def test_a_match_without_given_cells_draws_them_before_the_first_move() -> None:
    table = Table.started(ENERGY_CAPTURE)
    assert kinds(table, 2) == ["match-started", "chance-drawn"]
    outcome = table.shown()[-1]["data"]["outcome"]
    assert state(table)["cells"] == outcome
    assert len(outcome) == 8
    assert table.match.to_act == 1


def test_a_recorded_match_replays_to_the_same_setup() -> None:
    table = Table.started(ENERGY_CAPTURE)
    assert dump(fold(table.events, table.games)) == dump(table.match)
    other = Table.started(ENERGY_CAPTURE, secret="ab" * 32)
    assert state(other)["cells"] != state(table)["cells"]


def test_given_cells_are_shown_by_row_then_column_and_nothing_is_drawn() -> None:
    table = typed(ENERGY_CAPTURE, "", cells=EXAMPLE)
    assert state(table)["cells"] == cells("2,2=3 2,4=2 3,3=5 4,2=1 4,4=4")
    assert kinds(table, 1) == ["match-started"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], "cells must be null or a list of 1 to 23 Energy Cells."),
        ({}, "cells must be null or a list of 1 to 23 Energy Cells."),
        (False, "cells must be null or a list of 1 to 23 Energy Cells."),
        (EXAMPLE * 5, "cells must be null or a list of 1 to 23 Energy Cells."),
        ([3], "Each of the cells must have a row, a column and a value, all whole numbers."),
        (
            [{"row": 2, "column": 2}],
            "Each of the cells must have a row, a column and a value, all whole numbers.",
        ),
        (
            [{"row": 2, "column": 2, "value": True}],
            "Each of the cells must have a row, a column and a value, all whole numbers.",
        ),
        (
            [{"row": 2, "column": 2, "value": 1, "name": 1}],
            "Each of the cells must have a row, a column and a value, all whole numbers.",
        ),
        (cells("1,1=1"), "Energy Cells lie in rows and columns 1 to 5, and on no start cell."),
        (cells("5,5=1"), "Energy Cells lie in rows and columns 1 to 5, and on no start cell."),
        (cells("2,6=1"), "Energy Cells lie in rows and columns 1 to 5, and on no start cell."),
        (cells("2,2=0"), "Energy Cells have values of 1 to 5."),
        (cells("2,2=6"), "Energy Cells have values of 1 to 5."),
        (cells("2,2=1 2,2=2"), "Two Energy Cells cannot lie on the same cell."),
    ],
)
def test_a_setup_that_cannot_be_is_refused(given: Json, sentence: str) -> None:
    assert invalid(ENERGY_CAPTURE, cells=given) == sentence
    if "same cell" not in sentence:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(given, setup.SCHEMA)


def test_every_open_cell_may_hold_an_energy_cell() -> None:
    full = [{"row": row, "column": column, "value": 5} for row, column in setup.OPEN_PLACES]
    assert len(full) == 23
    table = typed(ENERGY_CAPTURE, "", cells=full)
    assert len(state(table)["cells"]) == 23
    jsonschema.validate(full, setup.SCHEMA)
    jsonschema.validate(None, setup.SCHEMA)


def test_closed_is_one_of_two_words() -> None:
    assert invalid(ENERGY_CAPTURE, closed="all") == "closed must be one of captured, own."


# --- the end ------------------------------------------------------------------------------------


def test_fifteen_energy_wins_at_once() -> None:
    row = cells("1,2=5 1,3=5 1,4=5 2,1=1")
    table = typed(ENERGY_CAPTURE, "1,2 5,4 1,3 5,3 1,4", cells=row)
    assert ended(table) == (1, "energy")


def test_seat_two_wins_by_energy_too() -> None:
    row = cells("5,4=5 5,3=5 5,2=5 2,1=1")
    assert ended(typed(ENERGY_CAPTURE, "1,2 5,4 1,3 5,3 1,4 5,2", cells=row)) == (2, "energy")


def test_reaching_fifteen_with_the_last_cell_is_energy_not_exhausted() -> None:
    row = cells("1,2=5 1,3=5 1,4=5")
    assert ended(typed(ENERGY_CAPTURE, "1,2 5,4 1,3 5,3 1,4", cells=row)) == (1, "energy")


@pytest.mark.parametrize(
    ("given", "winner"),
    [
        ("1,2=1", 1),
        ("1,2=1 5,4=2", 2),
        ("1,2=3 5,4=2 5,3=1", 2),
        ("1,2=2 5,4=2", None),
        ("1,2=2 1,3=3 5,4=4 5,3=1", 2),
    ],
    ids=["score", "higher score", "more cells", "draw", "richest"],
)
def test_an_empty_grid_is_settled_by_the_ladder(given: str, winner: int | None) -> None:
    table = Table.started(ENERGY_CAPTURE, options={"cells": cells(given)})
    for step in ("1,2", "5,4", "1,3", "5,3"):
        if not table.match.over:
            table.play(ENERGY_CAPTURE.notation.read(step))
    assert ended(table) == (winner, "exhausted")


STUCK: tuple[Coordinates, ...] = (
    (1, 1),
    (1, 2),
    (2, 2),
    (2, 1),
    (3, 1),
    (3, 2),
    (4, 2),
    (5, 2),
    (5, 1),
)
"""A way into a corner: from the last cell, (5,1), only (4,1) is left."""


def test_a_stuck_seat_waits_until_the_way_is_free() -> None:
    markers = (Marker(0, STUCK), Marker(0, ((5, 5), (4, 1))))
    position = Position("captured", (Cell(3, 3, 1),), markers, 1)
    assert ENERGY_CAPTURE.get_next_step(position) == Pass(1)
    position = ENERGY_CAPTURE.forfeit(position)
    assert list(ENERGY_CAPTURE.iter_legal_moves(position)) == [Go(3, 1), Go(4, 2)]
    position = ENERGY_CAPTURE.play(position, Go(3, 1))
    assert list(ENERGY_CAPTURE.iter_legal_moves(position)) == [Go(4, 1)]


def test_a_pass_is_recorded_and_the_other_marker_moves_on() -> None:
    moves = "2,1 5,4 2,2 5,3 1,2 5,2 1,3 4,2 1,4 4,3 1,5 4,4 2,5 4,5 3,5"
    table = typed(ENERGY_CAPTURE, moves, cells=FAR)
    assert kinds(table, 2) == ["move-made", "turn-passed"]
    assert table.shown()[-1]["data"] == {"seat": 2, "reason": "no-legal-move"}
    assert table.match.to_act == 1
    table.play({"row": 3, "column": 4})
    assert listed(table) == ["3,5"]


def test_two_stuck_markers_end_the_match_without_a_pass() -> None:
    stuck = tuple((6 - row, 6 - column) for row, column in (*STUCK, (4, 1)))
    markers = (Marker(2, STUCK), Marker(3, stuck))
    position = Position("captured", (Cell(3, 3, 1),), markers, 1)
    assert ENERGY_CAPTURE.get_next_step(position) == Act(1)
    assert ENERGY_CAPTURE.get_next_step(position._replace(seat=2)) == Pass(2)
    last = ENERGY_CAPTURE.play(position, Go(4, 1))
    assert ENERGY_CAPTURE.get_next_step(last) == Over(2, "blocked")


def test_before_the_draw_nobody_acts() -> None:
    position = ENERGY_CAPTURE.set_up({"cells": None, "closed": "own"}, ({}, {}))
    step = ENERGY_CAPTURE.get_next_step(position)
    assert isinstance(step, Draw)
    assert (step.purpose, step.seat, step.hidden) == ("setup", None, False)
    assert ENERGY_CAPTURE.show(position)["cells"] == []


def test_the_neighbours_of_every_place_are_those_one_step_away_on_the_board() -> None:
    assert set(NEIGHBOURS) == {(row, column) for row in range(1, 6) for column in range(1, 6)}
    for place, beside in NEIGHBOURS.items():
        steps = {one: abs(one[0] - place[0]) + abs(one[1] - place[1]) for one in NEIGHBOURS}
        assert sorted(beside) == sorted(one for one, distance in steps.items() if distance == 1)
