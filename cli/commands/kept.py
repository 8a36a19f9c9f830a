"""What somebody has kept elsewhere to compare with: options that name files, and reading them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from cli.terminal.exits import USAGE, Failure
from cli.terminal.options import Command

if TYPE_CHECKING:
    from domain.json_types import JsonObject
    from services.checkpoints.documents import Key
    from services.exchange.against import Kept

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
) -> Kept | None:
    """Return what the options name; None: no checkpoint. Raises ``UnreadableDocument``."""
    from services.checkpoints import documents
    from services.exchange.against import Kept

    if checkpoint is None:
        if proof or link:
            raise Failure("--proof and --link belong to --checkpoint.", USAGE)
        return None
    given = None if proof is None else read(proof, "proof", documents.read_proof)
    return Kept(
        read(checkpoint, "checkpoint", documents.read_checkpoint),
        read_trusted(keys),
        {} if given is None else {given.leaf.match: given},
        None if link is None else read(link, "proof of consistency", documents.read_consistency),
    )


def read_trusted(keys: Path | None) -> list[Key] | None:
    """Return the public keys of a file, if one is named. Raises ``UnreadableDocument``."""
    from services.checkpoints import documents

    return None if keys is None else read(keys, "list of keys", documents.read_keys)
