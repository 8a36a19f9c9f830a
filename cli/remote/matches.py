"""Lists of matches elsewhere, and a match as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.remote.connection import make_connection
from cli.remote.ratings import describe_range, describe_ratings
from cli.remote.series import describe_terms as describe_series_terms
from cli.terminal.exits import format_minute, print_json, tell_line, tell_rest
from cli.terminal.options import (
    STATUSES,
    as_option,
    format_examples,
    json_option,
    match_argument,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.text import Text

    from domain.json_types import JsonObject

PACES = ("none", "per-move", "bank")


@click.command(epilog=format_examples("plybook remote turns", "plybook remote turns --json"))
@json_option
def turns(*, as_json: bool) -> None:
    """List what waits for you: challenges, and matches in which you are to move.

    What has waited longest comes last.
    """
    there = make_connection()
    name = there.get("/me")["name"]
    own = {"mine": True, "limit": 100}
    found = [
        match
        for match in there.iter_all("/matches", "matches", status="open", **own)
        if match["opponent"] == name
    ]
    found += there.iter_all("/matches", "matches", status="active", to_act=name, **own)
    print_matches(found, as_json=as_json)
    if not found:
        tell_line("Nothing waits for you. `plybook remote matches --seeks` finds a game.", err=True)


@click.command(
    epilog=format_examples(
        "plybook remote matches --mine",
        "plybook remote matches --seeks --pace per-move --game power-line",
    )
)
@click.option("--mine", is_flag=True, help="Your own, all of them.")
@click.option("--seeks", is_flag=True, help="Open matches that anybody may join.")
@click.option("--game", metavar="GAME", help="Only matches of this game.")
@click.option("--status", type=click.Choice(STATUSES), help="Only matches in this state.")
@click.option("--player", metavar="NAME", help="Only matches of this player.")
@click.option("--pace", type=click.Choice(PACES), help="Only matches with such a clock.")
@click.option(
    "--rated/--unrated", default=None, help="Only matches that count for ratings, or not."
)
@click.option("--limit", type=click.IntRange(1, 1000), default=25, show_default=True)
@json_option
def matches(*, limit: int, as_json: bool, **filters: object) -> None:
    """List matches, those that went on last first."""
    asked = {
        name: value for name, value in filters.items() if value is not False or name == "rated"
    }
    found = make_connection().list_first("/matches", limit, **asked)
    print_matches(found[:limit], as_json=as_json)
    tell_rest(found, limit, "There are no such matches.")


@click.command(epilog=format_examples("plybook remote show 7m2kq9x4tbw0ed5r"))
@match_argument
@click.option("--at", type=click.IntRange(1), metavar="N", help="As it was after event N.")
@as_option
@json_option
def show(*, match_id: str, at: int | None, sight: str | None, as_json: bool) -> None:
    """Show MATCH: the board, whose turn it is, what is offered, and how it stands."""
    there = make_connection()
    match = there.get(f"/matches/{match_id}", scene=True, version=at, **{"as": sight})
    if as_json:
        print_json([match])
        return
    print_match(match, there.get(f"/games/{match['game']}")["name"])


def print_match(match: JsonObject, game: str) -> None:
    """Print a match with its board; ``game`` is the name of its game."""
    from cli.remote.match_json import read_match
    from cli.remote.offers import describe_offers
    from cli.terminal.output import Output
    from services.drawing.text.frames import Names, draw_moment

    shown, out = read_match(match, game), Output()
    out.say(*draw_moment(shown.view, Names(shown.names), out.width))
    if match["deadline"] is not None:
        out.tell(f"Time until {format_minute(match['deadline'])} UTC.")
    for line in (*describe_terms(match), *describe_offers(match)):
        out.tell(line)


def describe_terms(match: JsonObject) -> Iterator[str]:
    """Yield what there is to say of a match beside its board: ratings, and its series."""
    wanted, series = match.get("rating_range"), match["series"]
    if match["rated"]:
        yield describe_ratings(match)
    if wanted is not None:
        yield f"It is {describe_range(wanted)}."
    if series is not None:
        yield f"Match {series['number']} of a series, {describe_series_terms(series)}."


def print_matches(found: Iterable[JsonObject], *, as_json: bool) -> None:
    """Print matches, one a line."""
    from cli.commands.matches import FURTHER, format_match
    from cli.remote.match_json import read_match
    from cli.terminal.output import Output

    if as_json:
        print_json(found)
        return
    out = Output()
    for match in found:
        line = format_match(read_match(match), out.width if out.is_terminal else None)
        out.print_entry(_add_terms(line, match), FURTHER)


def _add_terms(line: Text, match: JsonObject) -> Text:
    """Add to the line of an open match what whoever joins it accepts."""
    if match["status"] != "open":
        return line
    for one in (
        "rated" if match["rated"] else None,
        match.get("rating_range") and describe_range(match["rating_range"]),
        match["series"] and describe_series_terms(match["series"]),
    ):
        line.append(f"; {one}" if one else "")
    return line
