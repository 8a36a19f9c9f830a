"""The analysis of a match elsewhere: asked for, waited for, shown."""

from __future__ import annotations

import time

import click

from cli.commands.analysis import show
from cli.remote.connection import make_connection
from cli.terminal.options import format_examples, json_option, match_argument

BETWEEN = 1.0
"""Seconds between two looks at how far it is."""

OVER = ("done", "failed")


@click.command(
    epilog=format_examples(
        "plybook remote analyse 7m2kq9x4tbw0ed5r",
        "plybook remote analyse 7m2kq9x4tbw0ed5r --json > analysis.json",
    )
)
@match_argument
@json_option
def analyse(*, match_id: str, as_json: bool) -> None:
    """Ask for the analysis of a finished MATCH, wait for it, and show it.

    It is shown as `plybook analyse` does. The service makes it; Ctrl-C ends the waiting alone.
    """
    from cli.terminal.output import counting

    there, path = make_connection(), f"/matches/{match_id}/analysis"
    found = there.post(path)
    with counting("positions analysed") as counted:
        while found["status"] not in OVER:
            counted.show_count(found["done"])
            time.sleep(BETWEEN)
            found = there.get(path)
    show(found, as_json=as_json)
