"""The rules of Path Capture, version 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.game.game import ACTS, Over, Pass, Step
from domain.i18n import say, say_many
from domain.json_types import JsonObject

LONGEST = 3
"""The most nodes that one move covers."""

_new = tuple.__new__
"""Makes a record of its members as they stand: up to a tenth of a fold, which has a goal."""


class Position(NamedTuple):
    """Both pieces' nodes, the number of nodes and the seat to act."""

    length: int
    nodes: tuple[int, int]
    seat: int


class Walk(NamedTuple):
    """Go ``steps`` nodes forward."""

    steps: int


def set_up(options: JsonObject, _: tuple[JsonObject, JsonObject]) -> Position:
    """Set both pieces on their ends of the path; seat 1 begins."""
    length = options["length"]
    return Position(length, (0, length - 1), 1)


def get_next_step(position: Position) -> Step:
    """Say who acts next, or how it ended."""
    first, second = position.nodes
    if first == second:
        return Over(3 - position.seat, "capture")
    if count_ahead(position, position.seat):
        return ACTS[position.seat]
    if count_ahead(position, 3 - position.seat):
        return Pass(position.seat)
    return Over(None, "passed")


def count_ahead(position: Position, seat: int) -> int:
    """Return how many nodes lie ahead of ``seat``."""
    node = position.nodes[seat - 1]
    return position.length - 1 - node if seat == 1 else node


def have_passed(position: Position) -> bool:
    """Whether the pieces have gone past each other, so that they only move apart."""
    first, second = position.nodes
    return first > second


def check_move(position: Position, move: Walk) -> str | None:
    """Say which rule forbids the move, or None."""
    if not 1 <= move.steps <= LONGEST:
        return say("A piece goes 1, 2 or 3 nodes forward.")
    ahead = count_ahead(position, position.seat)
    if move.steps > ahead:
        return say_many(
            "Only {number} node lies ahead of your piece.",
            "Only {number} nodes lie ahead of your piece.",
            ahead,
        )
    return None


def iter_legal_moves(position: Position) -> Iterator[Walk]:
    """Yield 1, 2, 3 steps, as far as the path goes."""
    longest = min(LONGEST, count_ahead(position, position.seat))
    return (Walk(steps) for steps in range(1, longest + 1))


def play(position: Position, move: Walk) -> Position:
    """Move the piece of the seat to act."""
    length, (first, second), seat = position
    if seat == 1:
        first += move.steps
    else:
        second -= move.steps
    return _new(Position, (length, (first, second), 3 - seat))


def show(position: Position) -> JsonObject:
    """Return the state as the game's page gives it."""
    return {"players": [{"node": node} for node in position.nodes]}
