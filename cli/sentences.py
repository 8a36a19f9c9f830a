"""Sentences for a person: broken between words on a terminal, in one line for programs."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from textwrap import fill

import click


def tell_line(text: str, *, err: bool = False, behind: int = 0) -> None:
    """Print a sentence. ``behind``: how far in its further lines begin."""
    if (sys.stderr if err else sys.stdout).isatty():
        width = get_terminal_size().columns
        text = fill(text, width, break_on_hyphens=False, subsequent_indent=" " * behind)
    click.echo(text, err=err)
