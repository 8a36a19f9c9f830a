"""``plybook player``: chores around accounts, for whoever runs the service."""

from __future__ import annotations

import sys

import click

from cli.terminal.exits import tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import database_option, examples, must_be_sure, yes_option


@click.group(
    cls=LazyGroup,
    lazy={
        "add": "cli.commands.accounts:add",
        "password": "cli.commands.accounts:password",
        "admin": "cli.commands.accounts:admin",
        "close": "cli.commands.accounts:close",
    },
    epilog=examples("plybook player add ada"),
)
def player() -> None:
    """Add players, set passwords, name administrators, close accounts."""


def _ask_password() -> str:
    """Ask twice on a terminal; otherwise take the first line of the input."""
    if sys.stdin.isatty():
        answer: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return answer
    return sys.stdin.readline().rstrip("\r\n")


@click.command(epilog=examples("plybook player add ada"))
@click.argument("name")
@database_option
def add(*, name: str, database: str | None) -> None:
    """Add the player NAME, with a password.

    It is asked for on a terminal, and read from a pipe.
    """
    from cli.container import open_services

    with open_services(database) as house:
        added = house.accounts.sign_up(name, _ask_password())
    tell_line(f"{added.name} is {added.id}.")


@click.command(epilog=examples("plybook player password ada"))
@click.argument("name")
@database_option
def password(*, name: str, database: str | None) -> None:
    """Give the player NAME a new password.

    It is asked for on a terminal, and read from a pipe. All log-ins and tokens of the player
    end with the old one; a service that is running knows it within a second.
    """
    from cli.container import open_services

    with open_services(database) as house:
        house.accounts.set_password(name, _ask_password())
    tell_line(f"{name} has a new password.")


@click.command(epilog=examples("plybook player admin ada", "plybook player admin ada --revoke"))
@click.argument("name")
@click.option("--revoke", is_flag=True, help="Take the right away again.")
@database_option
def admin(*, name: str, revoke: bool, database: str | None) -> None:
    """Make the player NAME an administrator.

    Administrators may get tokens with the scope admin. What such a token may do ends at once
    when the right is taken away, also where the service is running.
    """
    from cli.container import open_services

    with open_services(database) as house:
        house.accounts.set_admin(name, admin=not revoke)
    tell_line(f"{name} is {'no administrator any more' if revoke else 'an administrator'}.")


@click.command(epilog=examples("plybook player close ada", "plybook player close ada --yes"))
@click.argument("name")
@yes_option
@database_option
def close(*, name: str, yes: bool, database: str | None) -> None:
    """Close the account of the player NAME, for good.

    Open matches and challenges are withdrawn, running matches are resigned. Finished ones
    remain, under "closed account". The name is not given out again.
    """
    from cli.container import open_services

    with open_services(database) as house:
        found = house.accounts.find(name)
        known = name if found is None else found.name
        if found is not None:
            must_be_sure(f"Close the account of {known} for good?", yes=yes)
        house.closing.close(name)
    tell_line(f"The account of {known} is closed.")
