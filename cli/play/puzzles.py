"""``plybook puzzles solve``: puzzles tried at a terminal, move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.container import on_database
from cli.terminal.exits import NOT_FOUND, Failure
from cli.terminal.options import format_examples

if TYPE_CHECKING:
    from services.container import Services


@click.command(
    epilog=format_examples(
        "plybook puzzles solve",
        "plybook puzzles solve grid-power",
        "plybook puzzles solve 7m2kq9x4tbw0ed5r",
    )
)
@click.argument("which", metavar="[GAME|ID]", required=False)
@on_database
def solve(*, which: str | None, house: Services) -> None:
    """Solve a puzzle: the easiest there is, the easiest of a GAME, or the one with that ID.

    Type a move, or press Enter to put it together step by step. A right one is answered, until
    all that were to be found are. `solution` shows the moves, `next` leads to another puzzle of
    the game. Nothing of it is stored.
    """
    from cli.play.puzzle_session import PuzzleSession
    from cli.terminal.output import Output

    PuzzleSession(house, _choose_first(house, which), Output()).run()


def _choose_first(house: Services, which: str | None) -> str:
    """Return the id of the puzzle to begin with. Raises ``Failure`` where there is none."""
    from services.errors import NotFound
    from services.puzzles.puzzles import PuzzleFilter

    if which is not None and which not in [game.slug for game in house.games]:
        try:
            return house.puzzles.show(None, which).id
        except NotFound:
            raise Failure(f"There is no game and no puzzle {which[:40]!r}.", NOT_FOUND) from None
    found = house.puzzles.list_page(None, PuzzleFilter(which), limit=1).listed
    if not found:
        raise Failure("There is no such puzzle yet: `plybook puzzles find` finds some.", NOT_FOUND)
    return found[0].id
