"""Ratings elsewhere: a game's leaderboard, and what each match did to a player."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from cli.commands.ratings import PLAYER, format_points, show
from cli.remote.connection import make_connection
from cli.terminal.options import (
    HIGHEST,
    csv_option,
    format_examples,
    json_option,
    must_choose,
)

if TYPE_CHECKING:
    from domain.json_types import JsonObject


@click.command(
    epilog=format_examples(
        "plybook remote ratings power-line", "plybook remote ratings power-line --player ada"
    )
)
@click.argument("game")
@PLAYER
@csv_option
@json_option
def ratings(*, game: str, player: str | None, as_csv: bool, as_json: bool) -> None:
    """Show the leaderboard of GAME, or how a player's rating has come about.

    As `plybook ratings` does.
    """
    must_choose(as_csv=as_csv, as_json=as_json)
    path, member = f"/ratings/{quote(game, safe='')}", "players"
    if player is not None:
        path, member = f"/players/{quote(player, safe='')}{path}", "ratings"
    found = list(make_connection().iter_all(path, member, limit=100))
    show(found, player, as_csv=as_csv, as_json=as_json)


def describe_range(wanted: JsonObject) -> str:
    """Say between which ratings whoever joins has to be."""
    from domain.rating.glicko2 import HUNDREDTHS

    least, most = (wanted[end] // HUNDREDTHS for end in ("min", "max"))
    return f"for ratings from {least} {'on' if most >= HIGHEST else f'to {most}'}"


def describe_ratings(match: JsonObject) -> str:
    """Say what a rated match has to do with the ratings of its players."""
    players = {seat["seat"]: seat["player"] for seat in match["seats"]}
    sitting = [
        f"{players[one['seat']]} {format_points(one['before'])}"
        + ("" if one["after"] is None else f" -> {format_points(one['after'])}")
        for one in match.get("ratings", ())
    ]
    return f"Rated: {', '.join(sitting)}" if sitting else "Rated."
