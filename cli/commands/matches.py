"""``plybook match``: lists of matches, a match as it stands, and its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.terminal.exits import NOT_FOUND, Failure, tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import as_option, database_option, examples, json_option, match_argument

if TYPE_CHECKING:
    from rich.text import Text

    from services.container import Services
    from services.matches.match_json import ShownMatch

FURTHER = 4
"""How far in a match goes on that does not fit into its lines."""

NUMBERS = 6
"""How much room the numbers of events take at the start of a line."""

STATUSES = ("open", "active", "finished", "aborted")


@click.group(
    cls=LazyGroup,
    lazy={
        "list": "cli.commands.matches:list_matches",
        "show": "cli.commands.matches:show",
        "log": "cli.commands.matches:log",
    },
    epilog=examples("plybook match list --game power-line"),
)
def match() -> None:
    """List, show and read the log of matches."""


@click.command(
    "list",
    epilog=examples("plybook match list --status active", "plybook match list --player ada --json"),
)
@click.option("--game", metavar="GAME", help="Only matches of this game.")
@click.option("--status", type=click.Choice(STATUSES), help="Only matches in this state.")
@click.option("--player", metavar="NAME", help="Only matches of this player.")
@click.option("--to-act", metavar="NAME", help="Only matches that wait for this player.")
@click.option("--limit", type=click.IntRange(1, 100), default=25, show_default=True)
@json_option
@database_option
def list_matches(  # noqa: PLR0913 - one argument per option
    *,
    game: str | None,
    status: str | None,
    player: str | None,
    to_act: str | None,
    limit: int,
    as_json: bool,
    database: str | None,
) -> None:
    """List the matches that went on last."""
    from cli.container import open_services
    from cli.terminal.output import output
    from services.lobby.lists import MatchFilter
    from services.matches.queries import Asker

    with open_services(database) as house:
        if game is not None:
            house.games.get(game)
        for name in (player, to_act):
            _must_be_known(house, name)
        filters = MatchFilter(game, status, player, to_act)
        page = house.lobby.matches(Asker(local=True), filters, limit=limit)
    if as_json:
        _print_shown(page.matches)
        return
    out = output()
    for shown in page.matches:
        out.entry(match_line(shown, out.width if out.is_terminal else None), FURTHER)
    if not page.matches:
        tell_line("There are no such matches. `plybook play GAME` begins one.", err=True)
    if page.next_cursor is not None:
        tell_line(f"There are more; these are the first {limit} (--limit).", err=True)


def _must_be_known(house: Services, name: str | None) -> None:
    if name is not None and house.accounts.find(name) is None:
        raise Failure(f"There is no player {name}.", NOT_FOUND)


def _print_shown(matches: list[ShownMatch]) -> None:
    import orjson

    from services.matches.match_json import match_json

    for shown in matches:
        click.echo(orjson.dumps(match_json(shown)))


def match_line(shown: ShownMatch, width: int | None) -> Text:
    """Tell a match in a line, or in two where ``width`` is too narrow for one."""
    from rich.text import Text

    from services.drawing.text.cells import OWNER_STYLES, QUIET
    from services.drawing.text.frames import Names, standing

    view, names = shown.view, Names(shown.names, numbered=False)
    line = Text.assemble((view.id, "bold"), f"  {view.game.slug:<15}")
    line.append(f"{view.updated_at[:10]}  ", QUIET)
    line.append(names.of_seat(view, 1), OWNER_STYLES[1])
    line.append(" - ")
    line.append(names.of_seat(view, 2), OWNER_STYLES[2])
    stands = standing(view, names)
    fits = width is None or line.cell_len + len(": ") + stands.cell_len <= width
    return line.append(": " if fits else f":\n{' ' * len(view.id)}  ").append_text(stands)


@click.command(epilog=examples("plybook match show 7m2kq9x4tbw0ed5r --at 12"))
@match_argument
@click.option("--at", type=click.IntRange(1), metavar="N", help="As it was after event N.")
@as_option
@json_option
@database_option
def show(
    *, match_id: str, at: int | None, sight: str | None, as_json: bool, database: str | None
) -> None:
    """Show MATCH: the board, whose turn it is, and how it stands."""
    from cli.container import open_services
    from cli.terminal.output import output
    from services.drawing.text.frames import Names, board, heading, standing
    from services.matches.queries import Asker

    with open_services(database) as house:
        shown = house.looking.show(Asker(asked=sight, local=True), match_id, at)
    if as_json:
        _print_shown([shown])
        return
    out, names = output(), Names(shown.names)
    out.say(heading(shown.view, names, out.width), "", board(shown.view, out.width), "")
    out.say(standing(shown.view, names))
    if shown.imported is not None:
        out.say(f"Imported on {shown.imported[:10]}; its players have no account here.")


@click.command(
    epilog=examples(
        "plybook match log 7m2kq9x4tbw0ed5r",
        "plybook match log 7m2kq9x4tbw0ed5r --json > events.ndjson",
    )
)
@match_argument
@as_option
@json_option
@database_option
def log(*, match_id: str, sight: str | None, as_json: bool, database: str | None) -> None:
    """Print the events of MATCH, each with what it did."""
    import orjson

    from cli.container import open_services
    from cli.terminal.output import output
    from services.matches.queries import Asker

    look = Asker(asked=sight, local=True)
    with open_services(database) as house:
        events = house.looking.events(look, match_id).events
        frames = [] if as_json else house.replays.replay(look, match_id).frames
    if as_json:
        for event in events:
            click.echo(orjson.dumps(event))
        return
    told = {frame.version: frame.text for frame in frames if frame.event is not None}
    out = output()
    for event in events:
        out.entry(_entry(event, told), NUMBERS)


def _entry(event: dict[str, Any], told: dict[int, str]) -> Text:
    from rich.text import Text

    from services.drawing.text.cells import QUIET

    text = told.get(event["version"]) or _facts(event["data"])
    line = Text.assemble(
        f"{event['version']:>{NUMBERS - 2}}  ",
        (f"{event['at'][:16].replace('T', ' ')}  ", QUIET),
        f"{event['actor']:<8} {event['kind']:<17} {text}",
    )
    line.rstrip()
    return line


def _facts(data: dict[str, Any]) -> str:
    """Write the data of an event that no sentence tells."""
    import orjson

    kept = {name: value for name, value in data.items() if value not in (None, {}, False)}
    return "  ".join(
        f"{name}={value if isinstance(value, str) else orjson.dumps(value).decode()}"
        for name, value in kept.items()
    )
