"""From the lines of a file to blocks, one match each, and to the rows of the table of events.

A reader holds one block at a time, as long as a match may be, and no longer. After a fault it goes
on with the next line that can only be a header, so that one bad match does not take those behind
it along.

Here lines are looked at; what they say is judged by ``file_audit``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, NamedTuple

import orjson

from domain.errors import Corruption
from domain.json_types import Json, JsonObject
from domain.log.event_format import restore_body, write_canonical, write_openings
from services.exchange.block_format import FORMAT
from services.store.log.audits import RawRow

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read as a whole."""
MOST_EVENTS = 100_000
MOST_BYTES = 128 << 20
"""What one match may have; together the bound of the memory that an import takes."""

_HEADER_START = b'{"count":'
"""How a header begins, and nothing else: its names are sorted, and no other line has this one."""
_PROOF_START = b'{"checkpoint":'
"""How a proof begins, and nothing else."""
_PROOFS = ("plybook/proof", "plybook/consistency")
"""What may follow on a match's events, in this order."""
_MARK = b"\xef\xbb\xbf"


class Unreadable(Exception):
    """Lines that are no block; the text says why, to a person."""


class FileLine(NamedTuple):
    """A line of a block: its number in the file, its bytes without the end, and what they say."""

    number: int
    raw: bytes
    value: JsonObject


@dataclass(slots=True)
class Block:
    """A match as a file has it: its header, and the bytes of its events' lines.

    ``fault`` says why its lines are no block, and where. ``read`` fills ``events``. ``proofs``
    are the lines behind them.
    """

    line: int
    header: JsonObject = field(default_factory=dict)
    raws: list[bytes] = field(default_factory=list)
    events: list[FileLine] = field(default_factory=list)
    fault: str | None = None
    proofs: list[JsonObject] = field(default_factory=list)

    def read(self) -> None:
        """Read all lines; the first that cannot be read is the fault of the whole."""
        try:
            self.events = [
                FileLine(number, raw, parse_line(raw, number))
                for number, raw in enumerate(self.raws, self.line + 1)
            ]
        except Unreadable as error:
            self.spoil(error)

    def spoil(self, error: Unreadable) -> None:
        """Take all lines for unreadable, and keep why."""
        self.fault, self.raws, self.events = str(error), [], []


def read_blocks(file: IO[bytes]) -> Iterator[Block]:
    """Yield the blocks of a file, read, those that cannot be read with what is wrong about them.

    Where there are too few or too many lines, what is wrong with those that there are comes first.
    """
    lines = _Lines(file)
    while True:
        number, raw = lines.peek()
        if not raw:
            return
        block = Block(number)
        try:
            _fill(block, lines)
        except Unreadable as error:
            block.read()
            if block.fault is None:
                block.spoil(error)
            lines.skip_to_header(beyond=number)
        else:
            block.read()
        yield block


def parse_line(raw: bytes, number: int) -> JsonObject:
    """Return the object that a line says. Raises ``Unreadable`` unless it is canonical JSON."""
    try:
        value: Json = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Unreadable(f"Line {number} is not JSON: {error}.") from None
    if type(value) is not dict:
        raise Unreadable(f"Line {number} is no JSON object.")
    try:
        written = write_canonical(value)
    except TypeError as error:
        raise Unreadable(f"Line {number} is nested too deeply, or is no Unicode.") from error
    if written != raw:
        raise Unreadable(
            f"Line {number} is not in canonical form: names sorted and each given once, no "
            "spaces, numbers and letters written in the one way there is."
        )
    return value


class _Lines:
    """The lines of a file, numbered from 1, the next one at hand; none is read beyond its bound."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._number = 1
        self._next = file.readline(LONGEST_LINE + 1)

    def peek(self) -> tuple[int, bytes]:
        return self._number, self._next

    def take(self) -> tuple[int, bytes]:
        """Return the next line and its number, without its end. Raises ``Unreadable``."""
        number, raw = self._number, self._next
        if len(raw) > LONGEST_LINE:
            raise Unreadable(f"Line {number} is longer than {LONGEST_LINE:,} bytes.")
        if number == 1 and raw.startswith(_MARK):
            raise Unreadable("The file begins with a byte order mark, which no export has.")
        if raw.endswith(b"\r\n"):
            raise Unreadable(f"Line {number} ends with CR LF; an export's lines end with LF.")
        if not raw.endswith(b"\n"):
            raise Unreadable(f"The file breaks off within line {number}.")
        self._advance()
        return number, raw[:-1]

    def skip_to_header(self, beyond: int) -> None:
        """Go on to the next line, behind the one numbered ``beyond``, that begins a block."""
        while self._next and (self._number <= beyond or not self._next.startswith(_HEADER_START)):
            while len(self._next) > LONGEST_LINE and not self._next.endswith(b"\n"):
                self._next = self._file.readline(LONGEST_LINE + 1)
            self._advance()

    def _advance(self) -> None:
        self._next = self._file.readline(LONGEST_LINE + 1)
        self._number += 1


def _fill(block: Block, lines: _Lines) -> None:
    number, raw = lines.take()
    block.header = header = parse_line(raw, number)
    if header.get("format") != FORMAT:
        raise Unreadable(f"Line {number} is no header of a match ({FORMAT}).")
    count = header.get("count")
    if type(count) is not int or not 1 <= count <= MOST_EVENTS:
        raise Unreadable(f"A match has 1 to {MOST_EVENTS:,} events; line {number} says: {count!r}.")
    size = 0
    for _ in range(count):
        at, following = lines.peek()
        if not following or following.startswith((_HEADER_START, _PROOF_START)):
            raise Unreadable(
                f"The header says {count} events, and the match ends before line {at}."
            )
        block.raws.append(lines.take()[1])
        size += len(block.raws[-1])
        if size > MOST_BYTES:
            raise Unreadable(f"The match has more than {MOST_BYTES:,} bytes.")
    block.proofs = _take_proofs(lines)


def _take_proofs(lines: _Lines) -> list[JsonObject]:
    """Take the proofs behind a match's events; what they prove is for ``verify`` to say."""
    found: list[JsonObject] = []
    for wanted in _PROOFS:
        _, following = lines.peek()
        if not following or following.startswith(_HEADER_START):
            break
        number, raw = lines.take()
        found.append(parse_line(raw, number))
        if found[-1].get("format") != wanted:
            raise Unreadable(f"Line {number} is one more than the events that the header says.")
    return found


HEADER_MEMBERS = {
    "count",
    "format",
    "format_version",
    "game",
    "head",
    "match",
    "names",
    "result",
    "rules_version",
    "status",
    "viewer",
}
"""The members of a header."""
EVENT_MEMBERS = {
    "match": str,
    "version": int,
    "kind": str,
    "schema": int,
    "actor": str,
    "at": str,
    "data": dict,
    "sealed": list,
    "previous": str,
    "hash": str,
}

LONGEST_NAME = 200
"""Characters of a player's name."""

MATCH_ID = re.compile(r"[0-9a-z]{16}", re.ASCII)


def row_of_line(line: FileLine) -> RawRow:
    """Return an event as the table of events would have it, if the match were alone there.

    Raises ``Corruption`` for what has not the members of an event, exactly of their types: Python
    takes ``1``, ``1.0`` and ``true`` for equal, and they are different facts.
    """
    value = line.value
    if {name: type(member) for name, member in value.items()} != EVENT_MEMBERS:
        raise Corruption(f"line {line.number} has not the members of an event")
    stored = write_openings(_read_opening(seal) for seal in value["sealed"])
    version, match, kind, at = value["version"], value["match"], value["kind"], value["at"]
    return version, match, version, kind, at, restore_body(value), value["hash"], stored


def _read_opening(seal: JsonObject) -> list[Json] | None:
    if ("salt" in seal) != ("value" in seal) or set(seal) - {"for", "commitment", "salt", "value"}:
        raise Corruption("a seal is half open, or has other members")
    return [seal["salt"], seal["value"]] if "salt" in seal else None
