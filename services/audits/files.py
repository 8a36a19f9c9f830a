"""Exports, without any database: every match of a file of NDJSON, as far as it is open.

What is finished and fully open is verified as an import does it, by replay. Of another one (it
still runs, or it is what a seat or a spectator saw) the chain, the header and the opened seals
are checked, and the verdict says what could not be.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import IO

from domain import chain
from domain.errors import Corruption
from domain.events import Event
from domain.json_types import Json, JsonObject
from domain.registry import Games
from domain.viewer import Viewer
from services.audits.chain import chain_faults
from services.audits.faults import CHAIN, DECISIONS, Fault, Verdict
from services.audits.headers import header_faults
from services.audits.seals import seal_faults
from services.imports.checking import verified
from services.imports.forms import EVENT
from services.imports.reading import Block, Line, Unreadable, blocks
from services.store.codec import CODEC

_FOR_EVER = "9999-12-31T23:59:59.999999Z"
UNOPENED = "dice, legality and result: not all seals are opened in this file"
"""What cannot be repeated without the secret and the hidden moves."""
_ODD = (Corruption, AttributeError, LookupError, TypeError, ValueError, RecursionError)


def file_verdicts(file: IO[bytes], games: Games) -> Iterator[Verdict]:
    """Yield what verifying each match of a file came to; one that cannot be read is a fault."""
    for block in blocks(file):
        yield _verdict(block, games)


def _verdict(block: Block, games: Games) -> Verdict:
    match, count = str(block.header.get("match", f"in line {block.line}"))[:40], len(block.events)
    if block.fault is not None:
        return Verdict(match, count, [Fault(None, CHAIN, block.fault)])
    faults = _chain(block)
    if faults:
        return Verdict(match, count, faults[:1])
    header = block.header
    if header["viewer"] != Viewer.SERVER.value:
        return Verdict(match, count, [], (UNOPENED,))
    try:
        verified(block, games, _FOR_EVER)
    except Unreadable as error:
        return Verdict(match, count, [Fault(None, DECISIONS, str(error))])
    except _ODD as error:
        return Verdict(match, count, [Fault(None, DECISIONS, f"It cannot be: {error!r}.")])
    return Verdict(match, count, [])


def _chain(block: Block) -> list[Fault]:
    """Check chain, seals, instants and the header's count and head."""
    try:
        stream = [_event(line) for line in block.events]
        match = block.header.get("match")
        faults = [*chain_faults(stream, str(match)), *seal_faults(stream, complete=False)]
    except _ODD as error:
        return [Fault(None, CHAIN, f"Something in it is no event: {error}.")]
    faults += [
        Fault(one.version, CHAIN, f"Event {one.version} goes back in time.")
        for before, one in pairwise(stream)
        if one.at < before.at
    ]
    if not faults and stream[-1].hash != block.header.get("head"):
        faults.append(Fault(None, CHAIN, "The last event is not the header's head: it was cut."))
    return faults or [*header_faults(block.header, stream)]


def _event(line: Line) -> Event:
    value = line.value
    if set(value) != set(EVENT) or any(type(value[name]) is not EVENT[name] for name in EVENT):
        raise Corruption(f"line {line.number} has not the members of an event")
    openings = [_opening(seal) for seal in value["sealed"]]
    written = chain.canonical(openings) if openings else None
    return next(CODEC.each([(chain.body(value), value["hash"], written)]))


def _opening(seal: JsonObject) -> Json:
    if ("salt" in seal) != ("value" in seal) or set(seal) - {"for", "commitment", "salt", "value"}:
        raise Corruption("a seal is half open, or has other members")
    return [seal["salt"], seal["value"]] if "salt" in seal else None
