"""``plybook stats``: how matches went, as a table, CSV or JSON."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from cli.options import database_option, examples, json_option

if TYPE_CHECKING:
    from services.statistics import Line

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
    epilog=examples(
        "plybook stats",
        "plybook stats --game power-line --since 2026-11-01",
        "plybook stats --player ada --csv > ada.csv",
    )
)
@click.option("--game", metavar="GAME", help="Only matches of this game.")
@click.option("--player", metavar="NAME", help="Only matches of this player.")
@click.option("--since", metavar="TIME", help="Only matches that ended then or later.")
@click.option("--until", metavar="TIME", help="Only matches that ended before.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a line of names.")
@json_option
@database_option
def stats(  # noqa: PLR0913 - one argument per option
    *,
    game: str | None,
    player: str | None,
    since: str | None,
    until: str | None,
    as_csv: bool,
    as_json: bool,
    database: str | None,
) -> None:
    """Count the public matches that are over: results, lengths, times.

    For each game a line for all of its matches, one for each seat (with --player: the
    matches in which they sat there) and one for each reason for which matches ended.
    "moves" is their mean number, between the least and the most of a match; "s/move" the
    mean of the seconds between a move and the event before it, beside their median (to a
    twelfth); on a seat's line of its own moves.

    A TIME is a day or an instant, in UTC: 2026-11-27, 2026-11-27T22:00. Private and
    unlisted matches are in no statistic; imported ones are in those of their game, and
    in no player's.
    """
    from cli.house import opened
    from cli.progress import counting
    from services.statistics import Choice

    if as_csv and as_json:
        raise click.UsageError("Choose one of --csv and --json.")
    choice = Choice(game, player, _instant(since, "--since"), _instant(until, "--until"))
    with opened(database) as house, counting("matches") as counted:
        if game is not None:
            house.games.get(game)
        lines = house.statistics.lines(choice, counted.told)
    if as_json:
        _print_json(lines)
    elif as_csv:
        _print_csv(lines)
    elif lines:
        _print_table(lines)
    else:
        click.echo("No public match like that is over.", err=True)


def _instant(text: str | None, option: str) -> str | None:
    """Read a day or an instant; without an offset it is in UTC."""
    from services.clock import instant

    if text is None:
        return None
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(
            f"{text[:40]!r} is no time like 2026-11-27 or 2026-11-27T22:00.",
            param_hint=f"'{option}'",
        ) from None
    return instant(when if when.tzinfo else when.replace(tzinfo=UTC))


def _print_json(lines: list[Line]) -> None:
    import orjson

    for line in lines:
        click.echo(orjson.dumps(line._asdict()))


def _print_csv(lines: list[Line]) -> None:
    import csv

    from services.statistics import Line

    writer = csv.writer(sys.stdout)
    writer.writerow(Line._fields)
    writer.writerows(lines)


def _print_table(lines: list[Line]) -> None:
    from itertools import groupby

    from rich.text import Text

    from cli.terminal import output

    out = output()
    for number, (game, some) in enumerate(groupby(lines, key=lambda line: line.game)):
        shown = [[*COLUMNS.values()], *([_cell(line, name) for name in COLUMNS] for line in some)]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        out.say(*([Text()] if number else []), Text(game, "bold"))
        for row in shown:
            first, *others = zip(row, widths, strict=True)
            cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
            out.say(Text(("  " + "  ".join(cells)).rstrip(), "dim" if row is shown[0] else ""))


def _cell(line: Line, name: str) -> str:
    value = getattr(line, name)
    return "-" if value is None else str(value)
