"""Checkpoints, keys and proofs, for those who ask; nothing here writes.

A proof is made from about as many stored hashes as the tree is high. ``Checkpoints`` gives each
caller what it may see: that a match is in the tree is proved to those who may see the match.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from domain.log.merkle import list_consistency_spans, list_inclusion_spans
from services.checkpoints.documents import Consistency, Proof
from services.errors import InvalidRequest, NotFound
from services.matches.queries import Asker, MatchQueries
from services.store import checkpoints
from services.store.checkpoints import Checkpoint
from services.store.cursors import Page, find_next_cursor
from services.store.db.engine import Database
from services.store.log.events import LAST


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The looks at the tree. Nothing here writes."""

    database: Database
    queries: MatchQueries

    def list_page(self, below: int | None, limit: int) -> Page[Checkpoint, int]:
        """Return the newest checkpoints of trees smaller than ``below``; the cursor is a size."""
        with self.database.read() as connection:
            found = checkpoints.list_page(connection, below, limit + 1)
        return Page(found[:limit], find_next_cursor(found, limit, lambda last: last.size))

    def get(self, size: int | None = None) -> Checkpoint:
        """Return the checkpoint of a tree of ``size`` leaves, or the newest one.

        Raises ``NotFound``.
        """
        with self.database.read() as connection:
            return get_checkpoint(connection, size)

    def prove_inclusion(self, look: Asker, match_id: str, size: int | None = None) -> Proof:
        """Prove that a match's head is in a checkpoint, the newest one unless ``size`` is given.

        Raises ``NotFound``, for a private match of others too.
        """
        with self.database.read() as connection:
            self.queries.must_load(connection, look, match_id)
            checkpoint = get_checkpoint(connection, size)
            proof = prove_inclusion(connection, match_id, checkpoint)
        if proof is None:
            raise NotFound(
                f"The checkpoint of size {checkpoint.size} has nothing of this match yet: it "
                "began later."
            )
        return proof

    def prove_consistency(self, older: int, newer: int | None = None) -> Consistency:
        """Prove that one checkpoint's tree continues that of a smaller one.

        ``newer``: the newest one unless given. Raises ``NotFound`` and ``InvalidRequest``.
        """
        with self.database.read() as connection:
            then, now = get_checkpoint(connection, older), get_checkpoint(connection, newer)
            if then.size > now.size:
                raise InvalidRequest("'from' is the smaller one, 'to' the bigger.", pointer="/to")
            return prove_consistency(connection, then, now)


def get_checkpoint(
    connection: Connection, size: int | None = None, pointer: str | None = None
) -> Checkpoint:
    """Return the checkpoint of a size, the newest one without any. Raises ``NotFound``."""
    if size is None:
        found, lacking = checkpoints.find_latest(connection), "yet"
    else:
        found, lacking = checkpoints.find_by_size(connection, size), f"of size {size}"
    if found is None:
        raise NotFound(f"There is no checkpoint {lacking}.", pointer=pointer)
    return found


def prove_inclusion(
    connection: Connection, match_id: str, checkpoint: Checkpoint, version: int = LAST
) -> Proof | None:
    """Return the proof that a match's head is in the tree of a checkpoint; None: it is not.

    The head is the newest one that is in there, of no later event than ``version``.
    """
    found = checkpoints.find_newest_leaf(connection, match_id, checkpoint.size, version)
    if found is None:
        return None
    index, leaf = found
    hashes = checkpoints.hash_spans(connection, list_inclusion_spans(index, checkpoint.size))
    return Proof(leaf, index, tuple(one.hex() for one in hashes), checkpoint)


def prove_consistency(connection: Connection, older: Checkpoint, newer: Checkpoint) -> Consistency:
    """Return the proof that the tree of ``newer`` continues that of ``older``."""
    hashes = checkpoints.hash_spans(connection, list_consistency_spans(older.size, newer.size))
    return Consistency(older, newer, tuple(one.hex() for one in hashes))
