"""Moves of a match judged in a row, on one line and one reckoning for all of them.

What ``rules`` asks of a single move, without the sentences; the contract of games holds the two
together.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.games.power_line.rules import (
    STRONGEST,
    STRONGEST_PLACED,
    Move,
    Node,
    Place,
    Position,
    Side,
    strike,
)

_new = tuple.__new__
"""Makes a record of its members as they stand."""


def judge_all(position: Position, moves: Sequence[Move]) -> tuple[int, Position]:
    """Play moves as long as they are allowed: where the game is over, none is."""
    terms, before, (first, second), seat, taken = position
    line, emptied = list(before), list(taken)
    energy, nodes = [0, first.energy, second.energy], [0, first.nodes, second.nodes]
    made = 0
    for move in moves:
        at, enemy = move[0], 3 - seat
        power = _power(line, move, seat, nodes[seat])
        if not 0 < power <= energy[seat]:
            break
        if isinstance(move, Place):
            nodes[seat] -= 1
        energy[seat] -= power
        emptied = strike(line, at, _new(Node, (seat, power)), terms.capture)
        if emptied:
            lost = line[at] is None
            nodes[seat] += lost
            nodes[enemy] += len(emptied) - lost
        made, seat = made + 1, enemy
    sides = (_new(Side, (energy[1], nodes[1])), _new(Side, (energy[2], nodes[2])))
    return made, _new(Position, (terms, tuple(line), sides, seat, tuple(emptied)))


def _power(line: list[Node | None], move: Move, seat: int, unused: int) -> int:
    """Return the power of the node that a move makes, which it costs; 0: it is forbidden."""
    at = move[0]
    if not 0 <= at < len(line):
        return 0
    node = line[at]
    if isinstance(move, Place):
        power = move[1]
        return power if node is None and unused and power <= STRONGEST_PLACED else 0
    if node is None or node[0] != seat or node[1] >= STRONGEST:
        return 0
    return node[1] + 1
