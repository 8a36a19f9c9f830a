"""The rules of Grid Power, version 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

from domain.game.game import ACTS, Over, Step
from domain.i18n import say
from domain.json_types import JsonObject

SIZE = 3
LEAST, MOST = 1, 9
UNITS = tuple(range(LEAST, MOST + 1))


class Unit(NamedTuple):
    """A unit on the grid: whose, and its value."""

    owner: int
    value: int


Grid: TypeAlias = tuple[Unit | None, ...]
"""Nine cells by row, then column."""

NEIGHBOURS = tuple(
    tuple(
        SIZE * y + x
        for y, x in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        if 0 <= y < SIZE and 0 <= x < SIZE
    )
    for row, column in product(range(SIZE), repeat=2)
)
"""For each index of a ``Grid``, those of the orthogonally adjacent cells."""


class Position(NamedTuple):
    """The grid, both seats' unused units (ascending) and totals, and the seat to act."""

    komi: int
    grid: Grid
    units: tuple[tuple[int, ...], tuple[int, ...]]
    totals: tuple[int, int]
    seat: int


class Placement(NamedTuple):
    """Put ``unit`` on the cell (``row``, ``column``), counted from 1."""

    unit: int
    row: int
    column: int


def set_up(options: JsonObject, _: tuple[JsonObject, JsonObject]) -> Position:
    """Lay out an empty grid; seat 1 begins."""
    return Position(options["komi"], (None,) * SIZE**2, (UNITS, UNITS), (0, 0), 1)


def get_next_step(position: Position) -> Step:
    """Say who acts next, or who won the full grid."""
    if None in position.grid:
        return ACTS[position.seat]
    first, second = compute_final_totals(position)
    if first == second:
        return Over(None, "power")
    return Over(1 if first > second else 2, "power")


def compute_final_totals(position: Position) -> tuple[int, int]:
    """Return both totals with komi added, as they decide the match."""
    first, second = position.totals
    return first, second + position.komi


def check_move(position: Position, move: Placement) -> str | None:
    """Say which rule forbids the move, or None."""
    unit, row, column = move
    if not LEAST <= unit <= MOST:
        return say("Units are numbered {least} to {most}.", least=LEAST, most=MOST)
    if not (1 <= row <= SIZE and 1 <= column <= SIZE):
        return say("The grid has rows and columns 1 to {size}.", size=SIZE)
    if unit not in position.units[position.seat - 1]:
        return say("You have placed your unit {unit} already; each is usable once.", unit=unit)
    there = position.grid[to_index(row, column)]
    if there is not None:
        cell = f"({row},{column})"
        return say(
            "The cell {cell} is taken by P{owner}'s unit {unit}.",
            cell=cell,
            unit=there.value,
            owner=there.owner,
        )
    return None


def to_index(row: int, column: int) -> int:
    """Return where the cell (``row``, ``column``) stands in a ``Grid``."""
    return SIZE * (row - 1) + column - 1


def iter_legal_moves(position: Position) -> Iterator[Placement]:
    """Yield all placements by unit, then row, then column."""
    return _iter_placements(position, position.units[position.seat - 1])


def iter_promising(position: Position) -> Iterator[Placement]:
    """Yield the placements of the highest units: of so many as the seat will still place.

    A total only grows with each of its own units and does not depend on the other seat's, so that
    a lower unit never does better. By unit, the highest first.
    """
    left = (position.grid.count(None) + 1) // 2
    return _iter_placements(position, position.units[position.seat - 1][: -left - 1 : -1])


def _iter_placements(position: Position, units: Iterable[int]) -> Iterator[Placement]:
    empty = [divmod(at, SIZE) for at, there in enumerate(position.grid) if not there]
    return (Placement(unit, row + 1, column + 1) for unit in units for row, column in empty)


def play(position: Position, move: Placement) -> Position:
    """Put a unit of the seat to act on its cell."""
    komi, grid, (first, second), (one, two), seat = position
    unit, row, column = move
    at = to_index(row, column)
    beside = list_friends(grid, at, seat)
    grown = unit * (1 + len(beside)) + sum(beside)
    cells = list(grid)
    cells[at] = Unit(seat, unit)
    if seat == 1:
        units, totals = (_remove_unit(first, unit), second), (one + grown, two)
    else:
        units, totals = (first, _remove_unit(second, unit)), (one, two + grown)
    return Position(komi, tuple(cells), units, totals, 3 - seat)


def list_friends(grid: Grid, at: int, seat: int) -> list[int]:
    """Return the values of the units of ``seat`` beside the cell at index ``at``."""
    values = []
    for place in NEIGHBOURS[at]:
        unit = grid[place]
        if unit is not None and unit.owner == seat:
            values.append(unit.value)
    return values


def _remove_unit(units: tuple[int, ...], unit: int) -> tuple[int, ...]:
    return tuple([other for other in units if other != unit])


def show(position: Position) -> JsonObject:
    """Return the state as the game's page gives it."""
    cells = [
        {"owner": there.owner, "unit": there.value} if there else None for there in position.grid
    ]
    return {
        "grid": [cells[start : start + SIZE] for start in range(0, SIZE**2, SIZE)],
        "players": [
            {"units": list(units), "total": total}
            for units, total in zip(position.units, position.totals, strict=True)
        ],
    }


def evaluate(position: Position) -> int:
    """Return by how many points seat 1 will be ahead when the grid is full, komi counted.

    What is still to be placed counts as it would in the mean, if the highest units of both seats
    were placed at random.
    """
    first, second = compute_final_totals(position)
    free = position.grid.count(None)
    if not free:
        return first - second
    more, fewer = (free + 1) // 2, free // 2
    one, two = (more, fewer) if position.seat == 1 else (fewer, more)
    first += _estimate_gain(position, 1, one, free)
    return first - second - _estimate_gain(position, 2, two, free)


def _estimate_gain(position: Position, seat: int, left: int, free: int) -> int:
    """Return what ``left`` units of a seat will add to its total in the mean, on ``free`` cells.

    Each adds itself. Beside a unit that lies there, both count once more if the cell becomes the
    seat's; beside another free cell, if both do.
    """
    if not left:
        return 0
    units = sum(position.units[seat - 1][-left:])
    laid = borders = pairs = 0
    for at, there in enumerate(position.grid):
        if there is None:
            for place in NEIGHBOURS[at]:
                unit = position.grid[place]
                if unit is None:
                    pairs += 1
                elif unit.owner == seat:
                    laid += unit.value
                    borders += 1
    others = max(1, free - 1)
    beside = (left * laid + units * borders) * others + units * (left - 1) * pairs
    return units + beside // (free * others)
