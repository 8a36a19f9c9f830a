"""``plybook import``: matches that were exported elsewhere, each verified before it is stored."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, cast

import click

from cli.exits import REFUSED, Failure
from cli.options import database_option, examples, json_option
from cli.sentences import tell_line

if TYPE_CHECKING:
    from cli.intake import Intake
    from services.imports.importing import Told

GZIP = b"\x1f\x8b"
STDIN = "-"


@click.command(
    "import",
    epilog=examples(
        "plybook import matches.ndjson",
        "plybook import --dry-run *.ndjson.gz",
        "curl -s https://games.example/api/v1/export | plybook import -",
    ),
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Verify everything, store nothing.")
@json_option
@database_option
def import_(*, files: tuple[str, ...], dry_run: bool, as_json: bool, database: str | None) -> None:
    """Import the matches of FILEs (NDJSON, also gzipped; - is standard input).

    Only finished matches with everything open. Each is verified by replay before it is
    stored, and all of it or nothing; one that is here already is left as it is. Imported
    matches keep the names of their file, count for no rating, and belong to nobody who has
    an account here. Exit code 1 if a match was refused.
    """
    from cli.house import opened
    from cli.intake import Intake
    from cli.progress import counting
    from cli.terminal import output

    intake, at_once = Intake(), as_json or not output().is_terminal
    with opened(database) as house, counting("events") as counted:
        for name in files:
            with readable(name) as file:
                for told in _read(house.imports.read(file, dry=dry_run)):
                    intake.add(name, told)
                    counted.told(intake.counts["events"])
                    for one in [(name, told)] if at_once else intake.untold():
                        if as_json or one[1].reason is not None:
                            counted.aside(partial(_tell, *one, as_json=as_json))
    if not as_json:
        _end(intake, dry_run=dry_run)
    if intake.counts["refused"]:
        sys.exit(REFUSED)


def _read(results: Iterator[Told]) -> Iterator[Told]:
    from services.errors import Unavailable

    try:
        yield from results
    except (OSError, EOFError) as error:
        raise Failure(f"The file cannot be read to its end: {error}.") from error
    except Unavailable as error:
        raise Failure(f"{error} What was told of as imported is stored.") from error


@contextmanager
def readable(name: str) -> Iterator[IO[bytes]]:
    """Open a file, standard input for ``-``; what is gzipped is unpacked, whatever its name."""
    import gzip
    from io import BufferedReader

    try:
        file = sys.stdin.buffer if name == STDIN else open(name, "rb")  # noqa: PTH123, SIM115
    except OSError as error:
        raise Failure(f"{name} cannot be read: {error.strerror}.") from error
    with file:
        start = cast("BufferedReader", file).peek(2)[:2]
        if start == GZIP:
            with gzip.open(file) as unpacked:
                yield cast("IO[bytes]", unpacked)
        else:
            yield file


def _tell(file: str, told: Told, *, as_json: bool) -> None:
    import orjson

    from cli.terminal import output
    from services.drawing.text.names import written

    if as_json:
        click.echo(orjson.dumps({"file": file, **told._asdict()}))
        return
    match = "a match" if told.match is None else written(told.match)
    output().tell(f"{file}, line {told.line}: {match} is refused. {told.reason}")


def _end(intake: Intake, *, dry_run: bool) -> None:
    """Sum up: as a table for a person at a terminal, and in a line."""
    from cli.terminal import output

    out, counts = output(), intake.counts
    if out.is_terminal and counts.total():
        out.print(intake.table(dry=dry_run))
    new = "would be imported" if dry_run else "imported"
    tell_line(
        f"{counts['imported']:,} {new}, {counts['known']:,} here already, "
        f"{counts['refused']:,} refused.",
        err=True,
    )
