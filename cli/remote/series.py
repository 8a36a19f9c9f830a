"""A series elsewhere: its score, its matches, and who has won it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.remote.connection import connection
from cli.terminal.exits import REFUSED, Failure, print_json
from cli.terminal.options import examples, json_option, match_argument

if TYPE_CHECKING:
    from domain.json_types import JsonObject


@click.command(epilog=examples("plybook remote series 7m2kq9x4tbw0ed5r"))
@match_argument
@json_option
def series(*, match_id: str, as_json: bool) -> None:
    """Show the series of MATCH: its score, its matches, and what is next."""
    from cli.terminal.output import output

    there = connection()
    place = there.get(f"/matches/{match_id}").get("series")
    if place is None:
        raise Failure("This match is of no series.", REFUSED)
    found = there.get(f"/series/{place['id']}")
    if as_json:
        print_json([found])
        return
    for line in told(found):
        output().tell(line)


def told(series: JsonObject) -> list[str]:
    """Say how a series stands, line by line."""
    from domain.match.series import points

    lines = [
        f"{one['player'] or 'free seat'}: {points(one['half_points'])}" for one in series["players"]
    ]
    lines += [f"  {one['number']}. {one['match']}  {one['status']}" for one in series["matches"]]
    return [*lines, _state(series)]


def _state(series: JsonObject) -> str:
    if series["champion"] is not None:
        return f"{series['champion']} has won the series."
    return {
        "open": "It waits for its second player.",
        "active": "It goes on.",
        "aborted": "It ended undecided.",
    }.get(series["status"], "The first place is shared.")
