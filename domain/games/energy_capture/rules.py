"""The rules of Energy Capture, version 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.game.game import ACTS, Draw, Over, Pass, Step
from domain.games.energy_capture.setup import (
    GOAL,
    NEIGHBOURS,
    SIZE,
    STARTS,
    Cell,
    Coordinates,
    dump_cells,
    parse_cells,
    sample,
)
from domain.i18n import N_, say
from domain.json_types import Json, JsonObject

CAPTURED, OWN = "captured", "own"

SETUP = N_("setup")
"""The purpose of the draw that lays out the Energy Cells."""


class Marker(NamedTuple):
    """A seat's marker: its score, the places it has been on, what it captured, in order."""

    score: int
    visited: tuple[Coordinates, ...]
    captured: tuple[Cell, ...] = ()

    @property
    def place(self) -> Coordinates:
        """Where the marker stands."""
        return self.visited[-1]


class Position(NamedTuple):
    """The Energy Cells left (None before the draw), both markers, the seat to act."""

    closed: str
    cells: tuple[Cell, ...] | None
    markers: tuple[Marker, Marker]
    seat: int


class Go(NamedTuple):
    """Step onto the cell (``row``, ``column``)."""

    row: int
    column: int


def set_up(options: JsonObject, _: tuple[JsonObject, JsonObject]) -> Position:
    """Set both markers on their start cells, and a given setup; seat 1 begins."""
    given = options["cells"]
    first, second = (Marker(0, (start,)) for start in STARTS)
    cells = None if given is None else parse_cells(given)
    return Position(options["closed"], cells, (first, second), 1)


def draw(position: Position, _: str, __: int | None, outcome: Json) -> Position:
    """Lay out the Energy Cells that were drawn."""
    return position._replace(cells=parse_cells(outcome))


def get_next_step(position: Position) -> Step:
    """Say who or what comes next, or how it ended."""
    if position.cells is None:
        return Draw(SETUP, sample)
    first, second = position.markers
    if first.score >= GOAL or second.score >= GOAL:
        return Over(1 if first.score >= GOAL else 2, "energy")
    if not position.cells:
        return Over(_find_leader(position), "exhausted")
    if _can_step(position, position.seat):
        return ACTS[position.seat]
    if _can_step(position, 3 - position.seat):
        return Pass(position.seat)
    return Over(_find_leader(position), "blocked")


def _can_step(position: Position, seat: int) -> bool:
    return next(iter_steps(position, seat), None) is not None


def _find_leader(position: Position) -> int | None:
    """Return the seat ahead on the ladder: score, number captured, richest; None: a tie."""
    first, second = (compute_standing(marker) for marker in position.markers)
    if first == second:
        return None
    return 1 if first > second else 2


def compute_standing(marker: Marker) -> tuple[int, int, int]:
    """Return the rungs of the ladder: score, Energy Cells captured, the richest of them."""
    richest = max((cell.value for cell in marker.captured), default=0)
    return marker.score, len(marker.captured), richest


def iter_steps(position: Position, seat: int) -> Iterator[Coordinates]:
    """Yield where the marker of ``seat`` could step, by row, then column."""
    for place in NEIGHBOURS.get(position.markers[seat - 1].place, ()):
        if not _is_closed(position, seat, place):
            yield place


def _is_closed(position: Position, seat: int, place: Coordinates) -> bool:
    """Whether ``seat`` may not enter a cell of the grid now."""
    stands = place == position.markers[2 - seat].place
    return stands or is_closed_for_good(position, seat, place)


def is_closed_for_good(position: Position, seat: int, place: Coordinates) -> bool:
    """Whether ``seat`` can never (again) enter a cell of the grid."""
    own, other = position.markers[seat - 1], position.markers[2 - seat]
    return place in own.visited or (position.closed == CAPTURED and _holds(other, place))


def _tell_closure(position: Position, seat: int, place: Coordinates) -> str:
    other, told = 3 - seat, dict(zip(("row", "column"), place, strict=True))
    if place == position.markers[other - 1].place:
        return say("P{seat} stands on ({row},{column}).", seat=other, **told)
    if place in position.markers[seat - 1].visited:
        return say("You have been on ({row},{column}) before; a marker never goes back.", **told)
    return say(
        "P{seat} captured the Energy Cell of ({row},{column}): it is closed to you.",
        seat=other,
        **told,
    )


def _holds(marker: Marker, place: Coordinates) -> bool:
    """Whether ``marker`` captured the Energy Cell that lay on ``place``."""
    return any(cell.place == place for cell in marker.captured)


def check_move(position: Position, move: Go) -> str | None:
    """Say which rule forbids the move, or None."""
    row, column = move
    place, here = (row, column), position.markers[position.seat - 1].place
    if place in NEIGHBOURS.get(here, ()):
        closed = _is_closed(position, position.seat, place)
        return _tell_closure(position, position.seat, place) if closed else None
    if not (1 <= row <= SIZE and 1 <= column <= SIZE):
        return say("The grid has rows and columns 1 to {size}.", size=SIZE)
    row, column = here
    return say(
        "A step goes one cell up, down, left or right from where you are, ({row},{column}).",
        row=row,
        column=column,
    )


def iter_legal_moves(position: Position) -> Iterator[Go]:
    """Yield the steps by row, then column."""
    return (Go(*place) for place in iter_steps(position, position.seat))


def play(position: Position, move: Go) -> Position:
    """Step with the marker of the seat to act, and capture what lies there."""
    closed, cells, (first, second), seat = position
    cells = cells or ()
    score, visited, captured = first if seat == 1 else second
    row, column = move
    for at, cell in enumerate(cells):
        if cell.row == row and cell.column == column:
            score, captured = score + cell.value, (*captured, cell)
            cells = cells[:at] + cells[at + 1 :]
            break
    stepped = Marker(score, (*visited, (row, column)), captured)
    markers = (stepped, second) if seat == 1 else (first, stepped)
    return Position(closed, cells, markers, 3 - seat)


def show(position: Position) -> JsonObject:
    """Return the state as the game's page gives it."""
    return {
        "cells": dump_cells(position.cells or ()),
        "players": [_show_marker(marker) for marker in position.markers],
    }


def _show_marker(marker: Marker) -> JsonObject:
    row, column = marker.place
    return {
        "row": row,
        "column": column,
        "score": marker.score,
        "visited": [list(place) for place in marker.visited],
        "captured": dump_cells(marker.captured),
    }


def evaluate(position: Position) -> int:
    """Return by how much seat 1 is ahead on the ladder: energy first, then how much lies near."""
    _, cells, (first, second), _ = position
    cells = cells or ()
    return (
        10 * (first.score - second.score)
        + _compute_near(cells, first)
        - _compute_near(cells, second)
    )


def _compute_near(cells: tuple[Cell, ...], marker: Marker) -> int:
    """Return what the richest Energy Cell is worth to a marker for the steps to it."""
    visited, most = marker.visited, 0
    row, column = visited[-1]
    for at_row, at_column, value in cells:
        worth = 20 * value // (3 + abs(at_row - row) + abs(at_column - column))
        if worth > most and (at_row, at_column) not in visited:
            most = worth
    return most
