"""Asking a person at a terminal before something is done that cannot be undone."""

from __future__ import annotations

import sys

import click

from cli.terminal.exits import USAGE, Failure
from cli.terminal.options import Command


def yes_option(command: Command) -> Command:
    """Add ``--yes``."""
    return click.option("--yes", is_flag=True, help="Do not ask whether that is meant.")(command)


def must_be_sure(question: str, *, yes: bool) -> None:
    """Ask, unless ``yes`` was said already.

    Raises ``Abort`` for a no, and ``Failure`` where nobody is there to answer.
    """
    if yes:
        return
    try:
        meant = click.confirm(question, err=True)
    except click.Abort:
        # Ctrl-C and Ctrl-D at a terminal are answers; an input that has ended is none.
        if sys.stdin.isatty():
            raise
        raise Failure("Nobody is there to answer: say that it is meant by --yes.", USAGE) from None
    if not meant:
        raise click.Abort
