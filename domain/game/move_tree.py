"""The legal moves as a tree over their paths, grown where somebody looks at it.

A move's path is a list of ids of its scene; a branch is what is left of all legal moves
after a few of these steps. Thousands of moves are grouped by their next step only, and
only on the branch that was taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from domain.game.scene import Scene, Shape
from domain.json_types import JsonObject


class Candidate(NamedTuple):
    """A legal move, its notation, its whole path, and the steps that are still to be taken."""

    move: JsonObject
    text: str
    path: tuple[str, ...]
    rest: tuple[str, ...]

    def remove_step(self, step: str) -> Candidate:
        """Return the same move with one step fewer to take."""
        at = self.rest.index(step)
        return self._replace(rest=self.rest[:at] + self.rest[at + 1 :])


class MoveTree:
    """The moves that are left. ``held``: the hand in which an id lies, for ids in hands.

    The things of one hand that a move takes one after the other may be taken in any order:
    who pays with two cards does not think of one of them as the first.
    """

    def __init__(
        self, moves: list[Candidate], held: Mapping[str, str], taken: tuple[str, ...] = ()
    ) -> None:
        self.moves = moves
        self.taken = taken
        self._held = held

    @cached_property
    def steps(self) -> dict[str, list[Candidate]]:
        """The moves by the step that may be taken next."""
        steps: dict[str, list[Candidate]] = {}
        for one in self.moves:
            for step in self._list_next(one.rest):
                steps.setdefault(step, []).append(one)
        return steps

    @property
    def complete(self) -> list[Candidate]:
        """The moves of which no step is left."""
        return [one for one in self.moves if not one.rest]

    @property
    def longest(self) -> int:
        """How many steps the longest move has in all."""
        return max((len(one.path) for one in self.moves), default=0)

    def take(self, step: str) -> MoveTree:
        """Return the branch behind one of the ``steps``."""
        moves = [one.remove_step(step) for one in self.steps[step]]
        return MoveTree(moves, self._held, (*self.taken, step))

    def settle(self, move: Candidate) -> MoveTree:
        """Return the branch of one move alone."""
        return MoveTree([move], self._held, self.taken)

    def _list_next(self, rest: tuple[str, ...]) -> Iterable[str]:
        hand = self._held.get(rest[0]) if rest else None
        if hand is None:
            return rest[:1]
        other = (at for at, step in enumerate(rest) if self._held.get(step) != hand)
        return dict.fromkeys(rest[: next(other, len(rest))])


def grow_tree(legal: Iterable[JsonObject], scene: Scene) -> MoveTree:
    """Return the branch of all legal moves, given as ``{"move", "text", "path"}``."""
    moves = [
        Candidate(one["move"], one["text"], tuple(one["path"]), tuple(one["path"])) for one in legal
    ]
    return MoveTree(
        moves,
        {
            space.id: zone.id
            for zone in scene.zones
            if zone.shape is Shape.HAND
            for space in zone.spaces
        },
    )
