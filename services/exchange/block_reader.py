"""From the lines of a file to blocks, one match each, and to the rows of the table of events.

A reader holds one block at a time, as long as a match may be, and no longer. After a fault it goes
on with the next line that can only be a header, so that one bad match does not take those behind
it along.

The form of what a file says is checked here, too: exactly the members there are, exactly of their
types. Python takes ``1``, ``1.0`` and ``true`` for equal, and so would a comparison of decisions;
but they are different facts with different hashes. Hence types are looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, NamedTuple, get_type_hints

import orjson

from domain.errors import Corruption
from domain.json_types import Json, JsonObject
from domain.log.event_format import body, canonical, write_openings
from domain.match.events import FACTS
from services.accounts.user_texts import is_seen, no_character
from services.exchange.block_format import FORMAT, FORMAT_VERSION
from services.matches.access import VISIBILITIES
from services.store.log.audits import RawRow

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read as a whole."""
MOST_EVENTS = 100_000
MOST_BYTES = 128 << 20
"""What one match may have; together the bound of the memory that an import takes."""

_HEADER = b'{"count":'
"""How a header begins, and nothing else: its names are sorted, and no other line has this one."""
_PROOFS = ("plybook/proof", "plybook/consistency")
"""What may follow on a match's events, in this order."""
_MARK = b"\xef\xbb\xbf"


class Unreadable(Exception):
    """Lines that are no block; the text says why, to a person."""


class NotWhole(Unreadable):
    """A block of a match that goes on, or of which not all is open: nothing is wrong with it."""


class FileLine(NamedTuple):
    """A line of a block: its number in the file, its bytes without the end, and what they say."""

    number: int
    raw: bytes
    value: JsonObject


@dataclass(slots=True)
class Block:
    """A match as a file has it: its header, and the bytes of its events' lines.

    ``fault`` says why its lines are none, and where. ``events`` are there once it is ``read``.
    ``proofs`` are what stands behind them.
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
                FileLine(number, raw, parsed(raw, number))
                for number, raw in enumerate(self.raws, self.line + 1)
            ]
        except Unreadable as error:
            self.spoil(error)

    def spoil(self, error: Unreadable) -> None:
        """Say that its lines are none."""
        self.fault, self.raws, self.events = str(error), [], []


def blocks(file: IO[bytes]) -> Iterator[Block]:
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


def parsed(raw: bytes, number: int) -> JsonObject:
    """Return the object that a line says. Raises ``Unreadable`` unless it is canonical JSON."""
    try:
        value: Json = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Unreadable(f"Line {number} is not JSON: {error}.") from None
    if type(value) is not dict:
        raise Unreadable(f"Line {number} is no JSON object.")
    try:
        written = canonical(value)
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

    def events(self, most: int) -> list[bytes]:
        """Take so many lines, up to one that is no whole object, is too long or a header's.

        No more bytes are taken than a match may have, but for the last line's.
        """
        taken, room = list[bytes](), MOST_BYTES
        following, readline = self._next, self._file.readline
        while (
            len(taken) < most
            and room >= 0
            and following.endswith(b"}\n")
            and len(following) <= LONGEST_LINE
            and not following.startswith(_HEADER)
        ):
            taken.append(following[:-1])
            room -= len(following)
            following = readline(LONGEST_LINE + 1)
        self._next = following
        self._number += len(taken)
        return taken

    def skip_to_header(self, beyond: int) -> None:
        """Go on to the next line, behind the one numbered ``beyond``, that begins a block."""
        while self._next and (self._number <= beyond or not self._next.startswith(_HEADER)):
            while len(self._next) > LONGEST_LINE and not self._next.endswith(b"\n"):
                self._next = self._file.readline(LONGEST_LINE + 1)
            self._advance()

    def _advance(self) -> None:
        self._next = self._file.readline(LONGEST_LINE + 1)
        self._number += 1


def _fill(block: Block, lines: _Lines) -> None:
    number, raw = lines.take()
    block.header = header = parsed(raw, number)
    if header.get("format") != FORMAT:
        raise Unreadable(f"Line {number} is no header of a match ({FORMAT}).")
    count = header.get("count")
    if type(count) is not int or not 1 <= count <= MOST_EVENTS:
        raise Unreadable(f"A match has 1 to {MOST_EVENTS:,} events; line {number} says: {count!r}.")
    size = 0
    while len(block.raws) < count:
        raws = lines.events(count - len(block.raws)) or [_odd(lines, count)]
        size += sum(map(len, raws))
        if size > MOST_BYTES:
            raise Unreadable(f"The match has more than {MOST_BYTES:,} bytes.")
        block.raws += raws
    block.proofs = _proofs(lines)


def _odd(lines: _Lines, count: int) -> bytes:
    """Take a line that does not look like an event's. Raises ``Unreadable``."""
    at, following = lines.peek()
    if not following or following.startswith(_HEADER):
        raise Unreadable(f"The header says {count} events, and the match ends before line {at}.")
    return lines.take()[1]


def _proofs(lines: _Lines) -> list[JsonObject]:
    """Take the proofs behind a match's events; what they prove is for ``verify`` to say."""
    found: list[JsonObject] = []
    for wanted in _PROOFS:
        _, following = lines.peek()
        if not following or following.startswith(_HEADER):
            break
        number, raw = lines.take()
        found.append(parsed(raw, number))
        if found[-1].get("format") != wanted:
            raise Unreadable(f"Line {number} is one more than the events that the header says.")
    return found


HEADER = {
    "count": int,
    "format": str,
    "format_version": int,
    "game": str,
    "head": str,
    "match": str,
    "names": dict,
    "result": dict,
    "rules_version": int,
    "status": str,
    "viewer": str,
}
EVENT = {
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
SEAL = {"for": list, "commitment": str, "salt": str}

LONGEST_NAME = 200
LARGEST = 2**53 - 1

MATCH = re.compile(r"[0-9a-z]{16}", re.ASCII)
_PLAYER = re.compile(r"p_[0-9a-z]{16}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_CONTRIBUTION = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)
_INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z", re.ASCII)
_SCALARS = {
    "seat": int,
    "ply": int,
    "draw": int,
    "rules_version": int,
    **{
        name: bool
        for record in FACTS.values()
        for name, kind in get_type_hints(record).items()
        if kind in (bool, bool | None)
    },
}
"""Members of events whose types are looked at by name; truth values stand nowhere else."""
_PLAYERS = ("creator", "opponent", "player")
_WORDS = {
    "cause": ("player", "conditional", "bot"),
    "visibility": VISIBILITIES,
}
_SAYABLE = ("open", "active", "aborted", "seat-1", "seat-2", "spectator")


def check_header(header: JsonObject) -> None:
    """Refuse what is no header of a finished, fully opened match.

    Raises ``Unreadable``, and for what is honestly no such match ``NotWhole``.
    """
    version = header.get("format_version")
    if type(version) is int and version > FORMAT_VERSION:
        raise Unreadable(f"A newer release made this (format_version {version}).")
    if header.get("status") != "finished":
        raise NotWhole(
            f"Only finished matches are imported; this one is {_short(header.get('status'))}."
        )
    if header.get("viewer") != "server":
        raise NotWhole(
            f"This is what {_short(header.get('viewer'))} saw; only matches with everything open "
            "are imported."
        )
    _members(header, HEADER, "The header")
    if version != FORMAT_VERSION or not MATCH.fullmatch(header["match"]):
        raise Unreadable("The header's format_version or match is of another form.")
    for player, name in header["names"].items():
        if not _PLAYER.fullmatch(player) or type(name) is not str:
            raise Unreadable("The header's names are not names by ids of players.")
        if not 1 <= len(name) <= LONGEST_NAME:
            raise Unreadable(f"A name has 1 to {LONGEST_NAME} characters.")
        _check_name(name)


def _check_name(name: str) -> None:
    """Refuse a name that cannot be read, or not be written everywhere. Raises ``Unreadable``."""
    none = no_character(name)
    if none is not None:
        raise Unreadable(f"A name has U+{ord(none):04X}, which is no character.")
    if not is_seen(name):
        raise Unreadable("There is nothing to read in a name.")


def check_event(event: JsonObject, number: int, latest: str) -> None:
    """Refuse what is no event, with all its seals open. Raises ``Unreadable``.

    ``latest``: the instant after which nothing can have happened yet.
    """
    where = f"The event in line {number}"
    _members(event, EVENT, where)
    at = event["at"]
    if not _INSTANT.fullmatch(at) or not _is_instant(at):
        raise Unreadable(f"{where} has no instant as its time.")
    if at > latest:
        raise Unreadable(f"{where} is said to happen in the future ({at}).")
    for name in ("previous", "hash"):
        if not _DIGEST.fullmatch(event[name]):
            raise Unreadable(f"{where} has no digest as {name}.")
    if event["kind"] not in FACTS:
        raise Unreadable(f"{where} is of a kind that this release does not know.")
    _check_data(event["data"], where)
    for seal in event["sealed"]:
        _check_seal(seal, where)


def row_of_line(line: FileLine) -> RawRow:
    """Return an event as the table of events would have it, if the match were alone there.

    Raises ``Corruption`` for what has not the members of an event.
    """
    value = line.value
    if set(value) != set(EVENT) or any(type(value[name]) is not EVENT[name] for name in EVENT):
        raise Corruption(f"line {line.number} has not the members of an event")
    stored = write_openings(_opening(seal) for seal in value["sealed"])
    version, match, kind, at = value["version"], value["match"], value["kind"], value["at"]
    return version, match, version, kind, at, body(value), value["hash"], stored


def _opening(seal: JsonObject) -> list[Json] | None:
    if ("salt" in seal) != ("value" in seal) or set(seal) - {"for", "commitment", "salt", "value"}:
        raise Corruption("a seal is half open, or has other members")
    return [seal["salt"], seal["value"]] if "salt" in seal else None


def _check_data(data: JsonObject, where: str) -> None:
    for name, value in data.items():
        if name in _SCALARS:
            _of_type(value, _SCALARS[name], name, where)
        elif name in _PLAYERS:
            if value is not None and not _matches(_PLAYER, value):
                raise Unreadable(f"{where} names a {name} that is no player's id.")
        elif name == "contribution":
            if not _matches(_CONTRIBUTION, value):
                raise Unreadable(f"{where} has a contribution that is not 64 hex digits.")
        elif name in _WORDS:
            if value not in _WORDS[name]:
                raise Unreadable(f"{where} has a {name} that there is not.")
        elif name != "pace":  # which has truth values, and a form of its own
            _whole_numbers(value, where)


def _matches(form: re.Pattern[str], value: Json) -> bool:
    return type(value) is str and form.fullmatch(value) is not None


def _check_seal(seal: Json, where: str) -> None:
    if type(seal) is not dict or "value" not in seal:
        raise Unreadable(f"{where} has a seal that is not open.")
    bare = {name: value for name, value in seal.items() if name != "value"}
    _members(bare, SEAL, f"A seal of {where[0].lower()}{where[1:]}")
    for name in ("commitment", "salt"):
        if not _DIGEST.fullmatch(seal[name]):
            raise Unreadable(f"{where} has a seal whose {name} is not 64 hex digits.")
    _whole_numbers(seal["value"], where)


def _members(value: JsonObject, wanted: Mapping[str, type], what: str) -> None:
    if value.keys() != wanted.keys():
        odd = min(value.keys() ^ wanted.keys())
        raise Unreadable(f"{what} has too much or too little: {odd[:40]!r}.")
    for name, kind in wanted.items():
        # Each event of each match goes through here, and nearly all texts are of their type.
        if kind is not str or type(value[name]) is not str:
            _of_type(value[name], kind, name, what)


def _of_type(value: Json, kind: type, name: str, what: str) -> None:
    if type(value) is not kind:
        raise Unreadable(f"{what} has a {name} of the wrong type.")
    if type(value) is int and not 0 <= value <= LARGEST:
        raise Unreadable(f"{what} has a {name} out of range.")


def _whole_numbers(value: Json, where: str) -> None:
    """Refuse fractions and truth values, which nothing that games write has."""
    kind = type(value)
    if kind is dict:
        for inner in value.values():
            _whole_numbers(inner, where)
    elif kind is list:
        for inner in value:
            _whole_numbers(inner, where)
    elif kind in (float, bool) or (kind is int and abs(value) > LARGEST):
        raise Unreadable(f"{where} has a value that no game writes: {value!r}.")


def _short(value: Json) -> str:
    """Return a value of the file so that it can be told to a person."""
    return value if value in _SAYABLE else repr(value)[:40]


def _is_instant(at: str) -> bool:
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return True
