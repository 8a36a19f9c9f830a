"""The line itself: nodes, runs of them, and who captures whom."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

DUEL, ATTACKER = "duel", "attacker"
"""Who captures: both, or only who acts."""


class Node(NamedTuple):
    """A node on the line: whose, and how strong."""

    owner: int
    power: int


Line: TypeAlias = tuple[Node | None, ...]
"""What stands on each position."""


def holder(line: Line) -> int | None:
    """Return the seat that has a node on every position, or None."""
    first = line[0]
    if first is None:
        return None
    owner = first.owner
    for node in line:
        if node is None or node.owner != owner:
            return None
    return owner


def longest_run(line: Line, seat: int) -> int:
    """Return the most nodes of ``seat`` on consecutive positions."""
    longest = run = 0
    for node in line:
        run = run + 1 if node and node.owner == seat else 0
        longest = max(longest, run)
    return longest


def power_at(line: Sequence[Node | None], at: int) -> int:
    """Return the power of the node on ``at``, 0 if there is none."""
    node = line[at]
    return node.power if node else 0


@cache
def _ways(length: int) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return for each position those to its left and those to its right, the nearest first."""
    places = tuple(range(length))
    return tuple((places[:at][::-1], places[at + 1 :]) for at in places)


def strike(line: list[Node | None], at: int, captor: Node, capture: str) -> list[int]:
    """Put ``captor`` on ``at`` and empty what it captures to its left, then to its right.

    In a duel it is itself captured, at last, beside a stronger enemy. Returns what was emptied.
    """
    owner, power = captor
    line[at] = captor
    emptied: list[int] = []
    outdone = False
    for way in _ways(len(line))[at]:
        for place in way:
            node = line[place]
            if node is None or node[0] == owner:
                break
            if node[1] >= power:
                outdone = outdone or (node[1] > power and place == way[0])
                break
            line[place] = None
            emptied.append(place)
    if outdone and capture == DUEL:
        line[at] = None
        emptied.append(at)
    return emptied
