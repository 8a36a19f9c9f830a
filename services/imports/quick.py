"""Verifying a block from its bytes, where those can be compared with what the rules give.

A match that holds is told so here, or not at all: whatever is odd is left to ``checking``, which
reads every line and says what is wrong. What holds here holds there; a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from domain.errors import Corruption, Refusal
from domain.registry import Games
from services.audits.chain import linked_fields
from services.audits.decisions import decided_again
from services.audits.plain import PlainMoves
from services.audits.reading import Reading
from services.audits.seals import opening_faults, seal_faults
from services.imports.checking import Verified, check_choices, compare, stored
from services.imports.forms import check_event, check_header
from services.imports.reading import Block, Unreadable
from services.store.auditing import RawRow
from services.store.fields import Fields, digests

_IMPOSSIBLE = (Unreadable, Corruption, Refusal, AttributeError, LookupError, TypeError, ValueError)
"""What comes of bytes that are no match: ``checking`` is to say why."""

_HASH = b',"hash":"'
_DIGEST = 64
_NOTHING_SEALED = b'"sealed":[],"version":'
_KIND = b'","kind":"'
_AT = b'"at":"'
_PLACES = 17, 25
"""Between which an event's ``at`` is named: behind the actor, who has five to seven letters."""
_INSTANTS = re.compile(r"(?:\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z)+", re.ASCII)


def quickly(block: Block, games: Games, latest: str) -> Verified | None:
    """Verify a block; None where it does not hold, or cannot be told from its bytes.

    ``latest``: the instant after which nothing can have happened yet.
    """
    try:
        check_header(block.header)
        return _verified(block, games, latest)
    except _IMPOSSIBLE:
        return None


def _verified(block: Block, games: Games, latest: str) -> Verified | None:
    header = block.header
    lines = _apart(block)
    links = linked_fields(lines.fields(header["match"]))
    if links is None or not _are_instants(lines.instants, latest):
        return None
    rows = lines.rows(header["match"])
    [sealing] = links
    plain = PlainMoves(rows, sealing)
    stream = Reading(rows)
    match = decided_again(stream, games, plain=plain).match
    if match is None or match.version != len(rows):
        return None
    judged = {index for made in plain.made for index in made}
    for index in range(len(rows)):
        if index not in judged:
            line = block.event(index)
            check_event(line.value, line.number, latest)
    others = sorted({0, *sealing})
    sealed = [stream[index] for index in others]
    openings = (rows[index] for index in others)
    if any(seal_faults(sealed)) or any(opening_faults(sealed, openings)):
        return None
    check_choices(sealed, games)
    compare(header, match, len(rows))
    return Verified(match, [row[1:] for row in rows], header["names"])


class _Lines(NamedTuple):
    """What is stored of a block's events, and the instants in them."""

    kinds: list[str]
    instants: list[str]
    hashes: list[str]
    bodies: list[bytes]
    openings: dict[int, bytes]

    def fields(self, match: str) -> Fields:
        """Return the same as fields of stored rows. Raises ``Unreadable`` for other hashes."""
        kinds, _, hashes, bodies, openings = self
        if digests(bodies) != hashes:
            raise Unreadable("An event is not what was hashed.")
        number = len(kinds)
        places = [*range(1, number + 1)]
        return Fields([match], [number], places, kinds, hashes, bodies, openings)

    def rows(self, match: str) -> list[RawRow]:
        """Return the same as stored rows."""
        kinds, instants, hashes, bodies, openings = self
        beside = zip(kinds, instants, bodies, hashes, strict=True)
        return [
            (number, match, number, *row, openings.get(number - 1))
            for number, row in enumerate(beside, 1)
        ]


def _apart(block: Block) -> _Lines:
    """Take the hash out of each line. Raises ``Unreadable`` or ``ValueError``."""
    lines = _Lines([], [], [], [], {})
    kinds, instants, hashes, bodies, openings = lines
    for index, raw in enumerate(block.raws):
        before, _, behind = raw.rpartition(_HASH)
        if _NOTHING_SEALED in behind and behind.startswith(_KIND, _DIGEST):
            hashed, body = behind[:_DIGEST].decode(), before + behind[_DIGEST + 1 :]
            start = _DIGEST + len(_KIND)
            kinds.append(behind[start : behind.index(b'"', start)].decode())
        else:
            line = block.event(index)
            body, hashed, opened = stored(line)
            kinds.append(line.value["kind"])
            if opened is not None:
                openings[index] = opened
        hashes.append(hashed)
        bodies.append(body)
        at = body.index(_AT, *_PLACES) + len(_AT)
        instants.append(body[at : at + 27].decode())
    return lines


def _are_instants(instants: Sequence[str], latest: str) -> bool:
    """Whether all of them are, in their order, and in the past."""
    if not _INSTANTS.fullmatch("".join(instants)) or instants[-1] > latest:
        return False
    days = {at[:10] for at in instants}
    return all(map(date.fromisoformat, days)) and instants == sorted(instants)
