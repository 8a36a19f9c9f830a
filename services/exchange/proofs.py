"""Proofs in an export, looked at without the checkpoint that somebody has kept.

Whether a path leads from a match's events to the root that it names is arithmetic, and nothing is
needed for it. Who has signed that root only a list of keys can tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from services.audits.chain import CHECKPOINT, Fault
from services.checkpoints.documents import (
    Checkpoint,
    Consistency,
    Key,
    Proof,
    UnreadableDocument,
    read_consistency,
    read_proof,
)
from services.checkpoints.verification import link_faults, proof_faults, signature_faults
from services.exchange.reading import Block


class Proofs(NamedTuple):
    """What was found about the proofs of a match."""

    faults: list[Fault]
    unchecked: tuple[str, ...] = ()


def looked_at(block: Block, hashes: Mapping[int, str], keys: Collection[Key] | None) -> Proofs:
    """Check the proofs behind a block's events as far as can be.

    ``hashes``: that of each event by its version. ``keys``: those that are trusted; None: nobody
    has said which.
    """
    if not block.proofs:
        return Proofs([])
    try:
        proof = read_proof(block.proofs[0])
        link = read_consistency(block.proofs[1]) if block.proofs[1:] else None
    except UnreadableDocument as error:
        return Proofs([Fault(None, CHECKPOINT, str(error))])
    match = str(block.header.get("match"))
    found = [*proof_faults(proof, match, hashes)]
    if link is not None:
        found += link_faults(link, proof)
    signed = [*_signed(proof, link)]
    for checkpoint in signed if keys is not None else ():
        found += signature_faults(checkpoint, keys or ())
    faults = [Fault(one.version, CHECKPOINT, one.detail) for one in found]
    return Proofs(faults, () if keys is not None else tuple(map(_unsigned, signed)))


def _signed(proof: Proof, link: Consistency | None) -> Iterator[Checkpoint]:
    yield proof.checkpoint
    if link is not None:
        yield link.older


def _unsigned(checkpoint: Checkpoint) -> str:
    return (
        f"the signature of the checkpoint of size {checkpoint.size} that the file brings along: "
        "say which keys you trust (--keys)"
    )
