"""``plybook moderation``: what was reported, hidden and suspended, for whoever runs the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.container import on_database
from cli.terminal.exits import tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import format_examples

if TYPE_CHECKING:
    from services.container import Services
    from services.talk.moderation import ModerationEntry

_reason = click.option(
    "--reason", required=True, help="Why: it is kept for good, so name nobody else."
)


@click.group(cls=LazyGroup, epilog=format_examples("plybook moderation list"))
def moderation() -> None:
    """Read what was reported, hide messages, suspend accounts."""


@moderation.command("list", epilog=format_examples("plybook moderation list --limit 10"))
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True)
@on_database
def list_(*, limit: int, house: Services) -> None:
    """List what was reported, hidden and suspended, the newest first."""
    page = house.moderation.list_entries(None, limit)
    for entry in page.listed:
        tell_line(_describe_entry(entry))
    if not page.listed:
        tell_line("Nothing has been reported, hidden or suspended.")


@moderation.command(
    epilog=format_examples(
        'plybook moderation hide 7m2kq9x4tbw0ed5r players 3 --reason "An insult."'
    )
)
@click.argument("match")
@click.argument("room", type=click.Choice(["players", "spectators"]))
@click.argument("number", type=click.IntRange(1))
@_reason
@on_database
def hide(*, match: str, room: str, number: int, reason: str, house: Services) -> None:
    """Hide a message: the one with this NUMBER in a ROOM of the chat of MATCH.

    Its author still reads it, and why it is hidden.
    """
    from services.store.talk import Room

    house.moderation.hide(None, Room(match, room), number, reason)
    tell_line(f"Message {number} is hidden.")


@moderation.command(epilog=format_examples('plybook moderation suspend eve --reason "Threats."'))
@click.argument("name")
@_reason
@on_database
def suspend(*, name: str, reason: str, house: Services) -> None:
    """Suspend the account of the player NAME: nobody gets in.

    All log-ins and tokens of the player end. Running matches go on: their clocks decide, as for
    anyone.
    """
    house.moderation.suspend(None, name, reason)
    tell_line(f"The account of {name} is suspended.")


@moderation.command(
    epilog=format_examples('plybook moderation lift eve --reason "A mistake of ours."')
)
@click.argument("name")
@_reason
@on_database
def lift(*, name: str, reason: str, house: Services) -> None:
    """Lift the suspension of the player NAME."""
    house.moderation.lift(None, name, reason)
    tell_line(f"The account of {name} is open again.")


def _describe_entry(entry: ModerationEntry) -> str:
    row = entry.row
    place = "" if row.match is None else f" match {row.match}, {row.room} {row.message},"
    actor = entry.actor or "the operator"
    return f"{row.number}  {row.at}  {row.kind} {entry.player},{place} by {actor}: {row.reason}"
