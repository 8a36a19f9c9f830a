"""The best first move and the best answer to each, which take too long to prove in a search.

``python -m tests.grid_power_opening`` proves them and writes ``BEST``. On the grid turned or
mirrored they are turned and mirrored too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from domain.games.grid_power.rules import SIZE, Placement, Position

Turned: TypeAlias = Callable[[int, int], tuple[int, int]]
"""Where a row and a column get to."""

BEST: Final[dict[tuple[int, ...], tuple[int, int, int]]] = {
    (): (7, 2, 2),
    (1, 1, 1): (9, 2, 2),
    (2, 1, 1): (9, 2, 2),
    (3, 1, 1): (9, 2, 2),
    (4, 1, 1): (9, 2, 2),
    (5, 1, 1): (9, 2, 2),
    (6, 1, 1): (9, 2, 2),
    (7, 1, 1): (9, 2, 2),
    (8, 1, 1): (9, 2, 2),
    (9, 1, 1): (9, 2, 2),
    (1, 1, 2): (8, 2, 2),
    (2, 1, 2): (8, 2, 2),
    (3, 1, 2): (8, 2, 2),
    (4, 1, 2): (8, 2, 2),
    (5, 1, 2): (8, 2, 2),
    (6, 1, 2): (9, 2, 2),
    (7, 1, 2): (8, 2, 2),
    (8, 1, 2): (8, 2, 2),
    (9, 1, 2): (8, 2, 2),
    (1, 2, 2): (9, 1, 2),
    (2, 2, 2): (9, 1, 2),
    (3, 2, 2): (9, 1, 2),
    (4, 2, 2): (9, 1, 2),
    (5, 2, 2): (9, 1, 2),
    (6, 2, 2): (9, 1, 2),
    (7, 2, 2): (9, 1, 2),
    (8, 2, 2): (8, 1, 2),
    (9, 2, 2): (8, 1, 2),
}
"""Behind nothing, or behind a placement: the best one, as unit, row and column."""

_LAST = SIZE + 1
_WAYS: Final[tuple[tuple[Turned, Turned], ...]] = (
    (lambda row, column: (row, column), lambda row, column: (row, column)),
    (lambda row, column: (column, row), lambda row, column: (column, row)),
    (lambda row, column: (row, _LAST - column), lambda row, column: (row, _LAST - column)),
    (lambda row, column: (_LAST - row, column), lambda row, column: (_LAST - row, column)),
    (
        lambda row, column: (_LAST - row, _LAST - column),
        lambda row, column: (_LAST - row, _LAST - column),
    ),
    (lambda row, column: (_LAST - column, row), lambda row, column: (column, _LAST - row)),
)
"""Ways to turn or mirror the grid, and the ways back: enough to bring each cell to each alike."""


def find_opening(position: Position) -> Placement | None:
    """Return the best placement on the empty grid or as an answer to the first one, else None."""
    laid = [(at, unit) for at, unit in enumerate(position.grid) if unit]
    if not laid:
        return Placement(*BEST[()])
    if len(laid) > 1:
        return None
    at, unit = laid[0]
    row, column = at // SIZE + 1, at % SIZE + 1
    for there, back in _WAYS:
        best = BEST.get((unit.value, *there(row, column)))
        if best is not None:
            return Placement(best[0], *back(best[1], best[2]))
    return None
