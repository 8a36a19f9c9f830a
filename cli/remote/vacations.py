"""Time elsewhere: giving some to one's opponent, and vacations."""

from __future__ import annotations

import click

from cli.remote.connection import make_connection
from cli.terminal.exits import format_minute, print_json, tell_line
from cli.terminal.options import format_examples, json_option, match_argument


@click.command(epilog=format_examples("plybook remote give-time 7m2kq9x4tbw0ed5r 24"))
@match_argument
@click.argument("hours", type=click.IntRange(1, 720))
def give_time(*, match_id: str, hours: int) -> None:
    """Give your opponent in MATCH so many HOURS more."""
    make_connection().act(match_id, "give_time", hours=hours)
    tell_line(f"Your opponent has {hours} hour{'' if hours == 1 else 's'} more.")


@click.command(
    epilog=format_examples(
        "plybook remote vacation",
        "plybook remote vacation --take 7",
        "plybook remote vacation --end",
    )
)
@click.option("--take", type=click.IntRange(1, 366), metavar="DAYS", help="Go for so many days.")
@click.option("--end", is_flag=True, help="Come back before the days are over.")
@json_option
def vacation(*, take: int | None, end: bool, as_json: bool) -> None:
    """Show how many days of vacation you have left; go, or come back.

    Your clocks stand meanwhile in all matches that allow it.
    """
    if end and take is not None:
        raise click.UsageError("Either --take or --end.")
    there, path = make_connection(), "/me/vacation"
    if take is not None:
        found = there.put(path, {"days": take}, once=True)
    else:
        found = there.delete(path) if end else there.get(path)
    if as_json:
        print_json([found])
        return
    if found["current"] is not None:
        tell_line(f"You are on vacation until {format_minute(found['current']['ends_at'])} UTC.")
    tell_line(f"You have {found['days_left']} of {found['days']} days left in {found['year']}.")
