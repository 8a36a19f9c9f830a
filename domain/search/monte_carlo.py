"""Monte Carlo tree search, for a game that offers nothing but its rules.

Source: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006 (UCT); Cowling, Powley,
Whitehouse, "Information set Monte Carlo tree search", 2012: each round plays in a world of its own
that agrees with what the seat sees, and the tree is that of the moves. The bonus for a move that
was rarely tried grows with a root instead of a logarithm, which differs between C libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Final

from domain.game.game import AnyGame, Move, Position
from domain.log.chance import Dice
from domain.search.ground import WON, Decision, Exhausted, Ground

CURIOSITY: Final = 700
"""How much a move counts, in per mille of a win, for having been tried rarely."""

FARTHEST: Final = 400
"""After so many moves a match played out at random counts as a draw."""


class _Node:
    """A move in the tree: how often it was tried, and what came of it for who made it."""

    __slots__ = ("children", "tries", "won")

    def __init__(self) -> None:
        self.tries = 0
        self.won = 0
        self.children: dict[str, tuple[Move, _Node]] = {}


def tried(ground: Ground, world: Callable[[], Position], seat: int, dice: Dice) -> Move:
    """Return the move that was tried most often when the budget of ``ground`` is spent.

    ``world`` gives a whole position, with the same moves for ``seat`` each time.
    """
    root = _Node()
    try:
        while True:
            _round(ground, root, Decision(world(), seat), dice)
    except Exhausted:
        pass
    if not root.children:
        return next(iter(ground.game.legal_moves(world())))
    return max(root.children.values(), key=lambda child: child[1].tries)[0]


def _round(ground: Ground, root: _Node, decision: Decision, dice: Dice) -> None:
    """Go down the tree, try one new move, play the match out, and tell the moves what came."""
    node, path = root, list[tuple[int, _Node]]()
    while decision.seat:
        seat = decision.seat
        move, child, new = _chosen(ground.game, node, decision.position, dice)
        decision = ground.after(decision.position, move)
        path.append((seat, child))
        if new:
            break
        node = child
    result = _played_out(ground, decision, dice)
    root.tries += 1
    for seat, node in path:
        node.tries += 1
        node.won += result if seat == 1 else 1000 - result


def _chosen(game: AnyGame, node: _Node, position: Position, dice: Dice) -> tuple[Move, _Node, bool]:
    """Return the move to try next and its node, and whether it is new there."""
    here: list[tuple[Move, _Node]] = []
    new: list[tuple[str, Move]] = []
    for move in game.legal_moves(position):
        name = repr(move)
        known = node.children.get(name)
        if known is None:
            new.append((name, move))
        else:
            here.append(known)
    if new:
        name, move = new[dice.below(len(new))]
        child = _Node()
        node.children[name] = move, child
        return move, child, True
    together = sum(child.tries for _, child in here)
    move, child = max(here, key=lambda known: _promise(known[1], together))
    return move, child, False


def _promise(child: _Node, together: int) -> int:
    return child.won // child.tries + CURIOSITY * isqrt(together) // (1 + child.tries)


def _played_out(ground: Ground, decision: Decision, dice: Dice) -> int:
    """Play at random to the end; return in per mille what it is worth to seat 1."""
    for _ in range(FARTHEST):
        if not decision.seat:
            break
        moves = [*ground.game.legal_moves(decision.position)]
        decision = ground.after(decision.position, moves[dice.below(len(moves))])
    if decision.seat or abs(decision.final) < WON // 2:
        return 500
    return 1000 if decision.final > 0 else 0
