"""Exports against raw reads, imports against raw writes, and the memory that both take."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import psycopg
from sqlalchemy import make_url

from services.container import House, wire
from services.exchange.choosing import Choice
from services.exchange.importing import Outcome
from services.matches.queries import Look
from services.store.schema import upgrade
from tests.bench.databases import RAW_INSERT, RAW_TABLE, Bed, settings
from tests.bench.filling import fill
from tests.bench.large import beside
from tests.bench.rounds import Ratio, compared
from tests.support.games import test_games

EVENTS = 10_000
"""Events of one round."""
SMALL, LARGE = 10_000, 1_000_000
FLAT = 1.15
"""How many times the memory of 10^4 events 10^6 may take."""

ALL = Choice()
LOCAL = Look(local=True)

Execute = Callable[[str, tuple[Any, ...]], Any]


def export(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure an export of everything against reading the same rows and writing their bytes."""
    url = beside(bed.url, "exported")
    matches = [row.id for row in fill(url, EVENTS)]
    house = _house(url)
    with _raw(url) as (execute, mark), Path(os.devnull).open("wb") as out:
        sql = f'SELECT body, hash, openings FROM events WHERE "match" = {mark} ORDER BY version'

        def raw() -> None:
            for match in matches:
                for row in execute(sql, (match,)):
                    out.write(row[0])
                    out.write(b"\n")

        def ours() -> None:
            for match in house.exports.many(LOCAL, ALL):
                out.writelines(match.chunks)

        ratio, floor, own = compared(raw, ours, rounds=rounds)
    house.close()
    yield _ratio(f"export, {bed.name}", ratio, 0.5, floor, own)


def import_(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure an import of finished matches against raw durable writes of the same lines.

    The raw writer parses each line, and writes each match in a transaction, as whoever wants all
    or nothing of a match has to. Every round has matches of its own.
    """
    source = beside(bed.url, "exported_from")
    fill(source, 2 * EVENTS * (rounds + 1))
    house = _house(source)
    files = list(_files(house, rounds + 1))
    house.close()
    target = beside(bed.url, "imported_to")
    upgrade(target)
    house = _house(target)
    with _raw(target) as (execute, mark):
        execute(RAW_TABLE.format(**_TYPES[mark]), ())
        bare, taken = iter(files), iter(files)

        def raw() -> None:
            _write_raw(execute, RAW_INSERT.format(mark), next(bare))

        def ours() -> None:
            results = [*house.imports.read(BytesIO(next(taken)))]
            odd = [told for told in results if told.outcome is not Outcome.IMPORTED]
            if odd:
                raise RuntimeError(f"an import went wrong: {odd[0]}")

        ratio, floor, own = compared(raw, ours, rounds=rounds)
    house.close()
    yield _ratio(f"import, {bed.name}", ratio, 0.3, floor, own)


_TYPES = {
    "?": {"key": "integer primary key autoincrement", "blob": "blob"},
    "%s": {"key": "bigserial primary key", "blob": "bytea"},
}


def _write_raw(execute: Execute, insert: str, file: bytes) -> None:
    begun = False
    for line in BytesIO(file):
        event = orjson.loads(line)
        if "head" in event:
            if begun:
                execute("COMMIT", ())
            execute("BEGIN", ())
            begun = True
        else:
            execute(insert, (event["match"], event["version"], line, event["hash"]))
    execute("COMMIT", ())


def _files(house: House, number: int) -> Iterator[bytes]:
    """Yield files of finished matches, each with about as many events."""
    file, events = bytearray(), 0
    for match in house.exports.many(LOCAL, ALL):
        if match.subject.status == "finished":
            file += b"".join(match.chunks)
            events += match.subject.events
        if events >= EVENTS and number:
            yield bytes(file)
            file, events, number = bytearray(), 0, number - 1


def _house(url: str) -> House:
    return wire(settings(url), games=test_games())


@contextmanager
def _raw(url: str) -> Iterator[tuple[Execute, str]]:
    """Give the bare driver, and its mark for a value."""
    if url.startswith("sqlite"):
        there = sqlite3.connect(make_url(url).database or "", isolation_level=None)
        there.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        yield there.execute, "?"
        there.close()
    else:
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            yield connection.execute, "%s"


def _ratio(name: str, ratio: float, goal: float, floor: float, own: float) -> Ratio:
    rates = (EVENTS / one / 1e3 for one in (own, floor))
    return Ratio(name, ratio, goal, "{:.0f} against {:.0f} thousand events/s".format(*rates))


def memory(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure the most memory of an export, an import and an audit, 10^6 events against 10^4.

    Each runs in a process of its own, which tells what it held at most. ``rounds`` is one: a
    million events take minutes, and memory does not waver.
    """
    del rounds
    taken: dict[str, list[int]] = {"export": [], "import": [], "audit": []}
    for events in (SMALL, LARGE):
        source, target = (beside(bed.url, f"memory_{name}_{events}") for name in ("from", "to"))
        fill(source, events)
        upgrade(target)
        with TemporaryDirectory() as folder:
            file = str(Path(folder) / "all.ndjson")
            taken["export"].append(_peak(source, "export", "--all", "--out", file))
            # What still goes on is refused, and read to its end all the same.
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
