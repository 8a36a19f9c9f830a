"""The group ``plybook remote`` and its commands."""

from __future__ import annotations

import click

from cli.terminal.groups import LazyGroup
from cli.terminal.options import format_examples

COMMANDS = {
    "login": "cli.remote.people.sessions:login",
    "logout": "cli.remote.people.sessions:logout",
    "turns": "cli.remote.matches:turns",
    "matches": "cli.remote.matches:matches",
    "show": "cli.remote.matches:show",
    "watch": "cli.remote.replays:watch",
    "replay": "cli.remote.replays:replay",
    "series": "cli.remote.series:series",
    "analyse": "cli.remote.analysis:analyse",
    "ratings": "cli.remote.ratings:ratings",
    "move": "cli.remote.moves:move",
    "offers": "cli.remote.offers:offers",
    "lines": "cli.remote.conditional_moves:lines",
    "note": "cli.remote.talk:note",
    "chat": "cli.remote.talk:chat",
    "challenges": "cli.remote.challenges:challenges",
    "invitations": "cli.remote.challenges:invitations",
    "challenge": "cli.remote.challenges:challenge",
    "invite": "cli.remote.challenges:invite",
    "join": "cli.remote.challenges:join",
    "decline": "cli.remote.challenges:decline",
    "rematch": "cli.remote.challenges:rematch",
    "give-time": "cli.remote.vacations:give_time",
    "vacation": "cli.remote.vacations:vacation",
    "webhooks": "cli.remote.people.webhooks:webhooks",
    "withdraw": "cli.remote.challenges:withdraw",
    "resign": "cli.remote.challenges:resign",
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    epilog=format_examples(
        "plybook remote login https://plybook.example ada",
        "plybook remote turns",
        "plybook remote move 7m2kq9x4tbw0ed5r",
    ),
)
def remote() -> None:
    """Play at a service elsewhere, over its API.

    PLYBOOK_URL and PLYBOOK_TOKEN go before the login that is kept.
    """
