"""The rules of Stones, version 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.game.game import Act, Over, Step
from domain.i18n import say
from domain.json_types import JsonObject

MOST = 3
"""The most stones that one move takes."""


class Position(NamedTuple):
    """How many stones there were, how many are left, and the seat to act."""

    stones: int
    left: int
    seat: int


class Take(NamedTuple):
    """Take ``number`` stones."""

    number: int


def set_up(options: JsonObject, _: tuple[JsonObject, JsonObject]) -> Position:
    """Lay out the heap; seat 1 begins."""
    return Position(options["stones"], options["stones"], 1)


def get_next_step(position: Position) -> Step:
    """Say who acts next, or how it ended."""
    if position.left == 0:
        return Over(3 - position.seat, "last-stone")
    return Act(position.seat)


def check_move(position: Position, move: Take) -> str | None:
    """Say which rule forbids the move, or None."""
    if not 1 <= move.number <= MOST:
        return say("A move takes 1, 2 or 3 stones.")
    if move.number > position.left:
        return say("There are not so many stones left.")
    return None


def iter_legal_moves(position: Position) -> Iterator[Take]:
    """Yield 1, 2, 3 stones, as far as they go."""
    return (Take(number) for number in range(1, min(MOST, position.left) + 1))


def play(position: Position, move: Take) -> Position:
    """Take the stones away."""
    return position._replace(left=position.left - move.number, seat=3 - position.seat)


def show(position: Position) -> JsonObject:
    """Return the state as JSON, as players and their programs get it."""
    return {"left": position.left}
