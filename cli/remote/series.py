"""Series elsewhere: listed, and one with its score, its matches, and who has won it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.remote.connection import Connection, make_connection
from cli.terminal.exits import REFUSED, Failure, print_json, tell_rest
from cli.terminal.options import STATUSES, format_examples, json_option

if TYPE_CHECKING:
    from domain.json_types import JsonObject


@click.command(
    epilog=format_examples(
        "plybook remote series 7m2kq9x4tbw0ed5r", "plybook remote series --mine --status active"
    )
)
@click.argument("match_id", metavar="[MATCH]", required=False)
@click.option("--mine", is_flag=True, help="Only your own.")
@click.option("--player", metavar="NAME", help="Only series of this player.")
@click.option("--game", metavar="GAME", help="Only series of this game.")
@click.option("--status", type=click.Choice(STATUSES), help="Only series in this state.")
@click.option("--limit", type=click.IntRange(1, 1000), default=25, show_default=True)
@json_option
def series(
    *, match_id: str | None, mine: bool, limit: int, as_json: bool, **filters: str | None
) -> None:
    """Show the series of MATCH: its score, its matches, and what is next.

    Without a match, list the public series, the newest first. `plybook remote resign
    --series` leaves one.
    """
    if match_id is not None and (mine or any(filters.values())):
        raise click.UsageError("Name a match, or choose which series are listed (and not both).")
    if mine and filters["player"] is not None:
        raise click.UsageError("Give either --mine or --player.")
    there = make_connection()
    if match_id is not None:
        _show(there, match_id, as_json=as_json)
        return
    if mine:
        filters["player"] = there.get("/me")["name"]
    _list(there, limit, filters, as_json=as_json)


def _show(there: Connection, match_id: str, *, as_json: bool) -> None:
    from cli.terminal.output import Output

    place = there.get(f"/matches/{match_id}").get("series")
    if place is None:
        raise Failure("This match is of no series.", REFUSED)
    found = there.get(f"/series/{place['id']}")
    if as_json:
        print_json([found])
        return
    for line in describe_series(found):
        Output().tell(line)


def _list(there: Connection, limit: int, filters: dict[str, str | None], *, as_json: bool) -> None:
    from cli.terminal.output import Output

    found = there.list_first("/series", limit, **filters)
    if as_json:
        print_json(found[:limit])
    else:
        for one in found[:limit]:
            Output().tell(_format_line(one))
    tell_rest(found, limit, "There are no such series.")


def _format_line(series: JsonObject) -> str:
    players, how = " - ".join(_list_standings(series)), describe_terms(series["terms"])
    return f"{series['id']}  {series['game']:<15} {players}; {how}. {_describe_state(series)}"


def describe_series(series: JsonObject) -> list[str]:
    """Say how a series stands, line by line."""
    lines = [*_list_standings(series)]
    lines += [f"  {one['number']}. {one['match']}  {one['status']}" for one in series["matches"]]
    return [*lines, _describe_state(series)]


def _list_standings(series: JsonObject) -> list[str]:
    from domain.match.series import format_points

    return [
        f"{one['player'] or 'free seat'}: {format_points(one['half_points'])}"
        for one in series["players"]
    ]


def describe_terms(series: JsonObject) -> str:
    """Say how a series is played, by its terms or by what a match says of it."""
    early = series["decided"] == "early"
    length = series["length"]
    said = f"best of {length}" if early else f"{length} matches, all of them played"
    return said if series["tie"] == "shared" else f"{said}, two more after a tie"


def _describe_state(series: JsonObject) -> str:
    if series["champion"] is not None:
        return f"{series['champion']} has won the series."
    return {
        "open": "It waits for its second player.",
        "active": "It goes on.",
        "aborted": "It ended undecided.",
    }.get(series["status"], "The first place is shared.")
