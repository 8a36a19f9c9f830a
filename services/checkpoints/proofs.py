"""Checkpoints, keys and proofs, for those who ask; nothing here writes.

A proof is made from about as many stored hashes as the tree is high. ``Checkpoints`` gives each
caller what it may see: that a match is in the tree is proved to those who may see the match.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from domain.log.merkle import consistency_spans, inclusion_spans
from services.checkpoints.documents import Consistency, Proof
from services.errors import InvalidRequest, NotFound
from services.matches.queries import Asker, MatchQueries
from services.store import checkpoints
from services.store.checkpoints import Checkpoint
from services.store.cursors import Page, cursor_behind
from services.store.db.engine import Database
from services.store.log.events import LAST


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The looks at the tree. Nothing here writes."""

    database: Database
    queries: MatchQueries

    def page(self, below: int | None, limit: int) -> Page[Checkpoint, int]:
        """Return the newest checkpoints of trees smaller than ``below``; the cursor is a size."""
        with self.database.read() as connection:
            found = checkpoints.page(connection, below, limit + 1)
        return Page(found[:limit], cursor_behind(found, limit, lambda last: last.size))

    def get(self, size: int | None = None) -> Checkpoint:
        """Return the checkpoint of a tree of ``size`` leaves, or the newest one.

        Raises ``NotFound``.
        """
        with self.database.read() as connection:
            return checkpoint_there(connection, size)

    def inclusion(self, look: Asker, match_id: str, size: int | None = None) -> Proof:
        """Prove that a match's head is in a checkpoint, the newest one unless ``size`` is given.

        Raises ``NotFound``, for a private match of others too.
        """
        with self.database.read() as connection:
            self.queries.must_load(connection, look, match_id)
            checkpoint = checkpoint_there(connection, size)
            proof = inclusion(connection, match_id, checkpoint)
        if proof is None:
            raise NotFound(
                f"The checkpoint of size {checkpoint.size} has nothing of this match yet: it "
                "began later."
            )
        return proof

    def consistency(self, older: int, newer: int | None = None) -> Consistency:
        """Prove that one checkpoint's tree continues that of a smaller one.

        ``newer``: the newest one unless given. Raises ``NotFound`` and ``InvalidRequest``.
        """
        with self.database.read() as connection:
            then, now = checkpoint_there(connection, older), checkpoint_there(connection, newer)
            if then.size > now.size:
                raise InvalidRequest("'from' is the smaller one, 'to' the bigger.", pointer="/to")
            return consistency(connection, then, now)


def checkpoint_there(
    connection: Connection, size: int | None = None, pointer: str | None = None
) -> Checkpoint:
    """Return the checkpoint of a size, the newest one without any. Raises ``NotFound``."""
    if size is None:
        found, lacking = checkpoints.latest(connection), "yet"
    else:
        found, lacking = checkpoints.of_size(connection, size), f"of size {size}"
    if found is None:
        raise NotFound(f"There is no checkpoint {lacking}.", pointer=pointer)
    return found


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
