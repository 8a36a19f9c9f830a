"""The events of a match, taken out of their lines, many at a time.

Of a line whose event seals nothing, all but its actor, its instant and its data is given by the
events before it and by its own hash. So that much is written anew and compared, in one go for all
lines of a match; only what seals something is read by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain, compress, count, islice, repeat
from operator import not_
from typing import NamedTuple

from domain.json_types import JsonObject
from domain.log.chain import GENESIS
from domain.match.events import FACTS
from services.audits.chain import endings
from services.exchange.checking import stored
from services.exchange.reading import Block, Line
from services.store.log.audits import RawRow
from services.store.log.fields import FEW, INSTANT, digests

_HASH = b',"hash":"'
_DIGEST = 64
_BEHIND_HASH = len(_HASH) + _DIGEST + len('"')
_BEFORE_KIND = _BEHIND_HASH + len(',"kind":"')
_BEHIND_KIND = len('","match":"","previous":"","schema":1,"sealed":[],"version":}') + 16 + _DIGEST
"""How much stands behind the kind of an event that seals nothing, but for the version."""
_KINDS = {kind.encode(): kind for kind in FACTS}
_AT = b'"at":"'
_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_FORM = b"0000-00-00T00:00:00.000000Z"
_USUAL = len('{"actor":"seat-1",')
"""Where an event's ``at`` is named, behind a seat or the server."""
_PLACES = 17, 25
"""Between which it is named behind any actor, who has five to seven letters or so."""


class Lines(NamedTuple):
    """What is stored of a block's events, whose hashes and links hold, and the instants in them.

    ``read`` are the lines with seals, by index, ``openings`` those of them that are stored.
    """

    kinds: list[str]
    instants: list[str]
    hashes: list[str]
    bodies: list[bytes]
    openings: dict[int, bytes | None]
    read: dict[int, Line]

    def rows(self, match: str) -> list[RawRow]:
        """Return the rows that the table of events is to have, if the match were alone there."""
        kinds, instants, hashes, bodies, openings, _ = self
        opened = map(openings.get, range(len(kinds))) if openings else repeat(None)
        numbers = count(1), repeat(match), count(1)
        return list(zip(*numbers, kinds, instants, bodies, hashes, opened, strict=False))


def apart(block: Block, match: str) -> Lines | None:
    """Take the hash out of each line; None where that cannot be done, or the chain does not hold.

    Raises ``Unreadable`` and what comes of members of other types.
    """
    raws = block.raws
    places = [raw.rfind(_HASH) for raw in raws]
    bodies = [
        raw[:place] + raw[place + _BEHIND_HASH :] for raw, place in zip(raws, places, strict=True)
    ]
    found = [
        _KINDS.get(raw[place + _BEFORE_KIND : end])
        for raw, place, end in zip(raws, places, _ends(len(raws)), strict=False)
    ]
    read = {index: block.event(index) for index, kind in enumerate(found) if kind is None}
    openings: dict[int, bytes | None] = {}
    for index, line in read.items():
        bodies[index], _, openings[index] = stored(line)
        found[index] = line.value["kind"]
    kinds = [kind for kind in found if kind is not None]
    hashes = digests(bodies)
    lines = Lines(kinds, _instants(bodies), hashes, bodies, openings, read)
    return lines if _are_linked(raws, lines, match) else None


def _ends(number: int) -> Iterable[int]:
    """Return where the kind of each event ends, as seen from the end of its line."""
    return _ENDS if number <= FEW else _first_ends(number)


def _first_ends(number: int) -> Iterator[int]:
    each = (repeat(-_BEHIND_KIND - digits, 9 * 10 ** (digits - 1)) for digits in count(1))
    return islice(chain.from_iterable(each), number)


_ENDS = tuple(_first_ends(FEW))


def _are_linked(raws: Sequence[bytes], lines: Lines, match: str) -> bool:
    """Whether each line says what it must, behind its data: hash, kind, match, link and version."""
    number = len(raws)
    pasts = [GENESIS, *lines.hashes[:-1]]
    parts = ['"kind":"'] * (7 * number)
    parts[0::7] = [',"hash":"'] * number
    parts[1::7] = lines.hashes
    parts[2::7] = ['","kind":"'] * number
    parts[3::7] = lines.kinds
    parts[4::7] = [f'","match":"{match}","previous":"'] * number
    parts[5::7] = pasts
    parts[6::7] = endings(number)
    ends = "".join(parts).encode().split(b"\n")
    others = compress(count(), map(not_, map(bytes.endswith, raws, ends)))
    return lines.read.keys() >= {*others} and all(
        _follows(line.value, lines.hashes[index], match, pasts[index], index + 1)
        for index, line in lines.read.items()
    )


def _follows(event: JsonObject, hashed: str, match: str, previous: str, version: int) -> bool:
    """Whether an event stands where it should, with the hash that its bytes have."""
    said = event["hash"], event["match"], event["previous"], event["version"]
    return said == (hashed, match, previous, version)


def _instants(bodies: Iterable[bytes]) -> list[str]:
    """Return the instant of each event. Raises ``ValueError``."""
    start, end = _USUAL + len(_AT), _USUAL + len(_AT) + INSTANT
    found = [body[start:end] if body.startswith(_AT, _USUAL) else _instant(body) for body in bodies]
    return b",".join(found).decode().split(",")


def _instant(body: bytes) -> bytes:
    start = body.index(_AT, *_PLACES) + len(_AT)
    return body[start : start + INSTANT]


def are_instants(instants: Sequence[str], latest: str) -> bool:
    """Whether all of them are, and the last is in the past. Raises ``ValueError``.

    That they are in their order is for the decisions to say.
    """
    forms = ",".join(instants).encode().translate(_ZEROS)
    return (
        forms == b",".join([_FORM] * len(instants))
        and instants[-1] <= latest
        and all(map(datetime.fromisoformat, instants))
    )
