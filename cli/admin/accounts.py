"""``plybook player``: chores around accounts, for whoever runs the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.container import on_database
from cli.terminal.exits import tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import ask_secret, format_examples, must_be_sure, yes_option

if TYPE_CHECKING:
    from services.container import Services


@click.group(cls=LazyGroup, epilog=format_examples("plybook player add ada"))
def player() -> None:
    """Add players, set passwords, name administrators, close accounts."""


@player.command(epilog=format_examples("plybook player add ada"))
@click.argument("name")
@on_database
def add(*, name: str, house: Services) -> None:
    """Add the player NAME, with a password.

    It is asked for on a terminal, and read from a pipe.
    """
    added = house.accounts.sign_up(name, ask_secret("Password", twice=True), reserved=True)
    tell_line(f"{added.name} is {added.id}.")


@player.command(epilog=format_examples("plybook player password ada"))
@click.argument("name")
@on_database
def password(*, name: str, house: Services) -> None:
    """Give the player NAME a new password.

    It is asked for on a terminal, and read from a pipe. All else that leads in ends with the
    old one: log-ins, tokens, passkeys, recovery codes, the address for mail. A service that is
    running knows it within a second.
    """
    house.accounts.set_password(name, ask_secret("Password", twice=True))
    tell_line(f"{name} has a new password.")


@player.command(
    epilog=format_examples("plybook player admin ada", "plybook player admin ada --revoke")
)
@click.argument("name")
@click.option("--revoke", is_flag=True, help="Take the right away again.")
@on_database
def admin(*, name: str, revoke: bool, house: Services) -> None:
    """Make the player NAME an administrator.

    Administrators may get tokens with the scope admin. What such a token may do ends at once
    when the right is taken away, also where the service is running.
    """
    house.accounts.set_admin(name, admin=not revoke)
    tell_line(f"{name} is {'no administrator any more' if revoke else 'an administrator'}.")


@player.command(
    epilog=format_examples("plybook player close ada", "plybook player close ada --yes")
)
@click.argument("name")
@yes_option
@on_database
def close(*, name: str, yes: bool, house: Services) -> None:
    """Close the account of the player NAME, for good.

    At once, without the week that players have who ask for it. Open matches and challenges are
    withdrawn, running matches are resigned. Finished ones remain, under "closed account"; messages
    and notes are removed. The name is not given out again.
    """
    found = house.accounts.find(name)
    known = name if found is None else found.name
    if found is not None:
        must_be_sure(f"Close the account of {known} for good?", yes=yes)
    house.closing.close(name)
    tell_line(f"The account of {known} is closed.")
