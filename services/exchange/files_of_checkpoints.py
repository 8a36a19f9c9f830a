"""Exports as files (NDJSON), held against a checkpoint one match after the other.

Only what the comparison needs is read: ids, versions, the events' own bytes and the proof. What
else a file has to be is for imports and audits to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from domain.json_types import JsonObject
from domain.log.event_format import GENESIS, body, digest
from services.checkpoints.documents import (
    CONSISTENCY,
    PROOF,
    Checkpoint,
    Consistency,
    Key,
    Proof,
    UnreadableDocument,
    read_consistency,
    read_proof,
)
from services.checkpoints.verification import HISTORY, Coverage, Mismatch, against_export
from services.exchange.header import FORMAT


class Compared(NamedTuple):
    """A match of a file: how many events it has there, and what the comparison gave."""

    match: str
    events: int
    coverage: Coverage


@dataclass(slots=True)
class _Block:
    """One match of a file: the hash of each event, from its bytes, and the proofs if any."""

    match: str
    hashes: dict[int, str] = field(default_factory=dict)
    proof: Proof | None = None
    consistency: Consistency | None = None
    broken: int | None = None
    """The first event that does not follow on the one before it."""


def against_file(
    lines: Iterable[bytes],
    checkpoint: Checkpoint,
    *,
    keys: Collection[Key],
    proofs: Mapping[str, Proof] | None = None,
    consistency: Consistency | None = None,
) -> Iterator[Compared]:
    """Compare every match of an export with a checkpoint that was kept.

    ``proofs``, by match, and ``consistency`` go before those in the file. Raises
    ``UnreadableDocument``.
    """
    for block in _blocks(lines):
        proof = (proofs or {}).get(block.match, block.proof)
        link = consistency or block.consistency
        coverage = against_export(
            checkpoint, block.match, block.hashes, proof, keys=keys, consistency=link
        )
        if block.broken is not None:
            detail = f"Event {block.broken} does not follow on the one before it."
            coverage.mismatches.append(Mismatch(HISTORY, detail, block.match, block.broken))
            coverage = Coverage(None, coverage.mismatches)
        yield Compared(block.match, len(block.hashes), coverage)


def _blocks(lines: Iterable[bytes]) -> Iterator[_Block]:
    block: _Block | None = None
    for number, line in enumerate(lines, 1):
        try:
            value = orjson.loads(line)
            if value.get("format") == FORMAT:
                if block is not None:
                    yield block
                block = _Block(value["match"])
            elif block is None:
                raise UnreadableDocument(f"Line {number} is no header of an export of a match.")
            else:
                _add(block, value, number)
        except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
            raise UnreadableDocument(f"Line {number} is no line of an export.") from None
    if block is None:
        raise UnreadableDocument("There is no match in this file.")
    yield block


def _add(block: _Block, value: JsonObject, number: int) -> None:
    if value.get("format") == PROOF:
        block.proof = read_proof(value)
        return
    if value.get("format") == CONSISTENCY:
        block.consistency = read_consistency(value)
        return
    version = len(block.hashes) + 1
    if value["match"] != block.match or value["version"] != version:
        raise UnreadableDocument(f"Line {number} is not the next event of {block.match}.")
    if value["previous"] != block.hashes.get(version - 1, GENESIS) and block.broken is None:
        block.broken = version
    block.hashes[version] = digest(body(value))
