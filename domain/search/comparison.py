"""Moves of one position compared: the best ones with their values, and any other beside them.

Each is searched to the same depth, one ply deeper each time as in ``alpha_beta``, and all share
what was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final, NamedTuple

from domain.game.game import Move
from domain.search.alpha_beta import ENDLESS, AlphaBeta
from domain.search.ground import WON, Exhausted, Ground, SearchNode

DECIDED: Final = WON // 2
"""A won match is worth at least so much to its winner, and no estimate is."""

LONGEST_LINE: Final = 12
"""So many moves of a line are told, unless it leads to a proven end."""


class ComparedMove(NamedTuple):
    """A move, and its value as the seat to act sees it.

    ``proven``: nothing else can come of it. ``line``: the move, and how both go on; ``ends``: up to
    the end of the match.
    """

    move: Move
    value: int
    proven: bool
    line: tuple[Move, ...]
    ends: bool

    @property
    def decided(self) -> bool:
        """Whether it is proven who wins, if not by how much."""
        return self.proven or abs(self.value) >= DECIDED


def compare_moves(
    ground: Ground, root: SearchNode, also: Move | None, most: int
) -> list[ComparedMove]:
    """Return the best moves, ``most`` of them, and ``also``; the best one comes first."""
    search, order = AlphaBeta(ground), [*ground.game.iter_legal_moves(root.position)]
    points = ground.count_points(root.position) * (1 if root.seat == 1 else -1)
    wanted = dict.fromkeys(order[:1] if also is None else [*order[:1], also])
    found = [ComparedMove(move, points, proven=False, line=(move,), ends=False) for move in wanted]
    try:
        for depth in count(1):
            found = _compare_to_depth(_Round(search, root, depth), order, also, most)
            first = [one.move for one in found]
            order = first + [move for move in order if move not in first]
            if all(one.proven for one in found):
                break
            if ground.game.evaluate is None and all(one.decided for one in found):
                break
    except Exhausted:
        pass
    return found


class _Round(NamedTuple):
    search: AlphaBeta
    root: SearchNode
    depth: int


def _compare_to_depth(
    to: _Round, order: Sequence[Move], also: Move | None, most: int
) -> list[ComparedMove]:
    left, found = [*order], list[ComparedMove]()
    for _ in range(min(most, len(left))):
        best = _choose_best(to, left)
        found.append(best)
        left.remove(best.move)
    if also is not None and also in left:
        found.append(_choose_best(to, [also]))
    return sorted(found, key=lambda one: -one.value)


def _choose_best(to: _Round, moves: Sequence[Move]) -> ComparedMove:
    search, root, depth = to
    best, low, proven = moves[0], -ENDLESS, True
    for move in moves:
        value = search.judge_move(move, root, depth, low)
        proven = proven and search.proven
        if value > low:
            best, low = move, value
    line, last = [best], search.follow_move(root, best)
    for move, decision in search.iter_line(last):
        line.append(move)
        last = decision
    if proven or abs(low) >= DECIDED:
        return ComparedMove(best, low, proven, tuple(line), not last.seat)
    return ComparedMove(best, low, proven, tuple(line[:LONGEST_LINE]), ends=False)
