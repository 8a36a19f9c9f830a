"""Search where something is hidden: each promising move is followed in several worlds.

A world is a whole position that agrees with what the seat sees; what is hidden in the match itself
never gets here. In each world both seats go on as they would if they looked one move ahead, to the
end of the seat's turn or through the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from domain.game.game import Move, Position
from domain.search.ground import WON, Exhausted, Ground, SearchNode

LONGEST: Final = 12
"""So many moves are followed at most."""


class Breadth(NamedTuple):
    """In how many worlds how many moves are followed, and through how many changes of the seat."""

    worlds: int
    moves: int
    turns: int


def _rank_moves(ground: Ground, position: Position, seat: int) -> list[Move]:
    """Return the legal moves, the one that leaves the seat best off first, as far as is looked."""
    children: list[tuple[int, Move]] = []
    for move in ground.moves(position):
        try:
            worth = ground.compute_worth(ground.play(position, move), seat)
        except Exhausted:
            worth = -2 * WON
        children.append((worth, move))
    children.sort(key=lambda child: -child[0])
    return [move for _, move in children]


def follow_moves(
    ground: Ground, world: Callable[[], Position], seat: int, breadth: Breadth, also: Move | None
) -> list[tuple[Move, list[int]]]:
    """Return the moves that look best, and ``also``, each with its values to ``seat``.

    There is a value for each world, as far as the budget reaches.
    """
    moves = _rank_moves(ground, world(), seat)[: breadth.moves]
    if also is not None and also not in moves:
        moves.append(also)
    found: list[tuple[Move, list[int]]] = [(move, []) for move in moves]
    try:
        for _ in range(breadth.worlds):
            position = world()
            values = [_judge_move(ground, position, move, seat, breadth.turns) for move in moves]
            for (_, known), value in zip(found, values, strict=True):
                known.append(value)
    except Exhausted:
        pass
    return found


def _judge_move(ground: Ground, position: Position, move: Move, seat: int, turns: int) -> int:
    """Return what a move is worth to ``seat`` when both go on by what is best at once."""
    *_, (_, last) = iter_steps(ground, SearchNode(position, seat), move, turns)
    return ground.compute_worth(last, seat)


def iter_steps(
    ground: Ground, decision: SearchNode, move: Move, turns: int
) -> Iterator[tuple[Move, SearchNode]]:
    """Yield a move and those by which both go on, by what is best at once, with what follows."""
    child = ground.play(decision.position, move)
    yield move, child
    yield from iter_best(ground, child, turns if child.seat == decision.seat else turns - 1)


def iter_best(
    ground: Ground, decision: SearchNode, turns: int
) -> Iterator[tuple[Move, SearchNode]]:
    """Yield the moves that are best at once, with what follows, through so many changes of seat.

    With ``turns`` 0 to the end of the turn of whoever is to act.
    """
    acting = decision.seat
    for _ in range(LONGEST):
        if decision.seat != acting:
            turns -= 1
        acting = decision.seat
        if not acting or turns < 0:
            break
        replies = (
            (reply, ground.play(decision.position, reply))
            for reply in ground.moves(decision.position)
        )
        move, decision = max(replies, key=lambda reply: ground.compute_worth(reply[1], acting))
        yield move, decision
