"""Asking a person at a terminal before something is done that cannot be undone."""

from __future__ import annotations

import click

from cli.options import Command


def yes_option(command: Command) -> Command:
    """Add ``--yes``."""
    return click.option("--yes", is_flag=True, help="Do not ask whether that is meant.")(command)


def must_be_sure(question: str, *, yes: bool) -> None:
    """Ask, unless ``yes`` was said already or nobody is there to answer. Raises ``Abort``."""
    from cli.terminal import interactive

    if not yes and interactive():
        click.confirm(question, abort=True, err=True)
