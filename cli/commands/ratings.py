"""``plybook ratings``: a game's leaderboard, and what each match did to a player."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from cli.container import on_database
from cli.terminal.exits import format_minute, print_json, tell_line
from cli.terminal.options import csv_option, format_examples, json_option, must_choose

if TYPE_CHECKING:
    from domain.json_types import JsonObject
    from services.container import Services

EMPTY_BOARD = "Nobody has played enough rated matches of this game lately."
EMPTY_HISTORY = "No rated match of this game has ended yet."

PLAYER = click.option("--player", metavar="NAME", help="What each match did to this player.")


@click.command(
    epilog=format_examples(
        "plybook ratings power-line", "plybook ratings power-line --player ada --csv > ada.csv"
    )
)
@click.argument("game")
@PLAYER
@csv_option
@json_option
@on_database
def ratings(*, game: str, player: str | None, as_csv: bool, as_json: bool, house: Services) -> None:
    """Show the leaderboard of GAME, or how a player's rating has come about.

    Ratings are those of Glicko-2, in points; as JSON and CSV in hundredths, as they are kept.
    A "?" behind one says that it rests on few matches. On the leaderboard is who has
    played enough of late. The worker rates what has ended.
    """
    must_choose(as_csv=as_csv, as_json=as_json)
    house.games.get(game)
    if player is None:
        rows = list(_iter_board(house, game))
    else:
        rows = _list_history(house, house.accounts.get_by_name(player).id, game)
    show(rows, player, as_csv=as_csv, as_json=as_json)


def show(rows: list[JsonObject], player: str | None, *, as_csv: bool, as_json: bool) -> None:
    """Print a leaderboard, or (of a ``player``) a history, as the API has their rows."""
    if as_json:
        print_json(rows)
    elif as_csv:
        _print_csv(rows)
    elif not rows:
        tell_line(EMPTY_BOARD if player is None else EMPTY_HISTORY, err=True)
    else:
        for row in rows:
            tell_line(_describe_rank(row) if player is None else _describe_change(row))


def _iter_board(house: Services, game: str) -> Iterator[JsonObject]:
    from services.ratings.leaderboards import ranked_json

    cursor = None
    while True:
        page = house.leaderboards.list_ranked(game, limit=100, cursor=cursor)
        yield from (ranked_json(one) for one in page.listed)
        cursor = page.next_cursor
        if cursor is None:
            return


def _list_history(house: Services, player: str, game: str) -> list[JsonObject]:
    from services.ratings.leaderboards import change_json

    return [change_json(one) for one in house.leaderboards.list_changes(player, game)]


def _print_csv(rows: list[JsonObject]) -> None:
    from services.exchange.table import guard_cell

    writer = csv.writer(sys.stdout)
    for number, row in enumerate(rows):
        flat = dict(_flatten_row(row))
        if not number:
            writer.writerow(flat)
        writer.writerow([guard_cell(str(value)) for value in flat.values()])


def _flatten_row(row: JsonObject) -> Iterator[tuple[str, Any]]:
    """Yield the cells of a row; of what is an object in it each member."""
    for name, value in row.items():
        if isinstance(value, dict):
            yield from ((f"{name}_{inner}", one) for inner, one in value.items())
        else:
            yield name, value


def format_points(row: JsonObject) -> str:
    """Return a rating in points, with its mark."""
    from domain.rating.glicko2 import PROVISIONAL_FROM, round_rating

    mark = "?" if row["deviation"] >= PROVISIONAL_FROM else ""
    return f"{round_rating(row['rating'])}{mark}"


def _describe_rank(row: JsonObject) -> str:
    return (
        f"{row['rank']:>5}  {row['player']:<24}  {format_points(row):>5}  "
        f"{row['matches']:>5} matches, the last on {format_minute(row['last_at'])} UTC"
    )


RESULTS = {2: "won", 1: "drawn", 0: "lost"}


def _describe_change(row: JsonObject) -> str:
    before, after = format_points(row["before"]), format_points(row["after"])
    return (
        f"{format_minute(row['at'])}  {row['match']}  {RESULTS[row['half_points']]:<5} "
        f"against {row['opponent']:<24}  {before:>5} -> {after}"
    )
