"""Proofs in exports: what the newest signed checkpoint has of each match.

All proofs of an export are for one checkpoint, the newest one when the export began. With the
size of an older one that somebody has kept, each comes with the proof that the two go together.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from domain.json_types import JsonObject
from domain.log.event_format import write_canonical
from services.checkpoints.proofs import get_checkpoint, prove_consistency, prove_inclusion
from services.errors import InvalidRequest, NotFound
from services.store.checkpoints import Checkpoint

PROVABLE = ("ndjson", "json", "bundle")
"""The formats that proofs may stand in."""


class ProofRequest(NamedTuple):
    """Whether an export is to bring proofs; ``link``: the size of a checkpoint that was kept."""

    proof: bool = False
    link: int | None = None

    @property
    def lines(self) -> int:
        """How many lines of proofs stand behind each match."""
        return self.proof + (self.link is not None)

    def check(self, form: str) -> None:
        """Refuse what does not go together. Raises ``InvalidRequest``."""
        if self.link is not None and not self.proof:
            raise InvalidRequest("'link' belongs to 'proof'.", pointer="/link")
        if self.proof and form not in PROVABLE:
            raise InvalidRequest(f"Proofs come with {', '.join(PROVABLE)}.", pointer="/proof")


NO_PROOFS = ProofRequest()


class Proved(NamedTuple):
    """The proof that a match is in a checkpoint, and the one that this continues another."""

    proof: JsonObject
    consistency: JsonObject | None

    def write_lines(self) -> bytes:
        """Return both documents as lines of NDJSON."""
        return b"".join(write_canonical(one) + b"\n" for one in self if one is not None)


class Prover(NamedTuple):
    """Proves that matches are in one checkpoint."""

    checkpoint: Checkpoint
    link: JsonObject | None

    def prove(self, connection: Connection, match: str, version: int) -> Proved | None:
        """Return the proofs of a match as it stood at ``version``; None: it is not in there."""
        proof = prove_inclusion(connection, match, self.checkpoint, version)
        return None if proof is None else Proved(proof.as_json(), self.link)


def make_prover(connection: Connection, link: int | None) -> Prover:
    """Return what proves by the newest checkpoint.

    Raises ``NotFound`` where there is none yet, or none of the size ``link``.
    """
    newest = get_checkpoint(connection)
    if link is None:
        return Prover(newest, None)
    kept = get_checkpoint(connection, link, "/link")
    return Prover(newest, prove_consistency(connection, kept, newest).as_json())


def prove_match(
    connection: Connection, match: str, version: int, wanted: ProofRequest
) -> Proved | None:
    """Return the proofs of one match, as it stood at ``version``.

    Raises ``NotFound`` where they were asked for and cannot be had; otherwise None says so.
    """
    try:
        proved = make_prover(connection, wanted.link).prove(connection, match, version)
    except NotFound:
        if wanted.link is not None:
            raise
        proved = None
    if proved is None and wanted.proof:
        raise NotFound("This match is in no checkpoint yet. The next one will have it.")
    return proved
