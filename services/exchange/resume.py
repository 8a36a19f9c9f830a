"""Going on with an export of many that was cut off: what of its file is whole.

A file is read line by line, so that its length does not matter. What follows on the last whole
match is dropped: the export goes on behind that match.
"""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import orjson

from services.errors import InvalidRequest
from services.exchange.block_format import FORMAT
from services.exchange.exports import LastEvent, write_cursor
from services.exchange.formats import ANALYSED, TABLES
from services.exchange.table import list_columns

_CHUNK = 1 << 16


class WholePart(NamedTuple):
    """What of a file is whole: so many bytes (unpacked), matches, and the cursor behind them."""

    size: int
    matches: int
    cursor: str | None


def read_whole_part(path: Path, form: str, *, packed: bool, proofs: int) -> WholePart:
    """Return what of an export of many is whole. Raises ``InvalidRequest`` for another file.

    ``proofs``: how many lines of proofs stand behind a match. A last match without them is not
    whole, since nobody can tell whether they were cut off or there were none.
    """
    with gzip.open(path) if packed else path.open("rb") as file:
        try:
            lines = _iter_lines(file)
            if form in TABLES:
                return _read_whole_rows(lines, list_columns(analysed=form == ANALYSED))
            return _read_whole_blocks(lines, proofs)
        except (KeyError, TypeError, ValueError, csv.Error) as error:
            raise InvalidRequest(
                f"{path} is no export of matches as {form}, so that it cannot be gone on with."
            ) from error


def cut(path: Path, size: int, *, packed: bool) -> None:
    """Drop all but the first ``size`` bytes (unpacked) of a file."""
    if not packed:
        os.truncate(path, size)
        return
    shorter = path.with_name(f"{path.name}.part")
    with gzip.open(path) as source, gzip.open(shorter, "wb") as target:
        left = size
        while left:
            some = source.read(min(left, _CHUNK))
            target.write(some)
            left -= len(some)
    shorter.replace(path)


def _iter_lines(file: Iterable[bytes]) -> Iterator[bytes]:
    """Yield whole lines; a packed file that breaks off ends where it does."""
    try:
        for line in file:
            if line.endswith(b"\n"):
                yield line
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return


def _read_whole_blocks(lines: Iterator[bytes], proofs: int) -> WholePart:
    before = whole = WholePart(0, 0, None)
    size, left, behind = 0, 0, 0
    for line in lines:
        size += len(line)
        if left:
            left -= 1
            if not left:
                last = orjson.loads(line)
                cursor = write_cursor(LastEvent(last["match"], last["version"], last["hash"]))
                before, behind = whole, 0
                whole = WholePart(size, whole.matches + 1, cursor)
            continue
        members = orjson.loads(line)
        if members["format"] == FORMAT:
            left = int(members["count"])
            # What has another behind it has all that it is to have.
            behind = proofs
        elif whole.matches:
            whole, behind = whole._replace(size=size), behind + 1
    return whole if behind >= proofs else before


def _read_whole_rows(lines: Iterator[bytes], columns: tuple[str, ...]) -> WholePart:
    size = 0

    def texts() -> Iterator[str]:
        nonlocal size
        for line in lines:
            size += len(line)
            yield line.decode()

    whole = WholePart(0, 0, None)
    rows = csv.reader(texts())
    if tuple(next(rows, columns)) != columns:
        raise ValueError("other columns")
    for row in rows:
        cells = dict(zip(columns, row, strict=True))
        if cells["version"] == cells["events"]:
            cursor = write_cursor(LastEvent(cells["match"], int(cells["version"]), cells["hash"]))
            whole = WholePart(size, whole.matches + 1, cursor)
    return whole
