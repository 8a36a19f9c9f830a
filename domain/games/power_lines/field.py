"""The field: where cards lie, what borders what, and what is connected.

One seat's cards in play are a mapping from positions to cards, because a seat has at
most one card on a position. Cards border each other orthogonally or, of two seats, on
the same position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from domain.games.power_lines.cards import FACE_DOWN_VALUE
from domain.json_types import JsonObject

Spot: TypeAlias = tuple[int, int]
"""A position (x, y)."""


class Card(NamedTuple):
    """A card in play.

    ``face``: 0 to 10, ``BASE``, or ``HIDDEN`` in a view. ``up``: its face shows, and
    its effect works. ``over``: it was played onto the enemy card on its position.
    """

    face: int
    up: bool = True
    over: bool = False

    @property
    def printed(self) -> int:
        """The value printed on what shows of it."""
        return self.face if self.up else FACE_DOWN_VALUE

    def shows(self, face: int) -> bool:
        """Say whether it lies face up with this face."""
        return self.up and self.face == face


Cards: TypeAlias = Mapping[Spot, Card]
"""One seat's cards in play."""


Rows: TypeAlias = list[tuple[tuple[int, int, bool], JsonObject]]
"""A seat's cards in play as the state shows them, each behind what it is sorted by."""


class Laid(dict[Spot, Card]):
    """One seat's cards in play, which nobody changes once they lie so.

    Most moves leave the cards of one seat as they were, or of both. So what was worked out of
    them is kept with them: in ``shown`` how they are shown, which a replay does at every step, in
    ``joined`` where they are connected to their base.
    """

    __slots__ = ("joined", "shown")

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        self.shown: Rows | None = None
        self.joined: AbstractSet[Spot] | None = None


def by_row(spot: Spot) -> Spot:
    """Sort key of the game's page: by y, then x."""
    return spot[1], spot[0]


def home(seat: int, gap: int) -> Spot:
    """Return where the base of ``seat`` lies."""
    return (0, 0) if seat == 1 else (gap + 1, 0)


def beside(spot: Spot) -> tuple[Spot, Spot, Spot, Spot]:
    """Return the four orthogonal neighbours, by y, then x."""
    x, y = spot
    return (x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)


def bordering(cards: Cards, spot: Spot) -> list[Spot]:
    """Return where ``cards`` lie that border ``spot`` or lie on it, by y, then x.

    Of the other seat's card there, these are the enemies that border it.
    """
    above, left, right, below = beside(spot)
    return [at for at in (above, left, spot, right, below) if at in cards]


def connected(cards: Cards, base: Spot) -> set[Spot]:
    """Return where ``cards`` are joined to their base by friendlies; empty without it."""
    if base not in cards:
        return set()
    apart, edge = cards.keys() - {base}, [base]
    while edge:
        for at in beside(edge.pop()):
            if at in apart:
                apart.remove(at)
                edge.append(at)
    return cards.keys() - apart


def without(cards: Cards, spots: Iterable[Spot]) -> Laid:
    """Return a copy without the cards on ``spots``."""
    left = Laid(cards)
    for spot in spots:
        del left[spot]
    return left


def steps_between(one: Spot, other: Spot) -> int:
    """Return the number of orthogonal steps from one position to another."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
