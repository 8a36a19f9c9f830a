"""Where the Energy Cells lie: drawn, or given as an option of the match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.log.chance import Dice

SIZE = 5
GOAL = 15
"""The energy that wins."""

DRAWN = 8
"""How many Energy Cells a draw lays out."""

RICHEST = 5

Coordinates: TypeAlias = tuple[int, int]
"""A row and a column, both from 1."""

STARTS: tuple[Coordinates, Coordinates] = ((1, 1), (SIZE, SIZE))
"""Where seats 1 and 2 start."""

OPEN_PLACES = tuple(
    (row, column)
    for row in range(1, SIZE + 1)
    for column in range(1, SIZE + 1)
    if (row, column) not in STARTS
)
"""The places that can hold an Energy Cell, by row, then column."""

NEIGHBOURS: dict[Coordinates, tuple[Coordinates, ...]] = {
    (row, column): tuple(
        (to_row, to_column)
        for to_row, to_column in (
            (row - 1, column),
            (row, column - 1),
            (row, column + 1),
            (row + 1, column),
        )
        if 1 <= to_row <= SIZE and 1 <= to_column <= SIZE
    )
    for row in range(1, SIZE + 1)
    for column in range(1, SIZE + 1)
}
"""The places that lie one step from each, by row, then column."""


class Cell(NamedTuple):
    """An Energy Cell: where it lies, and what it is worth."""

    row: int
    column: int
    value: int

    @property
    def place(self) -> Coordinates:
        """Where it lies."""
        return self.row, self.column


def _declare_number(most: int) -> JsonObject:
    return {"type": "integer", "minimum": 1, "maximum": most}


SCHEMA: JsonObject = {
    "type": ["array", "null"],
    "minItems": 1,
    "maxItems": len(OPEN_PLACES),
    "uniqueItems": True,
    "items": {
        "type": "object",
        "properties": {
            "row": _declare_number(SIZE),
            "column": _declare_number(SIZE),
            "value": _declare_number(RICHEST),
        },
        "required": ["row", "column", "value"],
        "additionalProperties": False,
        "not": {
            "anyOf": [
                {"properties": {"row": {"const": row}, "column": {"const": column}}}
                for row, column in STARTS
            ]
        },
    },
}
"""The JSON Schema of a given setup (that two cells lie on one place, it cannot say)."""


def check_cells(cells: Json) -> str | None:
    """Say what is wrong with the option ``cells``, or None."""
    if cells is None:
        return None
    if type(cells) is not list or not 1 <= len(cells) <= len(OPEN_PLACES):
        return say(
            "cells must be null or a list of 1 to {count} Energy Cells.", count=len(OPEN_PLACES)
        )
    for cell in cells:
        named = type(cell) is dict and set(cell) == set(Cell._fields)
        if not (named and all(type(number) is int for number in cell.values())):
            return say(
                "Each of the cells must have a row, a column and a value, all whole numbers."
            )
    return _check_parsed(parse_cells(cells))


def _check_parsed(cells: tuple[Cell, ...]) -> str | None:
    places = [cell.place for cell in cells]
    if not all(place in OPEN_PLACES for place in places):
        return say(
            "Energy Cells lie in rows and columns 1 to {size}, and on no start cell.", size=SIZE
        )
    if len(set(places)) < len(places):
        return say("Two Energy Cells cannot lie on the same cell.")
    if not all(1 <= cell.value <= RICHEST for cell in cells):
        return say("Energy Cells have values of 1 to {richest}.", richest=RICHEST)
    return None


def sample(dice: Dice) -> Json:
    """Draw a setup that somebody can win with: the whole again while it is too poor."""
    while True:
        places = dice.shuffle(OPEN_PLACES)[:DRAWN]
        cells = [Cell(*place, 1 + dice.draw_below(RICHEST)) for place in places]
        if sum(cell.value for cell in cells) >= GOAL:
            return dump_cells(sorted(cells))


def dump_cells(cells: Iterable[Cell]) -> list[JsonObject]:
    """Return Energy Cells as JSON."""
    return [cell._asdict() for cell in cells]


def parse_cells(cells: Json) -> tuple[Cell, ...]:
    """Return the Energy Cells of JSON, by row, then column."""
    return tuple(sorted(Cell(**cell) for cell in cells))
