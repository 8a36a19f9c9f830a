"""``plybook keys``: the keys that checkpoints are signed with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.container import on_database
from cli.terminal.exits import Failure, print_json, tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import format_examples, json_option

if TYPE_CHECKING:
    from services.container import Services
    from services.store.checkpoints import Key


@click.group(
    cls=LazyGroup,
    epilog=format_examples("plybook keys list", "plybook keys export > trusted-keys.json"),
)
def keys() -> None:
    """List, rotate and export the keys that checkpoints are signed with.

    The private key is in a file of its own beside the database, or where
    PLYBOOK_SIGNING_KEY_FILE says; the first checkpoint makes it. Back it up apart from
    the database.
    """


@keys.command("list", epilog=format_examples("plybook keys list"))
@json_option
@on_database
def list_(*, as_json: bool, house: Services) -> None:
    """List the public keys, the oldest first, and when each was the one that signs."""
    from services.checkpoints.documents import keys_json

    known, path = house.signing_keys.list_all(), house.signing_keys.path
    if as_json:
        print_json(keys_json(known)["keys"])
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


@keys.command(epilog=format_examples("plybook keys rotate"))
@on_database
def rotate(*, house: Services) -> None:
    """Begin a new key. What the old ones have signed still verifies.

    The private part of the old key is deleted, so nobody signs with it any more. Tell
    those who keep your public keys: plybook keys export.
    """
    made = house.signing_keys.rotate()
    path = house.signing_keys.path
    _tell(made)
    tell_line(f"The private key is in {path}. Back it up.")


@keys.command(epilog=format_examples("plybook keys export > trusted-keys.json"))
@on_database
def export(*, house: Services) -> None:
    """Print all public keys as a file, for those who verify elsewhere."""
    from domain.log.event_format import write_canonical
    from services.checkpoints.documents import keys_json

    known = house.signing_keys.list_all()
    if not known:
        raise Failure("There is no key yet. The first checkpoint makes one: plybook checkpoint")
    click.echo(write_canonical(keys_json(known)))
