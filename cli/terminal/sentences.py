"""Sentences for a person: broken between words on a terminal, in one line for programs."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from textwrap import fill

import click


def tell_line(text: str, *, err: bool = False, behind: int = 0) -> None:
    """Print a sentence. ``behind``: how far in its further lines begin.

    Lines of its own stay, and so do words that are too long, such as addresses.
    """
    if (sys.stderr if err else sys.stdout).isatty():
        first, *others = text.split("\n")
        inner = " " * behind
        text = "\n".join(
            [_broken(first, "", inner), *(_broken(one, inner, inner) for one in others)]
        )
    click.echo(text, err=err)


def _broken(line: str, first: str, others: str) -> str:
    return fill(
        line,
        get_terminal_size().columns,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=False,
    )
