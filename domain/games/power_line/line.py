"""The line itself: nodes, runs of them, and who captures whom."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


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


def power_at(line: Line, at: int) -> int:
    """Return the power of the node on ``at``, 0 if there is none."""
    node = line[at]
    return node.power if node else 0


def sweep(line: list[Node | None], at: int, captor: Node) -> list[int]:
    """Empty what ``captor``, the node on ``at``, captures to its left, then to its right."""
    owner, power = captor
    swept: list[int] = []
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(line):
            node = line[place]
            if node is None or node[0] == owner or node[1] >= power:
                break
            line[place] = None
            swept.append(place)
            place += step
    return swept


def outdone(line: list[Node | None], at: int) -> bool:
    """Whether a stronger enemy stands beside the node on ``at``."""
    node = line[at]
    if at > 0 and _beats(line[at - 1], node):
        return True
    return at + 1 < len(line) and _beats(line[at + 1], node)


def _beats(one: Node | None, other: Node | None) -> bool:
    if one is None or other is None:
        return False
    owner, power = one
    enemy, weaker = other
    return owner != enemy and power > weaker
