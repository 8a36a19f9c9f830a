"""``python -m tests.grid_power_opening``: prove the opening of Grid Power, and write it down.

Takes about a minute. The grid looks the same turned and mirrored, so that three cells stand for
all nine.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from domain.games.grid_power import GRID_POWER, opening_book
from domain.games.grid_power.rules import UNITS, Placement, Position
from domain.search.alpha_beta import search_position
from domain.search.ground import WON, Ground, SeededDice
from tests.support.games import test_games

CELLS: Final = ((1, 1), (1, 2), (2, 2))


def main() -> None:
    """Prove each position and replace the table in the game's package."""
    empty = GRID_POWER.set_up({"komi": 0}, ({}, {}))
    lines = [_line((), empty)]
    for cell in CELLS:
        for unit in UNITS:
            first = Placement(unit, *cell)
            lines.append(_line(first, GRID_POWER.play(empty, first)))
    path = Path(opening_book.__file__)
    table = "= {\n" + "".join(f"    {line},\n" for line in lines) + '}\n"""Behind'
    text = re.sub(r'= \{[^}]*\}\n"""Behind', lambda _: table, path.read_text())
    path.write_text(text)


def _line(behind: tuple[int, ...], position: Position) -> str:
    move, margin = proven(position)
    print(f"{behind}: {move}, by {margin}", flush=True)  # noqa: T201 - it takes a while
    return f"{tuple(behind)}: {tuple(move)}"


def proven(position: Position) -> tuple[Placement, int]:
    """Return the best placement, and by how much the seat to act then ends ahead."""
    game = test_games().get(GRID_POWER.slug)
    root = game.load(GRID_POWER.dump(position))
    verdict = search_position(Ground(game, SeededDice(0), sys.maxsize), root, position.seat)
    move = GRID_POWER.parse_move(game.dump_move(verdict.move))
    won = WON if verdict.value > WON // 2 else -WON if verdict.value < -WON // 2 else 0
    return move, verdict.value - won


if __name__ == "__main__":
    main()
