"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

SIGHTS = ("seat-1", "seat-2", "spectator")


def _or_of_the_program(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    given: str | None = value or ctx.find_root().params.get("database")
    return given


def database_option(command: Command) -> Command:
    """Add ``--database``, which may also stand before the command."""
    return click.option(
        "--database",
        metavar="URL",
        callback=_or_of_the_program,
        help="Which database; otherwise PLYBOOK_DATABASE_URL, otherwise a file of yours.",
    )(command)


def match_argument(command: Command) -> Command:
    """Add the id of a match."""
    return click.argument("match_id", metavar="MATCH")(command)


def as_option(command: Command) -> Command:
    """Add ``--as``: through whose eyes a match is shown."""
    return click.option(
        "--as",
        "sight",
        type=click.Choice(SIGHTS),
        help="Through whose eyes. Otherwise a spectator's; of a finished match, everything.",
    )(command)


def json_option(command: Command) -> Command:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, one value a line.")(
        command
    )


def faults_option(command: Command) -> Command:
    """Add ``--most-faults``: behind how many matches that do not hold the rest is left."""
    return click.option(
        "--most-faults",
        type=click.IntRange(min=0),
        default=1_000,
        show_default=True,
        metavar="N",
        help="Stop after so many matches that do not hold; 0: go on to the end.",
    )(command)


def examples(*lines: str) -> str:
    """Return the end of a command's help: how it is typed. Nothing of it is wrapped."""
    return "\n".join(
        ["\b", "Example:" if len(lines) == 1 else "Examples:", *map("  {}".format, lines)]
    )
