"""``plybook puzzles``: find them in matches that are over, list them, solve them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from cli.container import on_database
from cli.terminal.exits import tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import format_examples

if TYPE_CHECKING:
    from services.container import Services
    from services.puzzles.puzzles import ShownPuzzle

GAME = click.option("--game", metavar="GAME", help="Of this game alone.")


@click.group(
    cls=LazyGroup,
    epilog=format_examples("plybook puzzles find", "plybook puzzles list", "plybook puzzles solve"),
    lazy={"solve": "cli.play.puzzles:solve"},
)
def puzzles() -> None:
    """Find, list and solve puzzles: positions with one right move."""


@puzzles.command(
    epilog=format_examples(
        "plybook puzzles find", "plybook puzzles find --game path-capture --limit 100"
    )
)
@GAME
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Look through N matches only.")
@click.option("--anew", is_flag=True, help="Look through matches again that were looked through.")
@on_database
def find(*, game: str | None, limit: int | None, anew: bool, house: Services) -> None:
    """Find puzzles in finished public matches, the newest first.

    A puzzle is a position in which exactly one move wins, or, where none does, exactly one
    saves a draw; that is proven. Prints each match that has some, and how many of them are
    new. What was looked through is remembered, so doing it again takes up where it was
    stopped, and finds nothing twice.
    """
    from cli.terminal.output import counting

    if game is not None:
        house.games.get(game)
    matches = new = 0
    with counting("matches") as counted:
        for one in counted.count_each(islice(house.puzzle_finder.run(game, anew=anew), limit)):
            matches, new = matches + 1, new + one.new
            if one.found:
                told = f"{one.match}  puzzles: {one.found}, new: {one.new}"
                counted.run_aside(tell_line, told)
    tell_line(f"Matches looked through: {matches}. New puzzles: {new}.")


@puzzles.command(name="list", epilog=format_examples("plybook puzzles list --game grid-power"))
@GAME
@click.option("--difficulty", type=click.IntRange(1, 5), metavar="N", help="As hard as this: 1-5.")
@on_database
def list_(*, game: str | None, difficulty: int | None, house: Services) -> None:
    """List the puzzles, the easiest first."""
    from services.puzzles.puzzles import PuzzleFilter

    if game is not None:
        house.games.get(game)
    cursor = None
    while True:
        filters = PuzzleFilter(game, difficulty)
        page = house.puzzles.list_page(None, filters, limit=100, cursor=cursor)
        for one in page.listed:
            tell_line(f"{one.id}  {one.view.game.slug:<15} {one.difficulty}  {_describe_task(one)}")
        if not page.listed and cursor is page.next_cursor is None:
            tell_line("There are no such puzzles. `plybook puzzles find` looks for some.", err=True)
        cursor = page.next_cursor
        if cursor is None:
            return


def _describe_task(one: ShownPuzzle) -> str:
    what = "the only winning move" if one.aim == "win" else "the only move that saves a draw"
    return f"P{one.seat} finds {what} ({one.asked})"
