"""``plybook play``: two people at one terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.container import open_services
from cli.terminal.exits import REFUSED, USAGE, Failure, tell_line
from cli.terminal.options import (
    check,
    database_option,
    examples,
    named_values,
    object_option,
    pace_options,
)

if TYPE_CHECKING:
    from services.container import Services
    from services.matches.match_json import ShownMatch
    from services.matches.requests import NewMatch

NAMES = ("player-1", "player-2")


@click.command(
    epilog=examples(
        "plybook play power-line",
        "plybook play power-line --names ada bob -o length=7",
        "plybook play power-lines --options '{\"gap\": 7}' --settings-1 @deck.json",
        "plybook play grid-power --days-per-move 3",
        'plybook play grid-power --pace \'{"bank_hours": 48, "increment_hours": 2}\'',
        "plybook play --resume 7m2kq9x4tbw0ed5r",
    )
)
@click.argument("game", required=False)
@click.option("--names", nargs=2, metavar="ONE TWO", help="Who plays; otherwise it is asked.")
@click.option(
    "-o",
    "--option",
    "words",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the match; `plybook games` lists them.",
)
@object_option("--options", "Options of the match as one object.")
@object_option("--settings-1", "What P1 brings along, where a game lets seats bring something.")
@object_option("--settings-2", "What P2 brings along.")
@pace_options
@click.option("--resume", metavar="MATCH", help="Go on with a match that was left.")
@database_option
def play(  # noqa: PLR0913 - one argument per option
    *,
    game: str | None,
    names: tuple[str, str] | None,
    words: tuple[str, ...],
    options: dict[str, Any] | None,
    settings_1: dict[str, Any] | None,
    settings_2: dict[str, Any] | None,
    pace: dict[str, Any] | None,
    resume: str | None,
    database: str | None,
) -> None:
    """Play GAME, two people at one terminal.

    The match is stored like any other. `quit` leaves it; --resume goes on with it. Type a
    move, or press Enter to put it together step by step.
    """
    if (game is None) == (resume is None):
        raise click.UsageError("Name a game, or a match with --resume (and not both).")
    if game is None and (names or words or options or settings_1 or settings_2 or pace):
        raise click.UsageError(
            "A match that goes on keeps its players, options, settings and pace."
        )
    from services.matches.requests import NewMatch

    chosen = {**(options or {}), **named_values(words)}
    with open_services(database) as house:
        if game is not None:
            new = NewMatch(game, chosen, settings_1 or {}, seat=1, pace=pace)
            _play(house, _begin(house, new, settings_2 or {}, names))
        else:
            _play(house, _resumed(house, resume or ""))


def _play(house: Services, shown: ShownMatch) -> None:
    from cli.play.session import PlaySession
    from cli.terminal.output import output

    # Somebody else may think to be the only one who moves for these players.
    names = house.accounts.with_passwords(shown.view.seats)
    if names:
        who = "is an account with a password" if len(names) == 1 else "are accounts with passwords"
        tell_line(f"Note: {' and '.join(names)} {who}: you act for them.", err=True)
    PlaySession(house, shown.view.id, output()).run()


def _ask_names() -> tuple[str, str]:
    from cli.terminal.output import interactive

    if not interactive():
        return NAMES
    first = click.prompt("Name of P1", default=NAMES[0])
    return (first, click.prompt("Name of P2", default=NAMES[1]))


def _begin(
    house: Services, new: NewMatch, theirs: dict[str, Any], names: tuple[str, str] | None
) -> ShownMatch:
    """Create a match between two local players, nothing of it where something does not fit.

    ``theirs``: the settings of seat 2. Names None: they are asked for.
    """
    from cli.terminal.output import nothing_to_read
    from domain.match.clock import full_pace
    from services.matches.requests import ChangeRequest

    check(house.games.get(new.game), new.options or {}, (new.settings or {}, theirs))
    if nothing_to_read():
        raise Failure("Nobody is there to play: the input is empty. No match was begun.", USAGE)
    full_pace(new.pace)
    first, second = (house.accounts.local_player(name) for name in names or _ask_names())
    if first.id == second.id:
        raise Failure("Two players need two names.", USAGE)
    created = house.matches.create(ChangeRequest(first.id), new).shown.view.id
    return house.matches.join(ChangeRequest(second.id), created, theirs).shown


def _resumed(house: Services, match_id: str) -> ShownMatch:
    from services.matches.queries import Asker

    shown = house.looking.show(Asker(local=True), match_id)
    if shown.view.status == "active":
        return shown
    if shown.view.status == "open":
        raise Failure("This match has not started: a seat is still free.", REFUSED)
    raise Failure(f"This match is over; `plybook replay {match_id}` shows it.", REFUSED)
