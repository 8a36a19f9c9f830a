"""Offers in matches elsewhere: a draw, a takeback, a pause, to go on, to abort together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.remote.connection import make_connection
from cli.terminal.exits import print_json, tell_line
from cli.terminal.options import (
    format_examples,
    json_option,
    match_argument,
    must_be_sure,
    yes_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from domain.json_types import JsonObject

KINDS = ("draw", "takeback", "pause", "resume", "abort")
_MEANT = {
    "draw": "a draw",
    "takeback": "to go back to @{to_version}",
    "pause": "to stop the clocks for {days} days",
    "resume": "to let the clocks run again",
    "abort": "to abort the match",
}

_ENDS = {
    "draw": "Accept the draw? That ends the match.",
    "abort": "Abort the match? It will count for nobody.",
    "takeback": "Take the moves back? They will not stand any more.",
}
"""Acceptances after which there is no way back, and what is asked before."""


@click.command(
    epilog=format_examples(
        "plybook remote offers 7m2kq9x4tbw0ed5r",
        "plybook remote offers 7m2kq9x4tbw0ed5r --accept draw",
        "plybook remote offers 7m2kq9x4tbw0ed5r --make takeback --to-version 9",
    )
)
@match_argument
@click.option("--make", type=click.Choice(KINDS), help="Offer this.")
@click.option("--accept", type=click.Choice(KINDS), help="Accept what your opponent offers.")
@click.option("--decline", type=click.Choice(KINDS), help="Decline it; or withdraw your own offer.")
@click.option("--to-version", type=click.IntRange(1), metavar="N", help="For a takeback.")
@click.option("--days", type=click.IntRange(1), metavar="N", help="For a pause.")
@yes_option
@json_option
def offers(  # noqa: PLR0913 - one argument per option
    *,
    match_id: str,
    make: str | None,
    accept: str | None,
    decline: str | None,
    to_version: int | None,
    days: int | None,
    yes: bool,
    as_json: bool,
) -> None:
    """List the offers in MATCH; make, accept or decline one."""
    wanted = {"offer": make, "accept": accept, "decline": decline}
    deeds = [f"{verb}_{kind}" for verb, kind in wanted.items() if kind is not None]
    if len(deeds) > 1:
        raise click.UsageError("One thing at a time: --make, --accept or --decline.")
    there = make_connection()
    match = there.get(f"/matches/{match_id}")
    if accept in _ENDS:
        must_be_sure(_ENDS[accept], yes=yes)
    if deeds:
        body = {"action": deeds[0], "expected_version": match["version"]}
        given = {"to_version": to_version, "days": days}
        body |= {name: value for name, value in given.items() if value is not None}
        match = there.post(f"/matches/{match_id}/actions", body)["match"]
    if as_json:
        print_json([match["offers"]])
        return
    lines = list(describe_offers(match))
    for line in lines:
        click.echo(line)
    if not lines:
        tell_line("Nothing is offered.", err=True)


def describe_offers(match: JsonObject) -> Iterator[str]:
    """Tell the offers that stand, a sentence each."""
    players = {seat["seat"]: seat["player"] for seat in match["seats"]}
    for kind, offer in match["offers"].items():
        if offer is not None:
            meant = _MEANT.get(kind, kind).format(**offer)
            yield f"{players[offer['seat']]} offers {meant}."
