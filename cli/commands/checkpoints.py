"""``plybook checkpoint``: signed checkpoints of all matches, proofs, comparing with one kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from cli.container import on_database, open_services
from cli.terminal.exits import BROKEN, UNDECIDED, USAGE, Failure, print_json, tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import (
    Command,
    database_option,
    format_examples,
    json_option,
    match_argument,
)

if TYPE_CHECKING:
    from domain.json_types import JsonObject
    from services.checkpoints.verification import Mismatch
    from services.container import Services
    from services.exchange.file_audit import ComparedExport, TrustedCheckpoint
    from services.store.checkpoints import Checkpoint, Key


size_argument = click.argument("size", type=click.IntRange(1), required=False)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=format_examples(
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
    from cli.terminal.output import counting

    with open_services(database) as house, counting("heads of matches") as counted:
        made = house.sequencer.run(counted.show_count)
    if made is None:
        tell_line("There is no match yet, so there is nothing to sign.")
        return
    _tell(made, as_json=as_json)


@checkpoint.command(
    epilog=format_examples("plybook checkpoint show", "plybook checkpoint show 1200 --json")
)
@size_argument
@json_option
@on_database
def show(*, size: int | None, as_json: bool, house: Services) -> None:
    """Show the newest checkpoint, or that of the tree of SIZE heads."""
    _tell(house.checkpoints.get(size), as_json=as_json)


@checkpoint.command(epilog=format_examples("plybook checkpoint export > kept-elsewhere.json"))
@size_argument
@on_database
def export(*, size: int | None, house: Services) -> None:
    """Print the newest checkpoint, or that of SIZE, as a file to keep elsewhere."""
    _print(house.checkpoints.get(size).as_json())


@checkpoint.command(epilog=format_examples("plybook checkpoint prove 7m2kq9x4tbw0ed5r --size 1200"))
@match_argument
@click.option(
    "--size",
    type=click.IntRange(1),
    metavar="N",
    help="In the checkpoint of this size; otherwise the newest one.",
)
@on_database
def prove(*, match_id: str, size: int | None, house: Services) -> None:
    """Print the proof that the head of MATCH is in a checkpoint."""
    from services.matches.queries import Asker

    _print(house.checkpoints.prove_inclusion(Asker(local=True), match_id, size).as_json())


@checkpoint.command(epilog=format_examples("plybook checkpoint link 1200 1500"))
@click.argument("older", metavar="FROM", type=click.IntRange(1))
@click.argument("newer", metavar="[TO]", type=click.IntRange(1), required=False)
@on_database
def link(*, older: int, newer: int | None, house: Services) -> None:
    """Print the proof that the checkpoint of TO continues that of FROM.

    Both are sizes; TO is the newest one unless given.
    """
    _print(house.checkpoints.prove_consistency(older, newer).as_json())


def _print(document: JsonObject) -> None:
    from domain.log.event_format import write_canonical

    click.echo(write_canonical(document))


def _tell(made: Checkpoint, *, as_json: bool) -> None:
    if as_json:
        _print(made.as_json())
        return
    heads = f"{made.size:,} head{'' if made.size == 1 else 's'}"
    tell_line(f"Checkpoint of {heads}, signed at {made.at}.")
    click.echo(f"Tree  {made.origin}")
    click.echo(f"Root  {made.root}")
    click.echo(f"Key   {made.key}")


Document = TypeVar("Document")


def file_option(name: str, meaning: str) -> Callable[[Command], Command]:
    """Add an option that names a file which is there."""
    return click.option(
        name, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
        help=meaning,
    )  # fmt: skip


def kept_options(command: Command) -> Command:
    """Add ``--checkpoint``, and what belongs to it: ``--keys``, ``--proof``, ``--link``."""
    for option in (
        file_option("--link", "The proof that --checkpoint and that of --proof go together."),
        file_option("--proof", "A proof for the match of a FILE that has none in it."),
        file_option("--keys", "The public keys that you trust: who may have signed."),
        file_option("--checkpoint", "A checkpoint that you kept elsewhere, to compare with."),
    ):
        command = option(command)
    return command


def read(path: Path, what: str, reader: Callable[[JsonObject], Document]) -> Document:
    """Return the document of a file. Raises ``UnreadableDocument``."""
    from services.checkpoints.documents import read_json

    return reader(read_json(path.read_bytes(), what))


def read_kept(
    checkpoint: Path | None, keys: Path | None, proof: Path | None, link: Path | None
) -> TrustedCheckpoint | None:
    """Return what the options name; None: no checkpoint. Raises ``UnreadableDocument``."""
    if checkpoint is None and (proof or link):
        raise Failure("--proof and --link belong to --checkpoint.", USAGE)
    return None if checkpoint is None else _read_kept(checkpoint, keys, proof, link)


def _read_kept(
    checkpoint: Path, keys: Path | None, proof: Path | None, link: Path | None
) -> TrustedCheckpoint:
    from services.checkpoints import documents
    from services.exchange.file_audit import TrustedCheckpoint

    given = None if proof is None else read(proof, "proof", documents.read_proof)
    return TrustedCheckpoint(
        read(checkpoint, "checkpoint", documents.read_checkpoint),
        read_trusted(keys),
        {} if given is None else {given.leaf.match: given},
        None if link is None else read(link, "proof of consistency", documents.read_consistency),
    )


def read_trusted(keys: Path | None) -> list[Key] | None:
    """Return the public keys of a file, if one is named. Raises ``UnreadableDocument``."""
    from services.checkpoints import documents

    return None if keys is None else read(keys, "list of keys", documents.read_keys)


@checkpoint.command(
    epilog=format_examples(
        "plybook checkpoint verify kept.json",
        "plybook checkpoint verify kept.json --export match.ndjson --keys keys.json",
    )
)
@click.argument(
    "kept", metavar="KEPT", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@file_option("--export", "Compare this export (NDJSON) and not the database.")
@file_option("--keys", "The public keys that you trust; otherwise the database's own.")
@file_option("--proof", "A proof for the match of the export, if there is none in it.")
@file_option("--link", "The proof that the checkpoints of KEPT and of the proof go together.")
@json_option
@database_option
def verify(  # noqa: PLR0913 - what somebody may have kept
    *,
    kept: Path,
    export: Path | None,
    keys: Path | None,
    proof: Path | None,
    link: Path | None,
    as_json: bool,
    database: str | None,
) -> None:
    """Compare the database, or an export, with the checkpoint in the file KEPT.

    Whatever was changed after that checkpoint was made is found, even if every hash was
    made anew: matches that were rewritten, cut or have vanished, and a tree that does not
    continue the one that was signed. Exit code 3 if something does not hold, 5 if
    nothing is wrong and it cannot be told: an export brings no proof, or an honest one
    for another checkpoint.
    """
    if export is None and (proof or link):
        raise Failure("--proof and --link belong to --export.", USAGE)
    if export is not None and keys is None:
        raise Failure("An export is verified with keys that you trust: give --keys FILE.", USAGE)
    known = _read_kept(kept, keys, proof, link)
    found = _compare_database(database, known) if export is None else _compare_export(export, known)
    _end(found, known.checkpoint, as_json=as_json)


def _compare_database(database: str | None, kept: TrustedCheckpoint) -> Iterator[Mismatch]:
    from cli.terminal.output import counting
    from services.checkpoints.verification import compare_database

    with open_services(database) as house, counting("heads of matches") as counted:
        yield from compare_database(house.database, kept.checkpoint, kept.keys, counted.show_count)


def _compare_export(export: Path, kept: TrustedCheckpoint) -> Iterator[Mismatch]:
    from services.exchange.file_audit import compare_file

    with export.open("rb") as file:
        for compared in compare_file(file, kept):
            _say_what_is_covered(compared)
            yield from compared.coverage.mismatches


def _say_what_is_covered(compared: ComparedExport) -> None:
    match, events, (version, _) = compared
    if version == events:
        tell_line(f"{match}: all {events} events are as the checkpoint has them.", err=True)
    elif version is not None:
        tell_line(
            f"{match}: events 1 to {version} are as the checkpoint has them; the other "
            f"{events - version} came after it.",
            err=True,
        )


def _end(found: Iterator[Mismatch], checkpoint: Checkpoint, *, as_json: bool) -> None:
    """Print what does not hold, as it is found, and end with the exit code."""
    from services.checkpoints.verification import UNDECIDED as NOT_SHOWN

    checks = set[str]()
    for mismatch in found:
        checks.add(mismatch.check)
        where = "" if mismatch.match is None else f"{mismatch.match}: "
        if as_json:
            print_json([mismatch._asdict()])
        else:
            click.echo(f"{mismatch.check:9}  {where}{mismatch.detail}")
    if checks:
        sys.exit(UNDECIDED if checks == {NOT_SHOWN} else BROKEN)
    if not as_json:
        tell_line(f"Everything that the checkpoint of size {checkpoint.size} covers holds.")
