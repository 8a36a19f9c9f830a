"""``plybook import``: matches that were exported elsewhere, each verified before it is stored."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import IO, TYPE_CHECKING, cast

import click

from cli.container import open_services
from cli.terminal.exits import REFUSED, Failure, print_json, tell_line
from cli.terminal.options import database_option, faults_option, format_examples, json_option

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from io import BufferedReader

    from cli.commands.import_report import Intake
    from services.container import Services
    from services.exchange.imports import ImportResult

GZIP = b"\x1f\x8b"
STDIN = "-"


@click.command(
    "import",
    epilog=format_examples(
        "plybook import matches.ndjson",
        "plybook import --dry-run *.ndjson.gz",
        "curl -s https://games.example/api/v1/export | plybook import -",
    ),
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Verify everything, store nothing.")
@faults_option
@json_option
@database_option
def import_(
    *, files: tuple[str, ...], dry_run: bool, most_faults: int, as_json: bool, database: str | None
) -> None:
    """Import the matches of FILEs (NDJSON, also gzipped; - is standard input).

    Only finished matches with everything open. Each is verified by replay before it is
    stored, and all of it or nothing; one that is here already is left as it is. Imported
    matches keep the names of their file, count for no rating, and belong to nobody who has
    an account here. Exit code 1 if a match was refused. Behind 1,000 that do not hold
    the rest is not looked at, unless --most-faults says otherwise; running matches do
    not count as such.
    """
    from cli.commands.import_report import Intake
    from cli.terminal.output import Output, counting

    intake, at_once = Intake(), as_json or not Output().is_terminal
    stopped: Failure | None = None
    with open_services(database) as house, counting("events") as counted:
        try:
            for name, told in _import_files(house, files, most_faults, dry_run=dry_run):
                intake.add(name, told)
                counted.show_count(intake.events)
                for file, one in [(name, told)] if at_once else intake.list_untold():
                    if as_json or (one.reason is not None and intake.few_refused):
                        counted.run_aside(_tell, file, one, as_json=as_json)
        except _Stopped as error:
            stopped = error
    if not as_json:
        _end(intake, dry_run=dry_run)
    if stopped is not None:
        raise stopped
    if intake.counts["refused"]:
        sys.exit(REFUSED)


class _Stopped(Failure):
    """Too much of a file does not hold."""


def _import_files(
    house: Services, files: tuple[str, ...], most: int, *, dry_run: bool
) -> Iterator[tuple[str, ImportResult]]:
    for name in files:
        with readable(name) as file:
            for told in _read(name, house.imports.read(file, dry=dry_run, most=most), most):
                yield name, told


def _read(name: str, results: Iterator[ImportResult], most: int) -> Iterator[ImportResult]:
    from services.errors import Unavailable
    from services.exchange.imports import TooManyFaults

    try:
        yield from results
    except TooManyFaults:
        raise _Stopped(
            f"{most:,} matches of {name} do not hold: what follows on them was not looked at. "
            "--most-faults tells how many there may be."
        ) from None
    except (OSError, EOFError) as error:
        raise Failure(f"The file cannot be read to its end: {error}.") from error
    except Unavailable as error:
        raise Failure(f"{error} What was told of as imported is stored.") from error


@contextmanager
def readable(name: str) -> Iterator[IO[bytes]]:
    """Open a file, standard input for ``-``; what is gzipped is unpacked, whatever its name."""
    try:
        # Standard input stays open: it may be named once more, and is at its end then.
        opened = nullcontext(sys.stdin.buffer) if name == STDIN else open(name, "rb")  # noqa: PTH123, SIM115
    except OSError as error:
        raise Failure(f"{name} cannot be read: {error.strerror}.") from error
    with opened as file:
        yield open_packed(cast("BufferedReader", file))


def open_packed(file: BufferedReader | HTTPResponse) -> IO[bytes]:
    """Return what a file says, gzipped or not."""
    import gzip

    packed = file.peek(len(GZIP)).startswith(GZIP)
    return cast("IO[bytes]", gzip.open(file) if packed else file)


def _tell(file: str, told: ImportResult, *, as_json: bool) -> None:
    from cli.terminal.output import Output
    from services.drawing.text.frames import write_name

    if as_json:
        print_json([{"file": file, **told._asdict()}])
        return
    match = "a match" if told.match is None else write_name(told.match)
    Output().tell(f"{file}, line {told.line}: {match} is refused. {told.reason}")


def _end(intake: Intake, *, dry_run: bool) -> None:
    """Sum up: as a table for a person at a terminal, and in a line."""
    from cli.commands.import_report import MOST_TOLD
    from cli.terminal.output import Output

    out, counts = Output(), intake.counts
    if out.is_terminal and counts.total():
        out.print(intake.build_table(dry=dry_run))
    if not intake.few_refused:
        tell_line(f"Of the refused, the first {MOST_TOLD:,} were told; --json tells all.", err=True)
    new = "would be imported" if dry_run else "imported"
    tell_line(
        f"{counts['imported']:,} {new}, {counts['known']:,} here already, "
        f"{counts['refused']:,} refused.",
        err=True,
    )
