"""``plybook ratings``: a game's leaderboard, and what each match did to a player."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from cli.container import on_database
from cli.terminal.exits import print_json, tell_line
from cli.terminal.options import examples, json_option

if TYPE_CHECKING:
    from domain.json_types import JsonObject
    from services.container import Services

Page = Callable[[str | None], "JsonObject"]

EMPTY_BOARD = "Nobody has played enough rated matches of this game lately."
EMPTY_HISTORY = "No rated match of this game has ended yet."

PLAYER = click.option("--player", metavar="NAME", help="What each match did to this player.")
CSV = click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a line of names.")


@click.command(
    epilog=examples(
        "plybook ratings power-line", "plybook ratings power-line --player ada --csv > ada.csv"
    )
)
@click.argument("game")
@PLAYER
@CSV
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
        rows = list(_board(house, game))
    else:
        rows = list(_history(house, house.accounts.named(player).id, game))
    show(rows, player, as_csv=as_csv, as_json=as_json)


def must_choose(*, as_csv: bool, as_json: bool) -> None:
    """Refuse two formats at once."""
    if as_csv and as_json:
        raise click.UsageError("Choose one of --csv and --json.")


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
            tell_line(_ranked(row) if player is None else _changed(row))


def _board(house: Services, game: str) -> Iterator[JsonObject]:
    from services.ratings.leaderboards import ranked_json

    cursor = None
    while True:
        page = house.leaderboards.board(game, limit=100, cursor=cursor)
        yield from (ranked_json(one) for one in page.listed)
        cursor = page.next_cursor
        if cursor is None:
            return


def _history(house: Services, player: str, game: str) -> Iterator[JsonObject]:
    from services.ratings.leaderboards import change_json

    return (change_json(one) for one in house.leaderboards.history(player, game).listed)


def _print_csv(rows: list[JsonObject]) -> None:
    from services.exchange.table import guarded

    writer = csv.writer(sys.stdout)
    for number, row in enumerate(rows):
        flat = dict(_flat(row))
        if not number:
            writer.writerow(flat)
        writer.writerow([guarded(str(value)) for value in flat.values()])


def _flat(row: JsonObject) -> Iterator[tuple[str, Any]]:
    """Yield the cells of a row; of what is an object in it each member."""
    for name, value in row.items():
        if isinstance(value, dict):
            yield from ((f"{name}_{inner}", one) for inner, one in value.items())
        else:
            yield name, value


def points(row: JsonObject) -> str:
    """Return a rating in points, with its mark."""
    from domain.rating.glicko2 import PROVISIONAL_FROM, rounded

    mark = "?" if row["deviation"] >= PROVISIONAL_FROM else ""
    return f"{rounded(row['rating'])}{mark}"


def _ranked(row: JsonObject) -> str:
    from cli.terminal.exits import minute

    return (
        f"{row['rank']:>5}  {row['player']:<24}  {points(row):>5}  "
        f"{row['matches']:>5} matches, the last on {minute(row['last_at'])} UTC"
    )


RESULTS = {2: "won", 1: "drawn", 0: "lost"}


def _changed(row: JsonObject) -> str:
    from cli.terminal.exits import minute

    return (
        f"{minute(row['at'])}  {row['match']}  {RESULTS[row['half_points']]:<5} "
        f"against {row['opponent']:<24}  {points(row['before']):>5} -> {points(row['after'])}"
    )
