"""``plybook play``: two people at one terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.container import open_services
from cli.terminal.exits import REFUSED, USAGE, Failure, tell_line
from cli.terminal.options import (
    best_of_option,
    database_option,
    format_examples,
    named_option,
    object_option,
    pace_options,
    read_named_values,
)

if TYPE_CHECKING:
    from services.container import Services
    from services.matches.match_json import ShownMatch
    from services.matches.requests import NewMatch

NAMES = ("player-1", "player-2")


@click.command(
    epilog=format_examples(
        "plybook play power-line",
        "plybook play power-line --names ada bob -o length=7",
        "plybook play power-lines --options '{\"gap\": 7}' --settings-1 @deck.json",
        "plybook play grid-power --days-per-move 3",
        'plybook play grid-power --pace \'{"bank_hours": 48, "increment_hours": 2}\'',
        "plybook play path-capture --best-of 5",
        "plybook play power-line --against 3",
        "plybook play grid-power --against 5 --seat 2 --name ada",
        "plybook play --resume 7m2kq9x4tbw0ed5r",
    )
)
@click.argument("game", required=False)
@click.option("--names", nargs=2, metavar="ONE TWO", help="Who plays; otherwise it is asked.")
@click.option("--against", type=int, metavar="LEVEL", help="Play against the house, at a level.")
@click.option("--seat", type=click.IntRange(1, 2), help="Your seat against the house; otherwise 1.")
@click.option("--name", help="Who plays against the house; otherwise it is asked.")
@named_option
@object_option("--options", "Options of the match as one object.")
@object_option("--settings-1", "What P1 brings along, where a game lets seats bring something.")
@object_option("--settings-2", "What P2 brings along.")
@pace_options
@best_of_option
@click.option("--resume", metavar="MATCH", help="Go on with a match that was left.")
@database_option
def play(  # noqa: PLR0913 - one argument per option
    *,
    game: str | None,
    names: tuple[str, str] | None,
    against: int | None,
    seat: int | None,
    name: str | None,
    words: tuple[str, ...],
    options: dict[str, Any] | None,
    settings_1: dict[str, Any] | None,
    settings_2: dict[str, Any] | None,
    pace: dict[str, Any] | None,
    best_of: int | None,
    resume: str | None,
    database: str | None,
) -> None:
    """Play GAME, two people at one terminal, or one --against the house.

    The match is stored like any other. `quit` leaves it; --resume goes on with it. Type a
    move, or press Enter to put it together step by step. With --best-of, match follows on
    match, seats swapped, until somebody has won the series.
    """
    if (game is None) == (resume is None):
        raise click.UsageError("Name a game, or a match with --resume (and not both).")
    given = (names, against, seat, name, words, options, settings_1, settings_2, pace, best_of)
    if game is None and any(one not in (None, ()) for one in given):
        raise click.UsageError(
            "A match that goes on keeps its players, options, settings, pace and series."
        )
    if against is None and (seat or name):
        raise click.UsageError("--seat and --name belong to --against.")
    if against is not None and names:
        raise click.UsageError("Against the house one person plays: --name says who.")
    from domain.match.house_players import name_of
    from services.matches.requests import NewMatch

    settings = (settings_1 or {}, settings_2 or {})
    with open_services(database) as house:
        if game is None:
            _play(house, _resume(house, resume or ""))
            return
        new = NewMatch(
            game,
            {**(options or {}), **read_named_values(words)},
            pace=pace,
            series=None if best_of is None else {"length": best_of},
        )
        if against is None:
            _play(house, _begin(house, new, settings, names))
        else:
            new = new._replace(seat=seat or 1, opponent=name_of(against))
            _play(house, _begin_against(house, new, settings, name))


def _play(house: Services, shown: ShownMatch) -> None:
    from cli.play.session import PlaySession
    from cli.terminal.output import Output

    # Somebody else may think to be the only one who moves for these players.
    names = house.accounts.list_with_passwords(shown.view.seats)
    if names:
        who = "is an account with a password" if len(names) == 1 else "are accounts with passwords"
        tell_line(f"Note: {' and '.join(names)} {who}: you act for them.", err=True)
    match: str | None = shown.view.id
    while match is not None:
        match = PlaySession(house, match, Output()).run()


def _ask_names() -> tuple[str, str]:
    from cli.terminal.output import is_interactive

    if not is_interactive():
        return NAMES
    first = _ask_name("Name of P1", NAMES[0])
    return (first, _ask_name("Name of P2", NAMES[1]))


def _ask_name(question: str, default: str) -> str:
    """Ask until the answer is a name."""
    from domain.errors import Refusal
    from services.accounts.accounts import check_name

    def read(text: str) -> str:
        try:
            check_name(text)
        except Refusal as refused:
            raise click.UsageError(str(refused)) from None
        return text

    return str(click.prompt(question, default=default, value_proc=read))


def _begin(
    house: Services,
    new: NewMatch,
    settings: tuple[dict[str, Any], dict[str, Any]],
    names: tuple[str, str] | None,
) -> ShownMatch:
    """Create a match between two local players, nothing of it where something does not fit.

    ``settings``: of seats 1 and 2. Names None: they are asked for.
    """
    from services.matches.requests import ChangeRequest

    _check(house, new, settings)
    first, second = (house.accounts.get_local_player(name) for name in names or _ask_names())
    if first.id == second.id:
        raise Failure("Two players need two names.", USAGE)
    new = new._replace(settings=settings[0], seat=1)
    created = house.matches.create(ChangeRequest(first.id), new).shown.view.id
    return house.matches.join(ChangeRequest(second.id), created, settings[1]).shown


def _begin_against(
    house: Services,
    new: NewMatch,
    settings: tuple[dict[str, Any], dict[str, Any]],
    name: str | None,
) -> ShownMatch:
    """Create a match of a local player against the house. Name None: it is asked for."""
    from cli.terminal.output import is_interactive
    from services.matches.requests import ChangeRequest

    own = (new.seat or 1) - 1
    if settings[1 - own]:
        raise Failure("The house brings along what a seat does that says nothing.", USAGE)
    _check(house, new, settings)
    if name is None:
        name = _ask_name("Your name", NAMES[0]) if is_interactive() else NAMES[0]
    player = house.accounts.get_local_player(name)
    return house.matches.create(
        ChangeRequest(player.id), new._replace(settings=settings[own])
    ).shown


def _check(house: Services, new: NewMatch, settings: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Look at what is to be played, before anybody is asked. Raises refusals and ``Failure``."""
    from cli.terminal.output import has_nothing_to_read
    from domain.errors import InvalidOptions, InvalidSettings, Refusal
    from domain.game.options import fill
    from domain.match.clock import complete_pace
    from domain.match.series import complete_terms

    game = house.games.get(new.game)
    fill(game.options, new.options or {}, InvalidOptions)
    for seat, given in enumerate(settings, 1):
        try:
            fill(game.settings, given, InvalidSettings)
        except Refusal as refusal:
            raise Failure(f"Settings of P{seat}: {refusal.detail}", REFUSED) from refusal
    if has_nothing_to_read():
        raise Failure("Nobody is there to play: the input is empty. No match was begun.", USAGE)
    complete_pace(new.pace)
    complete_terms(new.series)


def _resume(house: Services, match_id: str) -> ShownMatch:
    from services.matches.queries import Asker

    shown = house.queries.show(Asker(local=True), match_id)
    if shown.view.status == "active":
        return shown
    if shown.view.status == "open":
        raise Failure("This match has not started: a seat is still free.", REFUSED)
    raise Failure(f"This match is over; `plybook replay {match_id}` shows it.", REFUSED)
