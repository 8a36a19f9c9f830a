"""Monte Carlo tree search, for a game that offers nothing but its rules.

Source: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006 (UCT); Cowling, Powley,
Whitehouse, "Information set Monte Carlo tree search", 2012: each round plays in a world of its own
that agrees with what the seat sees, and the tree is that of the moves. The bonus for a move that
was rarely tried grows with a root instead of a logarithm, which differs between C libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Final, NamedTuple

from domain.game.game import AnyGame, Move, Position
from domain.log.chance import Dice
from domain.search.ground import WON, Exhausted, Ground, SearchNode

CURIOSITY: Final = 700
"""How much a move counts, in per mille of a win, for having been tried rarely."""

FARTHEST: Final = 400
"""After so many moves a match played out at random counts as a draw."""

COMPARED: Final = 3
"""How many promising moves are compared."""

OFTEN: Final = 10
"""A line goes on with moves that were tried so often."""


class _Node:
    """A move in the tree: how often it was tried, and what came of it for who made it."""

    __slots__ = ("children", "tries", "won")

    def __init__(self) -> None:
        self.tries = 0
        self.won = 0
        self.children: dict[str, tuple[Move, _Node]] = {}


def try_moves(ground: Ground, world: Callable[[], Position], seat: int, dice: Dice) -> Move:
    """Return the move that was tried most often when the budget of ``ground`` is spent.

    ``world`` gives a whole position, with the same moves for ``seat`` each time.
    """
    root = _Node()
    try:
        while True:
            _play_round(ground, root, SearchNode(world(), seat), dice)
    except Exhausted:
        pass
    if not root.children:
        return next(iter(ground.game.iter_legal_moves(world())))
    return max(root.children.values(), key=lambda child: child[1].tries)[0]


class Weighed(NamedTuple):
    """A move, what came of it in per mille of a win for who makes it, and how it went on most."""

    move: Move
    per_mille: int
    line: tuple[Move, ...]


def weigh_moves(
    ground: Ground, world: Callable[[], Position], seat: int, dice: Dice, also: Move | None
) -> list[Weighed]:
    """Return the most promising moves, and ``also``, each tried equally often at the end.

    Half of the budget finds the promising moves. The best one comes first.
    """
    root, half = _Node(), ground.left // 2
    chosen = [*ground.game.iter_legal_moves(world())][:1]
    try:
        while ground.left > half:
            _play_round(ground, root, SearchNode(world(), seat), dice)
        known = sorted(root.children.values(), key=lambda child: -child[1].tries)
        chosen = [move for move, _ in known[:COMPARED]] or chosen
        if also is not None and also not in chosen:
            chosen.append(also)
        while True:
            for move in chosen:
                _play_round(ground, root, SearchNode(world(), seat), dice, move)
    except Exhausted:
        pass
    found = [_weigh_move(root, move) for move in chosen]
    return sorted(found, key=lambda one: -one.per_mille)


def _weigh_move(root: _Node, move: Move) -> Weighed:
    _, node = root.children.get(repr(move), (move, _Node()))
    per_mille, line = node.won // node.tries if node.tries else 500, [move]
    while node.children:
        following, node = max(node.children.values(), key=lambda child: child[1].tries)
        if node.tries < OFTEN:
            break
        line.append(following)
    return Weighed(move, per_mille, tuple(line))


def _play_round(
    ground: Ground, root: _Node, decision: SearchNode, dice: Dice, first: Move | None = None
) -> None:
    """Go down the tree, try one new move, play the match out, and tell the moves what came.

    ``first``: the move to begin with, whatever it promises.
    """
    node, path = root, list[tuple[int, _Node]]()
    if first is not None:
        _, node = root.children.setdefault(repr(first), (first, _Node()))
        path.append((decision.seat, node))
        decision = ground.play(decision.position, first)
    while decision.seat:
        seat = decision.seat
        move, child, new = _choose_move(ground.game, node, decision.position, dice)
        decision = ground.play(decision.position, move)
        path.append((seat, child))
        if new:
            break
        node = child
    result = _play_out(ground, decision, dice)
    root.tries += 1
    for seat, node in path:
        node.tries += 1
        node.won += result if seat == 1 else 1000 - result


def _choose_move(
    game: AnyGame, node: _Node, position: Position, dice: Dice
) -> tuple[Move, _Node, bool]:
    """Return the move to try next and its node, and whether it is new there."""
    here: list[tuple[Move, _Node]] = []
    new: list[tuple[str, Move]] = []
    for move in game.iter_legal_moves(position):
        name = repr(move)
        known = node.children.get(name)
        if known is None:
            new.append((name, move))
        else:
            here.append(known)
    if new:
        name, move = new[dice.draw_below(len(new))]
        child = _Node()
        node.children[name] = move, child
        return move, child, True
    together = sum(child.tries for _, child in here)
    move, child = max(here, key=lambda known: _compute_promise(known[1], together))
    return move, child, False


def _compute_promise(child: _Node, together: int) -> int:
    return child.won // child.tries + CURIOSITY * isqrt(together) // (1 + child.tries)


def _play_out(ground: Ground, decision: SearchNode, dice: Dice) -> int:
    """Play at random to the end; return in per mille what it is worth to seat 1."""
    for _ in range(FARTHEST):
        if not decision.seat:
            break
        moves = [*ground.game.iter_legal_moves(decision.position)]
        decision = ground.play(decision.position, moves[dice.draw_below(len(moves))])
    if decision.seat or abs(decision.final) < WON // 2:
        return 500
    return 1000 if decision.final > 0 else 0
