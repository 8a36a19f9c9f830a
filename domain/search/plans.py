"""Search where something is hidden: whole turns are planned in several worlds.

A world is a whole position that agrees with what the seat sees; what is hidden in the match itself
never gets here. In each world the seat's turn is looked through, of each move only the most
promising positions that it leads to; then the other seat does what is best at once, through its
own turn. The move that does best over all worlds is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from domain.game.game import Move, Position
from domain.search.ground import WON, Exhausted, Ground, SearchNode
from domain.search.worlds import LONGEST, iter_best


class Scope(NamedTuple):
    """In how many worlds, how many positions of the own turn are followed, how many answered.

    Without ``width`` a move is judged by what it does at once.
    """

    worlds: int
    width: int
    answered: int


class _Line(NamedTuple):
    """Where a first move (its place among the legal ones) has led, and what that is worth."""

    worth: int
    first: int
    decision: SearchNode


def plan_move(ground: Ground, world: Callable[[], Position], seat: int, scope: Scope) -> Move:
    """Return the move that does best over all worlds, as far as the budget reaches.

    Where it does not reach through the first one, that is what is best at once.
    """
    position = world()
    moves = [*ground.moves(position)]
    totals, at_once = [0] * len(moves), [-2 * WON] * len(moves)
    try:
        for number in range(scope.worlds):
            lines: list[_Line] = []
            for line in _begin_lines(ground, world() if number else position, moves, seat):
                lines.append(line)
                if not number:
                    at_once[line.first] = line.worth
            for line in _plan_lines(ground, lines, seat, scope) if scope.width else lines:
                totals[line.first] += line.worth
    except Exhausted:
        pass
    return moves[max(range(len(moves)), key=lambda at: (totals[at], at_once[at]))]


def _begin_lines(
    ground: Ground, position: Position, moves: list[Move], seat: int
) -> Iterator[_Line]:
    for at, move in enumerate(moves):
        child = ground.play(position, move)
        yield _Line(ground.compute_worth(child, seat), at, child)


def _plan_lines(ground: Ground, begun: list[_Line], seat: int, scope: Scope) -> list[_Line]:
    """Return the best line of each first move through the seat's turn and the answer to it.

    A first move that leads to none of the best positions counts as a little worse than they.
    """
    ended = sorted(_finish_lines(ground, begun, seat, scope.width), key=lambda line: -line.worth)
    if scope.answered:
        ended = [
            line._replace(worth=_judge_answer(ground, line.decision, seat))
            for line in ended[: scope.answered]
        ]
    best = dict[int, _Line]()
    for line in ended[: scope.answered or scope.width]:
        if line.first not in best or best[line.first].worth < line.worth:
            best[line.first] = line
    least = min(line.worth for line in best.values())
    return [best.get(line.first) or line._replace(worth=least - 1) for line in begun]


def _finish_lines(ground: Ground, lines: list[_Line], seat: int, width: int) -> list[_Line]:
    """Return the lines to the ends of the seat's turn, the best ``width`` of them at each move."""
    ended = list[_Line]()
    for _ in range(LONGEST):
        ended += [line for line in lines if line.decision.seat != seat]
        going = [line for line in lines if line.decision.seat == seat]
        going.sort(key=lambda line: -line.worth)
        lines = [
            _Line(ground.compute_worth(child, seat), line.first, child)
            for line in going[:width]
            for child in _iter_children(ground, line.decision)
        ]
        if not lines:
            return ended
    return ended + lines


def _judge_answer(ground: Ground, decision: SearchNode, seat: int) -> int:
    """Return what a position is worth to ``seat`` after the other's turn, made without a plan."""
    decisions = [decision, *(after for _, after in iter_best(ground, decision, 0))]
    return ground.compute_worth(decisions[-1], seat)


def _iter_children(ground: Ground, decision: SearchNode) -> Iterator[SearchNode]:
    return (ground.play(decision.position, move) for move in ground.moves(decision.position))
