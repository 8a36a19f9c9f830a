"""``plybook export``: a match in the format of somebody's tools, or many of them in one file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

import click

from cli.container import open_services
from cli.terminal.exits import REFUSED, USAGE, Failure, tell_line
from cli.terminal.options import as_option, database_option, format_examples, time_option

if TYPE_CHECKING:
    from services.container import Services
    from services.exchange.exports import Exported, ExportFilter, ExportRequest
    from services.exchange.resume import WholePart


Sink: TypeAlias = Callable[[bytes], object]

STDOUT = "-"


class Outlet:
    """An output as it was asked for.

    ``out``: a file, a folder (where the export gets a name of its own), ``-`` or None for
    standard output. ``packed``: with gzip. ``resume``: behind what a file has. ``force``: in
    place of what it has.
    """

    def __init__(self, out: str | None, *, packed: bool, resume: bool, force: bool) -> None:
        self.path = None if out in (None, STDOUT) else Path(out)
        self.packed = packed or (self.path is not None and self.path.suffix == ".gz")
        self._resume = resume
        self._force = force

    def find_whole(self, name: str, form: str, proofs: int) -> WholePart | None:
        """Return what is whole of a file to go on with; ``proofs``: lines behind each match."""
        from services.exchange.resume import read_whole_part

        path = self._find_path(name)
        if not self._resume or path is None or not path.exists():
            return None
        return read_whole_part(path, form, packed=self.packed, proofs=proofs)

    def cut(self, name: str, whole: WholePart) -> None:
        """Cut that file down to what is whole; where that is nothing, to nothing at all."""
        from services.exchange.resume import cut

        path = self._find_path(name)
        if path is not None:
            cut(path, whole.size, packed=self.packed)

    @contextmanager
    def opened(self, name: str, *, binary: bool = False) -> Iterator[Sink]:
        """Give what writes; ``name``: of a file in a folder; ``binary``: not for a terminal."""
        path = self._find_path(name)
        if path is None:
            if (binary or self.packed) and sys.stdout.isatty():
                raise Failure("A terminal cannot show this: give --out FILE.", USAGE)
            with self._packing(sys.stdout.buffer) as sink:
                yield sink
            return
        with self._open(path) as file, self._packing(file) as sink:
            yield sink

    def put_beside(self) -> None:
        """Put the verifier beside what was exported into a folder."""
        from services.exchange.formats import VERIFIER_NAME, read_verifier

        if self.path is not None and self.path.is_dir():
            (self.path / VERIFIER_NAME).write_bytes(read_verifier())

    def _find_path(self, name: str) -> Path | None:
        if self.path is None or not self.path.is_dir():
            return self.path
        return self.path / (f"{name}.gz" if self.packed else name)

    def _open(self, path: Path) -> IO[bytes]:
        try:
            return path.open("ab" if self._resume else "wb" if self._force else "xb")
        except FileExistsError as error:
            raise Failure(
                f"{path} is there already: --force writes over it, and --resume goes on with an "
                "export of many matches.",
                REFUSED,
            ) from error
        except OSError as error:
            raise Failure(f"{path} cannot be written: {error.strerror}.") from error

    @contextmanager
    def _packing(self, file: IO[bytes]) -> Iterator[Sink]:
        import gzip

        if not self.packed:
            yield file.write
            return
        with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packer:
            yield packer.write


FORMATS = ("ndjson", "json", "csv", "csv-analysis", "text", "svg", "png", "bundle")
MANY = ("ndjson", "csv", "csv-analysis")
TABLES = ("csv", "csv-analysis")
BINARY = ("png", "bundle")


@click.command(
    epilog=format_examples(
        "plybook export 7m2kq9x4tbw0ed5r > match.ndjson",
        "plybook export 7m2kq9x4tbw0ed5r --format png --at 12 --out step.png",
        "plybook export --all --gzip --out all.ndjson.gz --resume",
        "plybook export --player ada --since 2026-11-01 --format csv --out ada.csv",
        "plybook export --all --proof --link 1200 > proved.ndjson",
    )
)
@click.argument("match_id", metavar="[MATCH]", required=False)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="ndjson", show_default=True,
    help="Many matches come as ndjson, csv or csv-analysis.",
)  # fmt: skip
@click.option("--at", type=click.IntRange(1), metavar="N", help="The step after event N alone.")
@click.option("--proof", is_flag=True, help="With the proof that a match is in a checkpoint.")
@click.option("--link", type=click.IntRange(1), metavar="SIZE",
    help="With --proof: and that this checkpoint continues the one of SIZE, which you kept.",
)  # fmt: skip
@as_option
@click.option("--all", "everything", is_flag=True, help="All matches.")
@click.option("--player", metavar="NAME", help="All matches of this player.")
@click.option("--game", metavar="GAME", help="All matches of this game.")
@time_option("--since", "All whose last event happened then or later (not: all that is new).")
@time_option("--until", "All whose last event happened before.")
@click.option("--out", type=click.Path(), metavar="PATH", help="A file, a folder, or - (stdout).")
@click.option("--gzip", "packed", is_flag=True, help="Compress.")
@click.option("--resume", is_flag=True, help="Go on with what --out has of many matches.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@database_option
def export(  # noqa: PLR0913 - one argument per option
    *,
    match_id: str | None,
    form: str,
    at: int | None,
    proof: bool,
    link: int | None,
    sight: str | None,
    everything: bool,
    out: str | None,
    packed: bool,
    resume: bool,
    force: bool,
    database: str | None,
    **filters: str | None,
) -> None:
    """Export MATCH, or many matches into one file.

    A finished match is exported whole, others as a spectator sees them, unless --as says
    through whose eyes. Many matches come by their last events, the oldest first; an export
    that broke off goes on with --resume, and one that is complete gets what is new.
    docs/exports.md describes the formats.
    """
    from services.exchange.exports import ExportFilter, ExportRequest
    from services.exchange.proofs import ProofRequest

    choice = ExportFilter(**filters)
    many = everything or choice != ExportFilter()
    _check(match_id, form, many=many, single=bool(at or sight))
    wish = ExportRequest(form, at, ProofRequest(proof, link))
    outlet = Outlet(out, packed=packed, resume=resume, force=force)
    if resume and not (many and outlet.path):
        raise Failure("--resume goes on with a file of many matches: give --out FILE.", USAGE)
    with open_services(database) as house:
        if match_id is not None:
            _export_one(house, match_id, sight, wish, outlet)
        else:
            _export_many(house, choice, wish, outlet)


def _check(match_id: str | None, form: str, *, many: bool, single: bool) -> None:
    if (match_id is not None) == many:
        raise Failure(
            "Say what to export: MATCH, or several by --all, --player, --game, --since, --until.",
            USAGE,
        )
    if many and form not in MANY:
        raise Failure(f"Many matches are to be had as {' or '.join(MANY)}.", USAGE)
    if many and single:
        raise Failure("--at and --as are for a single match.", USAGE)


def _export_one(
    house: Services, match_id: str, sight: str | None, wish: ExportRequest, outlet: Outlet
) -> None:
    from services.matches.queries import Asker

    made = house.exports.export_one(Asker(asked=sight, local=True), match_id, wish)
    with outlet.opened(made.name, binary=wish.format in BINARY) as sink:
        for chunk in made.chunks:
            sink(chunk)
    outlet.put_beside()


def _export_many(
    house: Services, choice: ExportFilter, wish: ExportRequest, outlet: Outlet
) -> None:
    from cli.terminal.output import counting

    form = wish.format
    name = f"plybook-export.{'csv' if form in TABLES else form}"
    kept = outlet.find_whole(name, form, wish.proofs.lines)
    choice = choice._replace(cursor=kept and kept.cursor)
    matches = _iter_chosen(house, choice, wish, outlet)
    if kept is not None:
        outlet.cut(name, kept)
    before = kept.matches if kept is not None else 0
    head = house.exports.write_head(choice, form)
    done = events = 0
    with outlet.opened(name) as sink, counting("events") as counted:
        if head:
            sink(head)
        for match in matches:
            for chunk in match.chunks:
                sink(chunk)
            done += 1
            events += match.subject.events
            counted.show_count(events)
    outlet.put_beside()
    after = f" after the {before:,} that were there" if before else ""
    tell_line(f"{done:,} matches ({events:,} events) exported{after}.", err=True)


def _iter_chosen(
    house: Services, choice: ExportFilter, wish: ExportRequest, outlet: Outlet
) -> Iterator[Exported]:
    from services.errors import CursorGone
    from services.matches.queries import Asker

    try:
        return house.exports.export_many(Asker(local=True), choice, wish.format, proofs=wish.proofs)
    except CursorGone as error:
        raise Failure(
            f"{outlet.path} cannot be gone on with: this database does not know the last event "
            "that it has. It may be another database's, or a backup was restored. Export all "
            "anew: into another file, or with --force.",
            REFUSED,
        ) from error
