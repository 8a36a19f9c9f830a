"""``plybook checkpoint``: signed checkpoints of all matches, and proofs from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.terminal.groups import LazyGroup
from cli.terminal.options import database_option, examples, json_option, match_argument
from cli.terminal.sentences import tell_line

if TYPE_CHECKING:
    from domain.json_types import JsonObject
    from services.checkpoints.documents import Checkpoint

size_argument = click.argument("size", type=click.IntRange(1), required=False)


@click.group(
    cls=LazyGroup,
    lazy={
        "show": "cli.commands.checkpoint:show",
        "export": "cli.commands.checkpoint:export",
        "prove": "cli.commands.checkpoint:prove",
        "link": "cli.commands.checkpoint:link",
        "verify": "cli.commands.against:verify",
    },
    invoke_without_command=True,
    epilog=examples(
        "plybook checkpoint",
        "plybook checkpoint export > kept-elsewhere.json",
        "plybook checkpoint verify kept-elsewhere.json",
    ),
)
@json_option
@database_option
@click.pass_context
def checkpoint(ctx: click.Context, *, as_json: bool, database: str | None) -> None:
    """Sign a checkpoint of all matches now, or show and export the signed ones.

    A checkpoint fixes the head of every match. Whoever keeps it elsewhere can tell when
    the past was changed afterwards, even that of a whole match. While the service runs
    it signs them by itself (PLYBOOK_CHECKPOINT_INTERVAL); this is for cron, and for now.
    """
    if ctx.invoked_subcommand is not None:
        return
    from cli.container import opened
    from cli.terminal.progress import counting

    with opened(database) as house, counting("heads of matches") as counted:
        made = house.sequencer.run(counted.told)
    if made is None:
        tell_line("There is no match yet, so there is nothing to sign.")
        return
    _tell(made, as_json=as_json)


@click.command(epilog=examples("plybook checkpoint show", "plybook checkpoint show 1200 --json"))
@size_argument
@json_option
@database_option
def show(*, size: int | None, as_json: bool, database: str | None) -> None:
    """Show the newest checkpoint, or that of the tree of SIZE heads."""
    _tell(_found(size, database), as_json=as_json)


@click.command(epilog=examples("plybook checkpoint export > kept-elsewhere.json"))
@size_argument
@database_option
def export(*, size: int | None, database: str | None) -> None:
    """Print the newest checkpoint, or that of SIZE, as a file to keep elsewhere."""
    _print(_found(size, database).as_json())


@click.command(epilog=examples("plybook checkpoint prove 7m2kq9x4tbw0ed5r --size 1200"))
@match_argument
@click.option(
    "--size",
    type=click.IntRange(1),
    metavar="N",
    help="In the checkpoint of this size; otherwise the newest one.",
)
@database_option
def prove(*, match_id: str, size: int | None, database: str | None) -> None:
    """Print the proof that the head of MATCH is in a checkpoint."""
    from cli.container import opened
    from services.matches.queries import Look

    with opened(database) as house:
        _print(house.checkpoints.inclusion(Look(local=True), match_id, size).as_json())


@click.command(epilog=examples("plybook checkpoint link 1200 1500"))
@click.argument("older", metavar="FROM", type=click.IntRange(1))
@click.argument("newer", metavar="[TO]", type=click.IntRange(1), required=False)
@database_option
def link(*, older: int, newer: int | None, database: str | None) -> None:
    """Print the proof that the checkpoint of TO continues that of FROM.

    Both are sizes; TO is the newest one unless given.
    """
    from cli.container import opened

    with opened(database) as house:
        _print(house.checkpoints.consistency(older, newer).as_json())


def _found(size: int | None, database: str | None) -> Checkpoint:
    from cli.container import opened

    with opened(database) as house:
        if size is None:
            return house.checkpoints.latest()
        return house.checkpoints.of_size(size)


def _print(document: JsonObject) -> None:
    from domain.log.chain import canonical

    click.echo(canonical(document))


def _tell(made: Checkpoint, *, as_json: bool) -> None:
    if as_json:
        _print(made.as_json())
        return
    heads = f"{made.size:,} head{'' if made.size == 1 else 's'}"
    tell_line(f"Checkpoint of {heads}, signed at {made.at}.")
    click.echo(f"Tree  {made.origin}")
    click.echo(f"Root  {made.root}")
    click.echo(f"Key   {made.key}")
