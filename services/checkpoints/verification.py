"""Holds a database, or one match's export, against a checkpoint that was kept elsewhere.

Who can write to the database can make every hash in it anew, and every leaf and node of the
tree. What they cannot make anew is what somebody else has kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from sqlalchemy import Connection

from domain.log import merkle
from domain.log.event_format import hash_bytes
from domain.log.merkle import LeafSpan, NodePlace
from services.checkpoints.documents import Consistency, Proof
from services.store import checkpoints
from services.store.checkpoints import Checkpoint, Key, StoredLeaf
from services.store.db.engine import Database
from services.store.log import events

SIGNATURE, TREE, HISTORY, PROOF = "signature", "tree", "history", "proof"
UNDECIDED = "undecided"


class Mismatch(NamedTuple):
    """Something that does not hold against the checkpoint.

    ``check``: signature, tree (what was signed is not what is there), history (events are not
    those that the tree speaks of), proof (it does not prove this), undecided (nothing is wrong,
    and what would show that all is right is not at hand).
    """

    check: str
    detail: str
    match: str | None = None
    version: int | None = None


class Coverage(NamedTuple):
    """What an export's comparison gave.

    ``version``: the checkpoint vouches for the events up to it, None: for none of them.
    """

    version: int | None
    mismatches: list[Mismatch]


def check_signature(checkpoint: Checkpoint, keys: Collection[Key]) -> Iterator[Mismatch]:
    """Check a checkpoint's signature, and that its key was the one that signed then."""
    where = f"The checkpoint of size {checkpoint.size}"
    key = next((key for key in keys if key.id == checkpoint.key), None)
    if key is None:
        yield Mismatch(SIGNATURE, f"{where} is signed with a key that is none of the known ones.")
        return
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.public_key))
    try:
        public.verify(bytes.fromhex(checkpoint.signature), checkpoint.dump_for_signing())
    except InvalidSignature:
        yield Mismatch(SIGNATURE, f"{where} is not what its key has signed.")
        return
    if checkpoint.at < key.valid_from or checkpoint.at > (key.valid_until or checkpoint.at):
        yield Mismatch(SIGNATURE, f"{where} is signed with a key that was not valid at the time.")


def compare_database(
    database: Database,
    checkpoint: Checkpoint,
    keys: Collection[Key] | None = None,
    told: Callable[[int], None] = lambda _: None,
) -> Iterator[Mismatch]:
    """Compare all that a checkpoint covers with what a database holds; memory stays flat.

    ``keys``: those that are trusted, otherwise the database's own. ``told`` is called with the
    number of leaves that were looked at. A match is named once, at the first event that differs.
    """
    with database.read() as connection:
        yield from _check_signed(connection, checkpoint, keys)
        size = checkpoints.get_end(connection).size
        if size < checkpoint.size:
            yield Mismatch(
                TREE,
                f"The tree has {size} leaves, and the checkpoint was made of {checkpoint.size}: "
                "leaves were removed, or this is an older copy of the database.",
            )
        yield from _compare_leaves(connection, checkpoint, told)


def compare_match(
    database: Database, checkpoint: Checkpoint, match_id: str, keys: Collection[Key] | None = None
) -> Coverage:
    """Compare what a checkpoint says of one match with what a database holds of it.

    This reads as much of the tree as it is high. That a match has vanished together with its
    leaves, only the tree's root tells; which one it was, nobody can say.
    """
    with database.read() as connection:
        faults = list(_check_signed(connection, checkpoint, keys))
        found = checkpoints.find_newest_leaf(connection, match_id, checkpoint.size, events.LAST)
        index, leaf = found or (0, None)
        spans = merkle.list_inclusion_spans(index, checkpoint.size) if leaf else []
        try:
            root, *path = checkpoints.hash_spans(connection, [LeafSpan(0, checkpoint.size), *spans])
        except KeyError:
            root, path = b"", []
        proved = leaf is None or merkle.proves_inclusion(
            leaf.hash(), index, checkpoint.size, path, root
        )
        if root.hex() != checkpoint.root or not proved:
            return Coverage(None, [*faults, _report_other_tree(checkpoint)])
        if leaf is None:
            return Coverage(None, faults)
        body = checkpoints.find_body(connection, leaf)
        fault = _check_history(connection, StoredLeaf(index, leaf, "", body))
    return Coverage(None if fault else leaf.version, [*faults, *([fault] if fault else [])])


def compare_export(  # noqa: PLR0913 - what a stranger has in hand
    checkpoint: Checkpoint,
    match_id: str,
    hashes: Mapping[int, str],
    proof: Proof | None,
    *,
    keys: Collection[Key],
    consistency: Consistency | None = None,
) -> Coverage:
    """Compare an export of a match with a checkpoint, without any database.

    ``hashes``: the hash of each event by its version, computed from the file. ``proof``: that
    the match is in a checkpoint's tree. If that is another checkpoint than the one that was
    kept, ``consistency`` shows how the two go together.
    """
    faults = list(check_signature(checkpoint, keys))
    if proof is None:
        asked = f"/matches/{match_id}/inclusion?size={checkpoint.size}"
        missing = f"The file has no proof that the match is in the tree; get one: GET {asked}"
        return Coverage(None, [*faults, Mismatch(UNDECIDED, missing, match_id)])
    faults.extend(_check_tree(checkpoint, proof, keys, consistency))
    faults.extend(check_proof(proof, match_id, hashes))
    return Coverage(None if faults else proof.leaf.version, faults)


def _check_tree(
    kept: Checkpoint, proof: Proof, keys: Collection[Key], link: Consistency | None
) -> Iterator[Mismatch]:
    """Check that the proof's tree is that of the kept checkpoint, or goes with it."""
    other = proof.checkpoint
    yield from (check_signature(other, keys) if other != kept else ())
    if other.size == kept.size:
        if other.root != kept.root:
            yield _report_two_trees(kept)
    elif proof.number >= kept.size:
        yield Mismatch(
            UNDECIDED,
            "The match's head came into the tree only after the checkpoint was made, which so "
            "says nothing of it. Get the proof for the checkpoint's own size: GET "
            f"/matches/{proof.leaf.match}/inclusion?size={kept.size}",
            proof.leaf.match,
        )
    elif link is None or {link.older.size, link.newer.size} != {kept.size, other.size}:
        older, newer = sorted((kept.size, other.size))
        yield Mismatch(
            UNDECIDED,
            f"The proof is for the tree of {other.size} leaves, the checkpoint is of {kept.size}. "
            f"Get the proof that they go together: GET /consistency?from={older}&to={newer}",
        )
    elif not _goes_together(kept, other, link):
        yield Mismatch(TREE, "The bigger tree is not the smaller one with leaves added.")


def _goes_together(kept: Checkpoint, other: Checkpoint, link: Consistency) -> bool:
    older, newer = sorted((kept, other), key=lambda one: one.size)
    path = [bytes.fromhex(one) for one in link.path]
    roots = bytes.fromhex(older.root), bytes.fromhex(newer.root)
    return merkle.proves_consistency(older.size, newer.size, *roots, path)


def check_proof(proof: Proof, match_id: str, hashes: Mapping[int, str]) -> Iterator[Mismatch]:
    """Check that a proof is of these events, and leads to the root that it names.

    ``hashes``: that of each event of the match by its version. Of signatures it says nothing.
    """
    path = [bytes.fromhex(one) for one in proof.path]
    root = bytes.fromhex(proof.checkpoint.root)
    if proof.leaf.match != match_id:
        yield Mismatch(PROOF, f"The proof is of the match {proof.leaf.match}.", match_id)
    elif not merkle.proves_inclusion(
        proof.leaf.hash(), proof.number, proof.checkpoint.size, path, root
    ):
        yield Mismatch(PROOF, "The proof does not lead to the root that was signed.", match_id)
    elif (fault := _check_leaf(proof, hashes)) is not None:
        yield fault


def check_link(link: Consistency, proof: Proof) -> Iterator[Mismatch]:
    """Check that a proof of consistency leads to the checkpoint that another proof is for."""
    if link.newer != proof.checkpoint:
        yield Mismatch(
            PROOF, "The proof that checkpoints go together is for another than the proof."
        )
    elif not _goes_together(link.older, link.newer, link):
        yield Mismatch(TREE, "The bigger tree is not the smaller one with leaves added.")


def _check_leaf(proof: Proof, hashes: Mapping[int, str]) -> Mismatch | None:
    match, version, head = proof.leaf
    if version > max(hashes, default=0):
        last = max(hashes, default=0)
        detail = f"The file ends at event {last}, and the tree knows event {version}: it was cut."
        return Mismatch(HISTORY, detail, match, last + 1)
    if hashes.get(version) != head:
        return Mismatch(HISTORY, _describe_rewriting(version), match, version)
    return None


def _compare_leaves(
    connection: Connection, checkpoint: Checkpoint, told: Callable[[int], None]
) -> Iterator[Mismatch]:
    """Go through the leaves that a checkpoint covers; yield what differs, the root at the end."""
    found: list[Mismatch] = []
    leaves = _iter_leaves(connection, checkpoint, found, told)
    wanted = merkle.cover(LeafSpan(0, checkpoint.size))
    peaks: dict[NodePlace, bytes] = {}
    for place, hashed in merkle.grow(0, leaves, peaks.__getitem__):
        if place in wanted:
            peaks[place] = hashed
        yield from found
        found.clear()
    yield from found
    root = merkle.hash_span([peaks[place] for place in wanted if place in peaks])
    if root.hex() != checkpoint.root:
        yield _report_other_tree(checkpoint)


def _iter_leaves(
    connection: Connection,
    checkpoint: Checkpoint,
    found: list[Mismatch],
    told: Callable[[int], None],
) -> Iterator[bytes]:
    """Yield the hashes of the leaves; what differs is put into ``found`` before the next one."""
    named = set[str]()
    expected = 0
    for held in checkpoints.iter_leaves(connection, checkpoint.size):
        match, hashed = held.leaf.match, held.leaf.hash()
        if held.number != expected:
            found.append(Mismatch(TREE, f"Leaf {expected} of the tree is missing."))
        if hashed.hex() != held.hash:
            found.append(Mismatch(TREE, f"Leaf {held.number} was changed.", match))
        fault = _check_history(connection, held)
        if fault is not None and match not in named:
            named.add(match)
            found.append(fault)
        expected = held.number + 1
        told(expected)
        yield hashed


def _check_history(connection: Connection, held: StoredLeaf) -> Mismatch | None:
    match, version, head = held.leaf
    if held.body is None:
        if events.find_head(connection, match) is None:
            return Mismatch(HISTORY, "The match has vanished.", match)
        detail = f"Event {version} was there when the checkpoint was made, and has vanished."
        return Mismatch(HISTORY, detail, match, version)
    if hash_bytes(held.body) != head:
        return Mismatch(HISTORY, _describe_rewriting(version), match, version)
    return None


def _describe_rewriting(version: int) -> str:
    return (
        f"Event {version}, or one before it, is another than when the checkpoint was made: the "
        "match was rewritten."
    )


def _report_other_tree(checkpoint: Checkpoint) -> Mismatch:
    return Mismatch(
        TREE,
        f"The tree's first {checkpoint.size} leaves are not those that were signed "
        f"on {checkpoint.at}.",
    )


def _check_signed(
    connection: Connection, checkpoint: Checkpoint, keys: Collection[Key] | None
) -> Iterator[Mismatch]:
    trusted = checkpoints.list_keys(connection) if keys is None else keys
    yield from check_signature(checkpoint, trusted)
    stored = checkpoints.find_by_size(connection, checkpoint.size)
    if stored is not None and stored.root != checkpoint.root:
        yield _report_two_trees(checkpoint)


def _report_two_trees(checkpoint: Checkpoint) -> Mismatch:
    return Mismatch(TREE, f"Two different trees of {checkpoint.size} leaves were signed.")
