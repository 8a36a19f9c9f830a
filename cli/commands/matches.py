"""``plybook match``: lists of matches, a match as it stands, and its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.container import on_database
from cli.terminal.exits import NOT_FOUND, Failure, format_minute, print_json, tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import (
    STATUSES,
    as_option,
    format_examples,
    json_option,
    match_argument,
)

if TYPE_CHECKING:
    from rich.text import Text

    from services.container import Services
    from services.matches.match_json import ShownMatch

FURTHER = 4
"""How far in a match goes on that does not fit into its lines."""

NUMBER_WIDTH = 6
"""How much room the numbers of events take at the start of a line."""


@click.group(cls=LazyGroup, epilog=format_examples("plybook match list --game power-line"))
def match() -> None:
    """List, show and read the log of matches."""


@match.command(
    "list",
    epilog=format_examples(
        "plybook match list --status active", "plybook match list --player ada --json"
    ),
)
@click.option("--game", metavar="GAME", help="Only matches of this game.")
@click.option("--status", type=click.Choice(STATUSES), help="Only matches in this state.")
@click.option("--player", metavar="NAME", help="Only matches of this player.")
@click.option("--to-act", metavar="NAME", help="Only matches that wait for this player.")
@click.option("--limit", type=click.IntRange(1, 100), default=25, show_default=True)
@json_option
@on_database
def list_matches(
    *,
    limit: int,
    as_json: bool,
    house: Services,
    **filters: Any,  # noqa: ANN401 - as the options give them
) -> None:
    """List the matches that went on last."""
    from cli.terminal.output import Output
    from services.lobby.lists import MatchFilter
    from services.matches.queries import Asker

    choice = MatchFilter(**filters)
    if choice.game is not None:
        house.games.get(choice.game)
    for name in (choice.player, choice.to_act):
        if name is not None and house.accounts.find(name) is None:
            raise Failure(f"There is no player {name}.", NOT_FOUND)
    page = house.lobby.list_matches(Asker(local=True), choice, limit=limit)
    if as_json:
        _print_shown(page.listed)
        return
    out = Output()
    for shown in page.listed:
        out.print_entry(format_match(shown, out.width if out.is_terminal else None), FURTHER)
    if not page.listed:
        tell_line("There are no such matches. `plybook play GAME` begins one.", err=True)
    if page.next_cursor is not None:
        tell_line(f"There are more; these are the first {limit} (--limit).", err=True)


def _print_shown(matches: list[ShownMatch]) -> None:
    from services.matches.match_json import match_json

    print_json(map(match_json, matches))


def format_match(shown: ShownMatch, width: int | None) -> Text:
    """Tell a match in a line, or in two where ``width`` is too narrow for one."""
    from rich.text import Text

    from services.drawing.text.cells import OWNER_STYLES, QUIET
    from services.drawing.text.frames import Names, describe_standing

    view, names = shown.view, Names(shown.names, numbered=False)
    line = Text.assemble((view.id, "bold"), f"  {view.game.slug:<15}")
    line.append(f"{view.updated_at[:10]}  ", QUIET)
    line.append(names.name_seat(view, 1), OWNER_STYLES[1])
    line.append(" - ")
    line.append(names.name_seat(view, 2), OWNER_STYLES[2])
    stands = describe_standing(view, names)
    fits = width is None or line.cell_len + len(": ") + stands.cell_len <= width
    return line.append(": " if fits else f":\n{' ' * len(view.id)}  ").append_text(stands)


@match.command(epilog=format_examples("plybook match show 7m2kq9x4tbw0ed5r --at 12"))
@match_argument
@click.option("--at", type=click.IntRange(1), metavar="N", help="As it was after event N.")
@as_option
@json_option
@on_database
def show(
    *, match_id: str, at: int | None, sight: str | None, as_json: bool, house: Services
) -> None:
    """Show MATCH: the board, whose turn it is, and how it stands."""
    from cli.terminal.output import Output
    from services.drawing.text.frames import Names, draw_moment
    from services.matches.queries import Asker

    shown = house.queries.show(Asker(asked=sight, local=True), match_id, at)
    if as_json:
        _print_shown([shown])
        return
    out = Output()
    out.say(*draw_moment(shown.view, Names(shown.names), out.width))
    if shown.imported is not None:
        out.say(f"Imported on {shown.imported[:10]}; its players have no account here.")


@match.command(
    epilog=format_examples(
        "plybook match log 7m2kq9x4tbw0ed5r",
        "plybook match log 7m2kq9x4tbw0ed5r --json > events.ndjson",
    )
)
@match_argument
@as_option
@json_option
@on_database
def log(*, match_id: str, sight: str | None, as_json: bool, house: Services) -> None:
    """Print the events of MATCH, each with what it did."""
    from cli.terminal.output import Output
    from services.drawing.text.frames import Names
    from services.matches.queries import Asker

    look = Asker(asked=sight, local=True)
    events = house.queries.show_events(look, match_id).events
    if as_json:
        print_json(events)
        return
    replay = house.replays.replay(look, match_id)
    names, moved = Names(replay.shown.names), [one for one in replay.frames if one.event]
    told = {one.version: names.tell(one.view, one.text) for one in moved}
    out = Output()
    for event in events:
        out.print_entry(_format_entry(event, told), NUMBER_WIDTH)


def _format_entry(event: dict[str, Any], told: dict[int, str]) -> Text:
    from rich.text import Text

    from services.drawing.text.cells import QUIET

    text = told.get(event["version"]) or _format_facts(event["data"])
    kind = event["kind"] if event["kind"] != "move-made" else f"move-made {event['data']['ply']}"
    line = Text.assemble(
        f"{event['version']:>{NUMBER_WIDTH - 2}}  ",
        (f"{format_minute(event['at'])}  ", QUIET),
        f"{event['actor']:<8} {kind:<17} {text}",
    )
    line.rstrip()
    return line


def _format_facts(data: dict[str, Any]) -> str:
    """Write the data of an event that no sentence tells."""
    import orjson

    kept = {name: value for name, value in data.items() if value not in (None, {}, False)}
    return "  ".join(
        f"{name}={value if isinstance(value, str) else orjson.dumps(value).decode()}"
        for name, value in kept.items()
    )
