"""``plybook play``: two people at one terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.exits import REFUSED, USAGE, Failure
from cli.options import database_option, examples

if TYPE_CHECKING:
    from services.showing import Shown
    from services.wiring import House

NAMES = ("player-1", "player-2")


@click.command(
    epilog=examples(
        "plybook play power-line",
        "plybook play power-line --names ada bob -o length=7",
        "plybook play --resume 7m2kq9x4tbw0ed5r",
    )
)
@click.argument("game", required=False)
@click.option("--names", nargs=2, metavar="ONE TWO", help="Who plays; otherwise it is asked.")
@click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the match; `plybook games` lists them.",
)
@click.option("--resume", metavar="MATCH", help="Go on with a match that was left.")
@database_option
def play(
    *,
    game: str | None,
    names: tuple[str, str] | None,
    options: tuple[str, ...],
    resume: str | None,
    database: str | None,
) -> None:
    """Play GAME, two people at one terminal.

    The match is stored like any other. `quit` leaves it; --resume goes on with it.
    """
    from cli.house import opened
    from cli.session import Session
    from cli.terminal import output

    if (game is None) == (resume is None):
        raise click.UsageError("Name a game, or a match with --resume (and not both).")
    with opened(database) as house:
        if game is not None:
            match_id = _begin(house, game, names or _ask_names(), _read_options(options))
        else:
            match_id = _resumed(house, resume or "").view.id
        Session(house, match_id, output()).run()


def _ask_names() -> tuple[str, str]:
    from cli.terminal import interactive

    if not interactive():
        return NAMES
    first = click.prompt("Name of P1", default=NAMES[0])
    return (first, click.prompt("Name of P2", default=NAMES[1]))


def _read_options(given: tuple[str, ...]) -> dict[str, Any]:
    """Read ``name=value``: a value is JSON where it can be, otherwise a word."""
    import orjson

    options = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise click.BadParameter(f"{one!r} is not of the form NAME=VALUE.", param_hint="-o")
        try:
            options[name] = orjson.loads(value)
        except orjson.JSONDecodeError:
            options[name] = value
    return options


def _begin(house: House, game: str, names: tuple[str, str], options: dict[str, Any]) -> str:
    """Create a match between two local players; seat 1 is the first name's."""
    from services.matches import NewMatch, Request

    house.games.get(game)
    first, second = (house.accounts.local_player(name) for name in names)
    if first.id == second.id:
        raise Failure("Two players need two names.", USAGE)
    created = house.matches.create(Request(first.id), NewMatch(game, options, seat=1))
    match_id = created.shown.view.id
    house.matches.join(Request(second.id), match_id, {}, None)
    return match_id


def _resumed(house: House, match_id: str) -> Shown:
    from services.looking import Look

    shown = house.looking.show(Look(local=True), match_id)
    if shown.view.status == "active":
        return shown
    if shown.view.status == "open":
        raise Failure("This match has not started: a seat is still free.", REFUSED)
    raise Failure(f"This match is over; `plybook replay {match_id}` shows it.", REFUSED)
