"""Audits against a checkpoint that was kept elsewhere: what a chain made anew cannot hide.

An audit finds what does not hold in itself. Whoever can write to a database can make a whole
match anew so that it does hold, or take it out altogether; the checkpoint knows how it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from services.audits.chain import CHECKPOINT, Fault, Verdict
from services.checkpoints.documents import (
    Checkpoint,
    Consistency,
    Key,
    Proof,
    UnreadableDocument,
)
from services.checkpoints.verification import (
    UNDECIDED,
    Coverage,
    Mismatch,
    against_database,
    against_match,
)
from services.exchange.files_of_checkpoints import against_file
from services.store.db.engine import Database


class Kept(NamedTuple):
    """What somebody has kept elsewhere, and the proofs that they got since.

    ``keys``: the public keys that are trusted; None: those that the database itself names.
    ``proofs``, by match, and ``link`` go before those in an export.
    """

    checkpoint: Checkpoint
    keys: Collection[Key] | None = None
    proofs: Mapping[str, Proof] | None = None
    link: Consistency | None = None


def match_against(database: Database, kept: Kept, verdict: Verdict) -> Verdict:
    """Add to the verdict on a match of a database what the checkpoint says of that match."""
    found = against_match(database, kept.checkpoint, verdict.match, kept.keys)
    return _joined(verdict, found)


def file_against(
    verdicts: Iterable[Verdict], lines: Iterable[bytes], kept: Kept
) -> Iterator[Verdict]:
    """Add to the verdict on each match of an export what the checkpoint says of it.

    ``lines``: the same export once more; both are read one match at a time.
    """
    compared = against_file(
        lines,
        kept.checkpoint,
        keys=kept.keys or (),
        proofs=kept.proofs,
        consistency=kept.link,
    )
    unreadable = "It is not known of which match this is."
    for verdict in verdicts:
        try:
            coverage = next(compared).coverage
        except UnreadableDocument as error:
            unreadable, coverage = str(error), None
        except StopIteration:
            coverage = None
        if coverage is None:
            coverage = Coverage(None, [Mismatch("", f"It cannot be compared: {unreadable}")])
        yield _joined(verdict, coverage)


def database_against(
    database: Database, kept: Kept, told: Callable[[int], None] = lambda _: None
) -> Iterator[Verdict]:
    """Yield what does not go with a checkpoint, match by match; "" stands for the tree itself.

    ``told`` is called with the number of leaves that were looked at.
    """
    found = against_database(database, kept.checkpoint, kept.keys, told)
    for match, mismatches in groupby(found, lambda one: one.match or ""):
        yield Verdict(match, 0, [_fault(one) for one in mismatches])


def _joined(verdict: Verdict, found: Coverage) -> Verdict:
    undecided = tuple(one.detail for one in found.mismatches if one.check == UNDECIDED)
    new = [_fault(one) for one in found.mismatches if one.check != UNDECIDED]
    # A proof in the file was looked at before, by itself.
    faults = [*verdict.faults, *(one for one in new if one not in verdict.faults)]
    unchecked = verdict.unchecked
    if not found.mismatches and found.version != verdict.events:
        unchecked = (*unchecked, _uncovered(verdict.events, found.version))
    return verdict._replace(faults=faults, unchecked=unchecked, undecided=undecided)


def _uncovered(events: int, version: int | None) -> str:
    if version is None:
        return "against the checkpoint: the match began after it was made"
    return f"events {version + 1} to {events} against the checkpoint: they came after it"


def _fault(mismatch: Mismatch) -> Fault:
    return Fault(mismatch.version, CHECKPOINT, mismatch.detail)
