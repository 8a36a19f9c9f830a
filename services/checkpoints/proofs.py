"""Proofs, each made from about as many stored hashes as the tree is high."""

from __future__ import annotations

from sqlalchemy import Connection

from domain.log.merkle import consistency_spans, inclusion_spans
from services.checkpoints.documents import Checkpoint, Consistency, Proof
from services.store import checkpoints
from services.store.log.events import LAST


def inclusion(
    connection: Connection, match_id: str, checkpoint: Checkpoint, version: int = LAST
) -> Proof | None:
    """Return the proof that a match's head is in the tree of a checkpoint; None: it is not.

    The head is the newest one that is in there, of no later event than ``version``.
    """
    found = checkpoints.newest_leaf(connection, match_id, checkpoint.size, version)
    if found is None:
        return None
    index, leaf = found
    hashes = checkpoints.hashes_of(connection, inclusion_spans(index, checkpoint.size))
    return Proof(leaf, index, tuple(one.hex() for one in hashes), checkpoint)


def consistency(connection: Connection, older: Checkpoint, newer: Checkpoint) -> Consistency:
    """Return the proof that the tree of ``newer`` continues that of ``older``."""
    hashes = checkpoints.hashes_of(connection, consistency_spans(older.size, newer.size))
    return Consistency(older, newer, tuple(one.hex() for one in hashes))
