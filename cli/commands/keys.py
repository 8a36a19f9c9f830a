"""``plybook keys``: the keys that checkpoints are signed with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.terminal.exits import tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import database_option, examples, json_option

if TYPE_CHECKING:
    from services.store.checkpoints import Key


@click.group(
    cls=LazyGroup,
    lazy={
        "list": "cli.commands.keys:list_",
        "rotate": "cli.commands.keys:rotate",
        "export": "cli.commands.keys:export",
    },
    epilog=examples("plybook keys list", "plybook keys export > trusted-keys.json"),
)
def keys() -> None:
    """List, rotate and export the keys that checkpoints are signed with.

    The private key is in a file of its own beside the database, or where
    PLYBOOK_SIGNING_KEY_FILE says; the first checkpoint makes it. Back it up apart from
    the database.
    """


@click.command("list", epilog=examples("plybook keys list"))
@json_option
@database_option
def list_(*, as_json: bool, database: str | None) -> None:
    """List the public keys, the oldest first, and when each was the one that signs."""
    from cli.container import open_services

    with open_services(database) as house:
        known, path = house.signing_keys.all(), house.signing_keys.path
    if as_json:
        import orjson

        for key in known:
            click.echo(orjson.dumps({**key._asdict(), "algorithm": "ed25519"}))
        return
    if not known:
        tell_line("There is no key yet. The first one is made with the first checkpoint:")
        click.echo("  plybook checkpoint")
        return
    for key in known:
        _tell(key)
    tell_line(f"The private key is in {path}.")


def _tell(key: Key) -> None:
    until = f"until {key.valid_until}" if key.valid_until else "signs now"
    click.echo(f"{key.id}  from {key.valid_from}, {until}")


@click.command(epilog=examples("plybook keys rotate"))
@database_option
def rotate(*, database: str | None) -> None:
    """Begin a new key. What the old ones have signed still verifies.

    The private part of the old key is deleted, so nobody signs with it any more. Tell
    those who keep your public keys: plybook keys export.
    """
    from cli.container import open_services

    with open_services(database) as house:
        made = house.signing_keys.rotate()
        path = house.signing_keys.path
    _tell(made)
    tell_line(f"The private key is in {path}. Back it up.")


@click.command(epilog=examples("plybook keys export > trusted-keys.json"))
@database_option
def export(*, database: str | None) -> None:
    """Print all public keys as a file, for those who verify elsewhere."""
    from cli.container import open_services
    from cli.terminal.exits import Failure
    from domain.log.event_format import canonical
    from services.checkpoints.documents import keys_json

    with open_services(database) as house:
        known = house.checkpoints.keys()
    if not known:
        raise Failure("There is no key yet. The first checkpoint makes one: plybook checkpoint")
    click.echo(canonical(keys_json(known)))
