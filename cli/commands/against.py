"""Comparing with a checkpoint that was kept elsewhere: ``plybook checkpoint verify``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands.kept import file_option, read
from cli.terminal.exits import BROKEN, UNDECIDED, USAGE, Failure
from cli.terminal.options import database_option, examples, json_option
from cli.terminal.sentences import tell_line

if TYPE_CHECKING:
    from services.checkpoints.documents import Checkpoint, Key
    from services.checkpoints.verification import Mismatch
    from services.exchange.files_of_checkpoints import Compared


@click.command(
    epilog=examples(
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
    from services.checkpoints import documents

    checkpoint = read(kept, "checkpoint", documents.read_checkpoint)
    trusted = None if keys is None else read(keys, "list of keys", documents.read_keys)
    if export is None:
        if proof or link:
            raise Failure("--proof and --link belong to --export.", USAGE)
        found = _of_database(database, checkpoint, trusted)
        _end(found, checkpoint, as_json=as_json)
        return
    if trusted is None:
        raise Failure("An export is verified with keys that you trust: give --keys FILE.", USAGE)
    found = _of_export(export, checkpoint, trusted, proof, link)
    _end(found, checkpoint, as_json=as_json)


def _of_database(
    database: str | None, checkpoint: Checkpoint, keys: list[Key] | None
) -> Iterator[Mismatch]:
    from cli.container import opened
    from cli.terminal.progress import counting
    from services.checkpoints.verification import against_database

    with opened(database) as house, counting("heads of matches") as counted:
        yield from against_database(house.database, checkpoint, keys, counted.told)


def _of_export(
    export: Path, checkpoint: Checkpoint, keys: list[Key], proof: Path | None, link: Path | None
) -> Iterator[Mismatch]:
    from services.checkpoints import documents
    from services.exchange.files_of_checkpoints import against_file

    given = None if proof is None else read(proof, "proof", documents.read_proof)
    consistency = (
        None if link is None else read(link, "proof of consistency", documents.read_consistency)
    )
    with export.open("rb") as lines:
        for compared in against_file(
            lines,
            checkpoint,
            keys=keys,
            proofs={given.leaf.match: given} if given else {},
            consistency=consistency,
        ):
            _say_what_is_covered(compared)
            yield from compared.coverage.mismatches


def _say_what_is_covered(compared: Compared) -> None:
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
        _tell(mismatch, as_json=as_json)
    if checks:
        sys.exit(UNDECIDED if checks == {NOT_SHOWN} else BROKEN)
    if not as_json:
        tell_line(f"Everything that the checkpoint of size {checkpoint.size} covers holds.")


def _tell(mismatch: Mismatch, *, as_json: bool) -> None:
    if as_json:
        import orjson

        click.echo(orjson.dumps(mismatch._asdict()))
        return
    where = "" if mismatch.match is None else f"{mismatch.match}: "
    click.echo(f"{mismatch.check:9}  {where}{mismatch.detail}")
