"""The group ``plybook remote`` and its commands."""

from __future__ import annotations

import click

from cli.groups import LazyGroup
from cli.options import examples

COMMANDS = {
    "login": "cli.remote.account:login",
    "logout": "cli.remote.account:logout",
    "turns": "cli.remote.looking:turns",
    "matches": "cli.remote.looking:matches",
    "show": "cli.remote.looking:show",
    "watch": "cli.remote.following:watch",
    "replay": "cli.remote.following:replay",
    "move": "cli.remote.moving:move",
    "offers": "cli.remote.offers:offers",
    "lines": "cli.remote.lines:lines",
    "note": "cli.remote.talking:note",
    "chat": "cli.remote.talking:chat",
    "challenges": "cli.remote.waiting:challenges",
    "invitations": "cli.remote.waiting:invitations",
    "challenge": "cli.remote.starting:challenge",
    "invite": "cli.remote.starting:invite",
    "join": "cli.remote.starting:join",
    "decline": "cli.remote.starting:decline",
    "rematch": "cli.remote.starting:rematch",
    "give-time": "cli.remote.time:give_time",
    "vacation": "cli.remote.time:vacation",
    "withdraw": "cli.remote.leaving:withdraw",
    "resign": "cli.remote.leaving:resign",
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    epilog=examples(
        "plybook remote login https://plybook.example ada",
        "plybook remote turns",
        "plybook remote move 7m2kq9x4tbw0ed5r",
    ),
)
def remote() -> None:
    """Play at a service elsewhere, over its API.

    PLYBOOK_URL and PLYBOOK_TOKEN go before the login that is kept.
    """
