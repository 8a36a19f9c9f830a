"""``plybook db rebuild``: caches made anew from the events, by itself where a step asks for it."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from cli.terminal.exits import BROKEN, STOPPED, tell_line
from cli.terminal.options import database_option, examples

if TYPE_CHECKING:
    from services.container import House


@click.command(epilog=examples("plybook db rebuild", "plybook db rebuild --anew"))
@click.option("--anew", is_flag=True, help="From the first match on, not where one was stopped.")
@database_option
def rebuild(*, anew: bool, database: str | None) -> None:
    """Make lists, snapshots and the inner nodes of checkpoints' tree anew.

    All of it follows from the events and from the tree's leaves, which are never
    changed; nor are checkpoints. `plybook serve` may run meanwhile. Stopped by Ctrl-C,
    it goes on there when it is called again. Exit code 3 if events of a match cannot be
    read: its caches stay as they are.
    """
    from cli.container import opened

    with opened(database) as house:
        make_anew(house, anew=anew)


def make_anew_if_asked(house: House) -> None:
    """Make caches anew where a step of the schema asks for it, or a rebuild was stopped."""
    if house.rebuilding.waiting() is not None:
        tell_line("Lists and snapshots are made anew from the events:", err=True)
        make_anew(house)


def make_anew(house: House, *, anew: bool = False) -> None:
    """Make caches anew, with what it comes to in words."""
    from cli.terminal.output import counting

    matches, changed, broken = 0, 0, 0
    after = "" if anew else house.rebuilding.waiting()
    if after:
        tell_line(f"Going on behind the match {after}.", err=True)
    try:
        with counting("matches") as counted:
            for part in house.rebuilding.run(anew=anew):
                matches, changed = matches + part.matches, changed + part.changed
                broken += len(part.broken)
                for match, reason in part.broken:
                    counted.aside(partial(_tell_broken, match, reason))
                counted.told(matches)
    except KeyboardInterrupt:
        tell_line(f"Stopped after {_matches(matches)}. To go on: plybook db rebuild", err=True)
        sys.exit(STOPPED)
    told = f"{_matches(matches)} made anew; {changed:,} rows and nodes were not as they are now."
    tell_line(told)
    if broken:
        sys.exit(BROKEN)


def _tell_broken(match: str, reason: str) -> None:
    tell_line(f"{match} is left as it is: {reason}.")


def _matches(count: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'}"
