"""Moves of a match judged in a row, with the markers' ways at hand for all of them.

What ``rules`` asks of a single move, without the sentences; the contract of games holds the two
together.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.games.energy_capture.rules import CAPTURED, Go, Marker, Position
from domain.games.energy_capture.setup import GOAL, NEIGHBOURS, Cell, Place

_new = tuple.__new__
"""Makes a record of its members as they stand."""


class _Way:
    """A marker in motion: its score, where it has been, what it captured, what it has closed."""

    def __init__(self, marker: Marker, closed: str) -> None:
        self.score, visited, captured = marker
        self.visited = list(visited)
        self.captured = list(captured)
        self.closes = closed == CAPTURED
        self.held = {cell.place for cell in captured} if self.closes else set()

    def capture(self, cell: Cell) -> None:
        self.score += cell.value
        self.captured.append(cell)
        if self.closes:
            self.held.add(cell.place)

    def open_to(self, other: _Way, place: Place) -> bool:
        """Whether this marker may enter a place beside it."""
        return place not in self.visited and place not in other.held and place != other.visited[-1]

    def marker(self) -> Marker:
        return _new(Marker, (self.score, tuple(self.visited), tuple(self.captured)))


def judge_all(position: Position, moves: Sequence[Go]) -> tuple[int, Position]:
    """Play moves as long as they are allowed, and there are Energy Cells left to race for."""
    closed, cells, (first, second), seat = position
    left = {cell.place: cell for cell in cells or ()}
    ways = (_Way(first, closed), _Way(second, closed))
    own, other = ways if seat == 1 else ways[::-1]
    made = 0
    for row, column in moves:
        place = (row, column)
        if place not in NEIGHBOURS[own.visited[-1]] or not own.open_to(other, place):
            break
        own.visited.append(place)
        cell = left.pop(place, None)
        if cell is not None:
            own.capture(cell)
        made, seat = made + 1, 3 - seat
        own, other = other, own
        if not left or other.score >= GOAL:
            break
    after = (ways[0].marker(), ways[1].marker())
    return made, _new(Position, (closed, tuple(left.values()), after, seat))
