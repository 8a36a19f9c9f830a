"""How a match ends, and who is nearer."""

from __future__ import annotations

from typing import Final

from domain.games.power_lines.cards import BASE
from domain.games.power_lines.field import steps_between
from domain.games.power_lines.position import Position

BASE_DOMINATED: Final = "base-dominated"
BASE_DISCARDED: Final = "base-discarded"
STALLED: Final = "stalled"
TURN_LIMIT: Final = "turn-limit"
ENDINGS: Final = (BASE_DOMINATED, BASE_DISCARDED, STALLED, TURN_LIMIT)


def base_lost(position: Position) -> str:
    """Return the reason that a lost base gives, or nothing while both are in play."""
    for seat in (1, 2):
        side = position.side(seat)
        if position.home(seat) not in side.cards:
            return BASE_DOMINATED if BASE in side.trash else BASE_DISCARDED
    return ""


def winner(position: Position) -> int | None:
    """Return who won a match that has ended: who kept their base, or who is nearer."""
    if position.ending in (BASE_DOMINATED, BASE_DISCARDED):
        return 1 if position.home(1) in position.side(1).cards else 2
    first, second = distance(position, 1), distance(position, 2)
    if first == second:
        return None
    return 1 if first < second else 2


def distance(position: Position, seat: int) -> int:
    """Return the steps from the nearest card of ``seat`` to the enemy base."""
    goal = position.home(3 - seat)
    return min((steps_between(spot, goal) for spot in position.side(seat).cards), default=0)
