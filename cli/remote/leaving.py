"""Giving up a match elsewhere, or taking a challenge back."""

from __future__ import annotations

import click

from cli.terminal.options import examples, match_argument
from cli.terminal.sentences import tell_line
from cli.terminal.sure import must_be_sure, yes_option


@click.command(epilog=examples("plybook remote withdraw 7m2kq9x4tbw0ed5r"))
@match_argument
@yes_option
def withdraw(*, match_id: str, yes: bool) -> None:
    """Withdraw the challenge or seek MATCH.

    A match that has just begun is aborted, while fewer than two moves are made.
    """
    must_be_sure("Withdraw this match?", yes=yes)
    _act(match_id, "abort")
    tell_line(f"Match {match_id} will not be played.")


@click.command(epilog=examples("plybook remote resign 7m2kq9x4tbw0ed5r"))
@match_argument
@yes_option
def resign(*, match_id: str, yes: bool) -> None:
    """Give MATCH up."""
    must_be_sure("Give up this match?", yes=yes)
    _act(match_id, "resign")
    tell_line(f"You have given up match {match_id}.")


def _act(match_id: str, action: str) -> None:
    from cli.remote.saved import connection

    there = connection()
    version = there.get(f"/matches/{match_id}")["version"]
    body = {"action": action, "expected_version": version}
    there.post(f"/matches/{match_id}/actions", body)
