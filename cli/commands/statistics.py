"""``plybook stats``: how matches went, as a table, CSV or JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cli.container import open_services
from cli.terminal.exits import print_json, tell_line
from cli.terminal.options import (
    csv_option,
    database_option,
    format_examples,
    json_option,
    must_choose,
    time_option,
)

if TYPE_CHECKING:
    from rich.text import Text

    from services.replays.statistics import StatisticsRow

COLUMNS = {
    "of": "of",
    "matches": "matches",
    "won_by_1": "P1 won",
    "won_by_2": "P2 won",
    "drawn": "drawn",
    "aborted": "aborted",
    "moves_least": "least",
    "moves_mean": "moves",
    "moves_most": "most",
    "seconds_mean": "s/move",
    "seconds_median": "median",
}
"""The columns of the table."""


@click.command(
    epilog=format_examples(
        "plybook stats",
        "plybook stats --game power-line --since 2026-11-01",
        "plybook stats --player ada --csv > ada.csv",
    )
)
@click.option("--game", metavar="GAME", help="Only matches of this game.")
@click.option("--player", metavar="NAME", help="Only matches of this player.")
@time_option("--since", "Only matches that ended then or later.")
@time_option("--until", "Only matches that ended before.")
@csv_option
@json_option
@database_option
def stats(*, as_csv: bool, as_json: bool, database: str | None, **choice: str | None) -> None:
    """Count the public matches that are over: results, lengths, times.

    For each game a line for all of its matches, one for each seat (with --player: the
    matches in which they sat there), one for those that were to be rated, one for those
    of series, and one for each reason for which matches ended. "moves" is their mean
    number, between the least and the most of a match; "s/move" the mean of the seconds
    between a move and the event before it, beside their median (to a twelfth); on a
    seat's line of its own moves.

    A TIME is a day or an instant, in UTC: 2026-11-27, 2026-11-27T22:00. Private and
    unlisted matches are in no statistic; imported ones are in those of their game, and
    in no player's.
    """
    from cli.terminal.output import counting
    from services.store.lobby.statistics import StatisticsFilter

    must_choose(as_csv=as_csv, as_json=as_json)
    wanted = StatisticsFilter(**choice)
    with open_services(database) as house, counting("matches") as counted:
        if wanted.game is not None:
            house.games.get(wanted.game)
        lines = house.statistics.list_rows(wanted, counted.show_count)
    if as_json:
        print_json(line._asdict() for line in lines)
    elif as_csv:
        _print_csv(lines)
    elif lines:
        _print_table(lines)
    else:
        tell_line("No public match like that is over.", err=True)


def _print_csv(lines: list[StatisticsRow]) -> None:
    import csv

    from services.replays.statistics import StatisticsRow

    writer = csv.writer(sys.stdout)
    writer.writerow(StatisticsRow._fields)
    writer.writerows(lines)


def _print_table(lines: list[StatisticsRow]) -> None:
    from itertools import groupby

    from rich.text import Text

    from cli.terminal.output import Output

    out = Output()
    for number, (game, some) in enumerate(groupby(lines, key=lambda line: line.game)):
        values = ([getattr(line, name) for name in COLUMNS] for line in some)
        rows = [["-" if one is None else str(one) for one in row] for row in values]
        out.say(*([Text()] if number else []), Text(game, "bold"))
        table = _align_table([[*COLUMNS.values()], *rows])
        if out.is_terminal and len(table[0]) > out.width:
            for row in rows:
                out.say(f"  {row[0]}", *_stack_row(row, out.width))
        else:
            out.say(Text(table[0], "dim"), *map(Text, table[1:]))


def _align_table(rows: list[list[str]]) -> list[str]:
    """Put cells below each other: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _stack_row(row: list[str], width: int) -> list[Text]:
    """Write a row whose table is too wide: each number behind what it is."""
    from rich.text import Text

    from services.drawing.text.board import flow

    parts = [Text(f"{name} {cell}") for name, cell in zip(COLUMNS.values(), row, strict=True)]
    return flow("    ", parts[1:], width, "   ")
