"""Exports against raw reads, imports against raw writes, and the memory that both take."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from services.container import Services
from services.exchange.exports import ExportFilter
from services.exchange.imports import ImportOutcome
from services.matches.queries import Asker
from services.store.schema import upgrade
from tests.bench.databases import RAW_INSERT, Bed, Raw, beside, opened, raw
from tests.bench.filling import copies, fill
from tests.bench.rounds import Ratio, Sides, measured

EVENTS = 10_000
"""Events of one round."""
SMALL, LARGE = 10_000, 1_000_000
FLAT = 1.15
"""How many times the memory of 10^4 events 10^6 may take."""

ALL = ExportFilter()
LOCAL = Asker(local=True)


def export(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure an export of everything against reading the same rows and writing their bytes."""
    url = beside(bed.url, "exported")
    matches = fill(url, copies(EVENTS))
    with opened(url) as house, closing(raw(url)) as bare, Path(os.devnull).open("wb") as out:
        columns = "SELECT body, hash, openings FROM events"
        sql = f'{columns} WHERE "match" = {bare.mark} ORDER BY version'

        def read() -> None:
            for match in matches:
                for row in bare.execute(sql, (match,)):
                    out.write(row[0])
                    out.write(b"\n")

        def ours() -> None:
            for match in house.exports.export_many(LOCAL, ALL):
                out.writelines(match.chunks)

        sides = Sides(read, ours, pieces=EVENTS)
        yield measured(f"export, {bed.name}", 0.5, sides, rounds)


def import_(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure an import of finished matches against raw durable writes of the same lines.

    The raw writer parses each line, and writes each match in a transaction, as whoever wants all
    or nothing of a match has to. Every round has matches of its own.
    """
    source, target = (beside(bed.url, name) for name in ("exported_from", "imported_to"))
    fill(source, copies(EVENTS * (rounds + 2)))
    with opened(source) as house:
        files = list(_files(house, rounds + 1))
    with opened(target) as house, closing(raw(target)) as bare:
        floors, taken = iter(files), iter(files)

        def write() -> None:
            _write_raw(bare, next(floors))

        def ours() -> None:
            results = [*house.imports.read(BytesIO(next(taken)))]
            odd = [told for told in results if told.outcome is not ImportOutcome.IMPORTED]
            if odd:
                raise RuntimeError(f"an import went wrong: {odd[0]}")

        sides = Sides(write, ours, pieces=EVENTS)
        yield measured(f"import, {bed.name}", 0.3, sides, rounds)


def _write_raw(bare: Raw, file: bytes) -> None:
    insert, begun = RAW_INSERT.format(bare.mark), False
    for line in BytesIO(file):
        event = orjson.loads(line)
        if "head" in event:
            if begun:
                bare.execute("COMMIT")
            bare.execute("BEGIN")
            begun = True
        else:
            bare.execute(insert, (event["match"], event["version"], line, event["hash"]))
    bare.execute("COMMIT")


def _files(house: Services, number: int) -> Iterator[bytes]:
    """Yield files of matches, each with about as many events."""
    file, events = bytearray(), 0
    for match in house.exports.export_many(LOCAL, ALL):
        file += b"".join(match.chunks)
        events += match.subject.events
        if events >= EVENTS and number:
            yield bytes(file)
            file, events, number = bytearray(), 0, number - 1


def memory(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure the most memory of an export, an import and an audit, 10^6 events against 10^4.

    Each runs in a process of its own, which tells what it held at most. ``rounds`` is one: a
    million events take minutes, and memory does not waver.
    """
    del rounds
    taken: dict[str, list[int]] = {"export": [], "import": [], "audit": []}
    for events in (SMALL, LARGE):
        source, target = (beside(bed.url, f"memory_{name}_{events}") for name in ("from", "to"))
        fill(source, copies(events))
        upgrade(target)
        with TemporaryDirectory() as folder:
            file = str(Path(folder) / "all.ndjson")
            taken["export"].append(_peak(source, "export", "--all", "--out", file))
            taken["import"].append(_peak(target, "import", file))
        # In one process: it is that process's memory that is asked for.
        taken["audit"].append(_peak(source, "verify", "--all", "--jobs", "1"))
    for name, (small, large) in taken.items():
        detail = f"{large / 1024:.0f} MiB against {small / 1024:.0f} MiB"
        title = f"memory of an {name}, 10^6 against 10^4 events, {bed.name}"
        yield Ratio(title, large / small, FLAT, detail, at_most=True)


def _peak(url: str, *words: str) -> int:
    """Run the program on a database; return the most memory that it held, in KiB.

    The process reads that itself at its end: what the system tells of a child at most counts the
    memory of its parent too.
    """
    code = (
        "import re\nfrom cli.main import main\n"
        "try:\n    main(standalone_mode=False)\nexcept SystemExit:\n    pass\n"
        "told = open('/proc/self/status').read()\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', told)[1])"
    )
    environment = {**os.environ, "PLYBOOK_DATABASE_URL": url}
    ran = subprocess.run(
        [sys.executable, "-c", code, *words], env=environment, capture_output=True, check=True
    )
    return int(ran.stdout.splitlines()[-1])
