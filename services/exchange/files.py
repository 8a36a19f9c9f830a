"""Exports, without any database: every match of a file of NDJSON, as far as it is open.

What a file contains decides what is judged. A match that has ended, all of whose seals are opened,
is judged as one of the database is. Of another one (it still runs, or it is what a seat or a
spectator saw) the chain, the opened seals and the order of its events are checked, and the verdict
says what could not be. The header is compared with all that, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import IO

from domain.errors import Corruption
from domain.game.registry import Games
from domain.match.events import BOTH_SEATS, SERVER, Event, MatchCreated
from domain.match.kinds import ENDINGS
from domain.match.state import FINISHED
from services.audits.audit import is_instant, judged
from services.audits.chain import CHAIN, SEALS, Fault, Verdict, chain_fault, seal_faults, told
from services.checkpoints.documents import Key
from services.exchange.forms import row_of_line
from services.exchange.headers import header_faults
from services.exchange.proofs import looked_at
from services.exchange.reading import Block, blocks
from services.store.log.codec import CODEC

UNOPENED = "dice, legality and result: not all seals are opened in this file"
"""What cannot be repeated without the secret and the hidden moves."""
_AUDIENCES = frozenset((SERVER, *BOTH_SEATS))
_ODD = (Corruption, AttributeError, LookupError, TypeError, ValueError, RecursionError)


def file_verdicts(
    file: IO[bytes], games: Games, keys: Collection[Key] | None = None
) -> Iterator[Verdict]:
    """Yield what verifying each match of a file came to; one that cannot be read is a fault.

    ``keys``: those that may have signed what the file proves itself by, if somebody knows them.
    """
    for block in blocks(file):
        verdict = _verdict(block, games)
        hashes = dict(enumerate((str(line.value.get("hash")) for line in block.events), 1))
        faults, unchecked = looked_at(block, hashes, keys)
        yield verdict._replace(
            faults=[*verdict.faults, *faults], unchecked=(*verdict.unchecked, *unchecked)
        )


def _verdict(block: Block, games: Games) -> Verdict:
    match, count = str(block.header.get("match", f"in line {block.line}"))[:40], len(block.events)
    if block.fault is not None:
        return Verdict(match, count, [Fault(None, CHAIN, block.fault)])
    try:
        rows = [row_of_line(line) for line in block.events]
        fault = chain_fault(rows, str(block.header.get("match")))
        if fault is not None:
            return Verdict(match, count, [fault])
    except _ODD as error:
        return Verdict(match, count, [Fault(None, CHAIN, f"Something in it is no event: {error}.")])
    try:
        stream = CODEC.decode(row[5:] for row in rows)
    except Corruption:
        return Verdict(match, count, judged(rows, games).faults)
    faults = [*header_faults(block.header, stream)]
    if _is_open(stream):
        return Verdict(match, count, [*judged(rows, games).faults, *faults])
    return Verdict(match, count, [*told(_faults(stream)), *faults], (UNOPENED,))


def _is_open(stream: Sequence[Event]) -> bool:
    """Whether a match has ended, and nothing in it is sealed any more."""
    ended = any(ENDINGS.get(event.kind) == FINISHED for event in stream)
    return ended and all(seal.salt is not None for event in stream for seal in event.sealed)


def _faults(stream: Sequence[Event]) -> Iterator[Fault]:
    """Yield what does not hold of a match whose decisions cannot be made again."""
    yield from seal_faults(stream, complete=False)
    for event in stream:
        if not is_instant(event.at):
            detail = f"Event {event.version} has no instant as its time."
            yield Fault(event.version, CHAIN, detail)
        if not _is_sealed_for_some(event):
            detail = f"Event {event.version} is not sealed for those for whom it should be."
            yield Fault(event.version, SEALS, detail)
        if isinstance(event.fact, MatchCreated) is not (event.version == 1):
            detail = f"Event {event.version} does not stand where a match is created."
            yield Fault(event.version, CHAIN, detail)
    for before, one in pairwise(stream):
        if one.at < before.at:
            yield Fault(one.version, CHAIN, f"Event {one.version} goes back in time.")
        if before.kind in ENDINGS:
            yield Fault(one.version, CHAIN, f"Event {one.version} follows on the match's end.")


def _is_sealed_for_some(event: Event) -> bool:
    """Whether each seal has somebody whom it is for; the first event has one, for the server."""
    audiences = [one.audience for one in event.sealed]
    if isinstance(event.fact, MatchCreated):
        return audiences == [(SERVER,)]
    return all(audience and {*audience} <= _AUDIENCES for audience in audiences)
