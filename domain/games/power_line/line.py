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
    owners = {node.owner if node else None for node in line}
    return owners.pop() if len(owners) == 1 else None


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


def sweep(line: list[Node | None], at: int) -> list[int]:
    """Empty what the node on ``at`` captures to its left, then to its right."""
    captor = line[at]
    swept = []
    for places in (range(at - 1, -1, -1), range(at + 1, len(line))):
        for place in places:
            if not _beats(captor, line[place]):
                break
            line[place] = None
            swept.append(place)
    return swept


def outdone(line: list[Node | None], at: int) -> bool:
    """Whether a stronger enemy stands beside the node on ``at``."""
    neighbours = line[max(at - 1, 0) : at + 2]
    return any(_beats(neighbour, line[at]) for neighbour in neighbours)


def _beats(one: Node | None, other: Node | None) -> bool:
    if not one or not other:
        return False
    return one.owner != other.owner and one.power > other.power
