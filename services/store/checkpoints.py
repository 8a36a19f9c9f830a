"""The tree over all matches' heads, its signed checkpoints, and their keys, as they are stored.

A leaf is a match's head at an instant. Neither leaves nor checkpoints nor keys ever change:
triggers in the migrations see to that. Nodes follow from the leaves. There is no further state:
where the next leaves go on in the feed of all events stands beside the last leaf.

Nobody loads the tree whole. Adding leaves and proving something both read about as many nodes as
the tree is high.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.errors import Corruption
from domain.json_types import JsonObject
from domain.log import merkle
from domain.log.event_format import write_canonical
from domain.log.merkle import LeafSpan, NodePlace
from services.store.db import engine
from services.store.db.engine import (
    fetch,
    fetch_all,
    fetch_among,
    fetch_first,
    format_rows,
    insert_rows,
    run,
)
from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, POSITION, metadata
from services.store.log import feed


class Key(NamedTuple):
    """A public key (32 bytes in hex), and when it was the one that signs (None: still is)."""

    id: str
    public_key: str
    valid_from: str
    valid_until: str | None


class Checkpoint(NamedTuple):
    """The tree's first ``size`` leaves have the root ``root``: so says the key ``key``.

    ``root`` and ``signature`` are in hex, ``key`` is the id of a key.
    """

    origin: str
    size: int
    root: str
    at: str
    key: str
    signature: str = ""

    def dump_for_signing(self) -> bytes:
        """Return the bytes that the signature is over."""
        document = self.as_json()
        del document["signature"]
        return write_canonical(document)

    def as_json(self) -> JsonObject:
        """Return the document; its canonical JSON without ``signature`` is what is signed."""
        return {"format": CHECKPOINT, "format_version": VERSION, **self._asdict()}


CHECKPOINT = "plybook/checkpoint"
VERSION = 1
"""Of all documents about checkpoints."""

_COLUMNS = 'origin, size, root, "at", "key", signature'


def list_keys(connection: Connection) -> list[Key]:
    """Return all keys, the oldest first; each ends where the next one begins."""
    sql = (
        "SELECT id, public_key, valid_from, lead(valid_from) OVER (ORDER BY number) "
        "FROM signing_keys ORDER BY number"
    )
    return fetch_all(connection, Key, sql)


def add_key(connection: Connection, key: Key) -> None:
    """Add a key, behind all that there are."""
    sql = (
        "INSERT INTO signing_keys (number, id, public_key, valid_from) "
        "SELECT count(*) + 1, ?, ?, ? FROM signing_keys"
    )
    run(connection, sql, key[:3])


def find_latest(connection: Connection) -> Checkpoint | None:
    """Return the newest checkpoint, or None."""
    return next(iter(list_page(connection, None, 1)), None)


def find_by_size(connection: Connection, size: int) -> Checkpoint | None:
    """Return the checkpoint of a tree of ``size`` leaves, or None."""
    sql = f"SELECT {_COLUMNS} FROM checkpoints WHERE size = ?"  # noqa: S608 - our text
    return fetch_first(connection, Checkpoint, sql, [size])


def list_page(connection: Connection, below: int | None, limit: int) -> list[Checkpoint]:
    """Return the newest checkpoints of trees smaller than ``below``, the biggest first."""
    where, values = ("", [limit]) if below is None else ("WHERE size < ?", [below, limit])
    sql = f"SELECT {_COLUMNS} FROM checkpoints {where} ORDER BY size DESC LIMIT ?"  # noqa: S608
    return fetch_all(connection, Checkpoint, sql, values)


def add(connection: Connection, checkpoint: Checkpoint) -> None:
    """Add a checkpoint."""
    insert_rows(connection, f"INSERT INTO checkpoints ({_COLUMNS}) VALUES {{}}", [checkpoint])  # noqa: S608


_LOCK = 0x706C7963
"""PostgreSQL's lock of whoever adds leaves or signs: a number of ours."""

LEAVES_AT_ONCE = 500
"""Leaves of one transaction: on SQLite a move may have to wait for it."""


class Leaf(NamedTuple):
    """A match's head at an instant: the last event that it had then, and that event's hash."""

    match: str
    version: int
    head: str

    def hash(self) -> bytes:
        """Return the leaf's hash in the tree: that of the canonical bytes of its members."""
        return merkle.hash_leaf(write_canonical(self._asdict()))


class Overtaken(Exception):
    """Somebody else has added leaves since; the transaction is lost, so look again."""


class TreeEnd(NamedTuple):
    """How far the tree has come: its leaves, and where the feed of all events goes on."""

    size: int
    cursor: str


def get_end(connection: Connection) -> TreeEnd:
    """Return how far the tree has come."""
    sql = "SELECT number + 1, cursor FROM checkpoint_leaves ORDER BY number DESC LIMIT 1"
    return fetch_first(connection, TreeEnd, sql) or TreeEnd(0, feed.START)


def take_turns(connection: Connection) -> None:
    """Let those who write to the tree do so one after the other, until their transaction ends."""
    engine.take_turns(connection, _LOCK)


def append(connection: Connection, known: TreeEnd, leaves: Sequence[Leaf], cursor: str) -> None:
    """Add leaves, found in the feed from ``known`` up to ``cursor``.

    Raises ``Overtaken`` if ``known`` is not the end of the tree any more.
    """
    take_turns(connection)
    if get_end(connection) != known:
        raise Overtaken
    frontier = _find_nodes(connection, merkle.cover(LeafSpan(0, known.size)))
    hashes = [leaf.hash() for leaf in leaves]
    values = [
        (number, *leaf, hashed.hex(), cursor)
        for number, (leaf, hashed) in enumerate(zip(leaves, hashes, strict=True), known.size)
    ]
    columns = 'number, "match", version, head, hash, cursor'
    insert_rows(connection, f"INSERT INTO checkpoint_leaves ({columns}) VALUES {{}}", values)  # noqa: S608
    nodes = merkle.grow(known.size, hashes, frontier.__getitem__)
    above = sorted((*place, hashed.hex()) for place, hashed in nodes if place.level)
    insert_rows(connection, "INSERT INTO checkpoint_nodes (level, number, hash) VALUES {}", above)


def hash_spans(connection: Connection, spans: Sequence[LeafSpan]) -> list[bytes]:
    """Return the hash of each span of leaves, from one look at the stored nodes."""
    covers = [merkle.cover(span) for span in spans]
    found = _find_nodes(connection, {place for places in covers for place in places})
    return [merkle.hash_span([found[place] for place in places]) for places in covers]


def _find_nodes(connection: Connection, places: Iterable[NodePlace]) -> dict[NodePlace, bytes]:
    """Return the hashes of full nodes. Raises ``KeyError`` later, for one that is missing."""
    wanted = list(places)
    found: dict[NodePlace, bytes] = {}
    leaves = [place.number for place in wanted if not place.level]
    sql = "SELECT number, hash FROM checkpoint_leaves WHERE number IN ({})"
    for number, hashed in fetch_among(connection, sql, leaves):
        found[NodePlace(0, number)] = bytes.fromhex(hashed)
    above = [place for place in wanted if place.level]
    if above:
        each = " OR ".join(["level = ? AND number = ?"] * len(above))
        sql = f"SELECT level, number, hash FROM checkpoint_nodes WHERE {each}"  # noqa: S608
        values = [value for place in above for value in place]
        found |= {
            NodePlace(row[0], row[1]): bytes.fromhex(row[2])
            for row in fetch(connection, sql, values)
        }
    return found


def list_leaves(connection: Connection, number: int, limit: int) -> list[Leaf]:
    """Return at most so many leaves from a number on.

    Raises ``Corruption`` where one is missing.
    """
    sql = (
        'SELECT number, "match", version, head FROM checkpoint_leaves '
        "WHERE number >= ? ORDER BY number LIMIT ?"
    )
    found = fetch(connection, sql, [number, limit])
    for expected, row in enumerate(found, number):
        if row[0] != expected:
            raise Corruption(f"leaf {expected} of the tree of checkpoints is missing")
    return [Leaf(*row[1:]) for row in found]


def replace_nodes(connection: Connection, nodes: Sequence[tuple[NodePlace, bytes]]) -> int:
    """Make nodes above the leaves what they are to be; return how many were not, or missing."""
    changed = 0
    for first in range(0, len(nodes), LEAVES_AT_ONCE):
        some = nodes[first : first + LEAVES_AT_ONCE]
        values = [value for place, hashed in some for value in (*place, hashed.hex())]
        changed += run(connection, _REPLACE.format(format_rows(len(some), 3)), values).rowcount
    return changed


def remove_nodes_beyond(connection: Connection, size: int) -> int:
    """Remove what cannot be a full node above ``size`` leaves; return how many these were."""
    sql = "SELECT DISTINCT level FROM checkpoint_nodes"
    return sum(
        run(connection, _BEYOND, [level, size >> level]).rowcount
        for level in fetch_all(connection, int, sql)
    )


def count_nodes(connection: Connection) -> int:
    """Return how many nodes above the leaves are stored."""
    return fetch_first(connection, int, "SELECT count(*) FROM checkpoint_nodes") or 0


def list_wrong_nodes(connection: Connection, places: Sequence[NodePlace]) -> list[NodePlace]:
    """Return which of these nodes above the leaves are not what their children make them."""
    children = {place: merkle.list_children(place) for place in places}
    wanted = sorted({*places, *chain.from_iterable(children.values())})
    found = dict[NodePlace, bytes]()
    for first in range(0, len(wanted), LEAVES_AT_ONCE // 2):
        found |= _find_nodes(connection, wanted[first : first + LEAVES_AT_ONCE // 2])

    def is_right(place: NodePlace) -> bool:
        below = [found[child] for child in children[place] if child in found]
        return len(below) == len(children[place]) and found.get(place) == merkle.hash_node(*below)

    return [place for place in places if not is_right(place)]


_REPLACE = """
INSERT INTO checkpoint_nodes (level, number, hash) VALUES {}
ON CONFLICT (level, number) DO UPDATE SET hash = excluded.hash
WHERE checkpoint_nodes.hash <> excluded.hash
"""
_BEYOND = "DELETE FROM checkpoint_nodes WHERE level = ? AND number >= ?"


def find_newest_leaf(
    connection: Connection, match: str, size: int, version: int
) -> tuple[int, Leaf] | None:
    """Return a match's last leaf within a tree of ``size`` leaves, and its index.

    Only leaves that speak of no event after ``version`` are looked at.
    """
    sql = (
        'SELECT number, "match", version, head FROM checkpoint_leaves '
        'WHERE "match" = ? AND number < ? AND version <= ? ORDER BY number DESC LIMIT 1'
    )
    values = [match, size, version]
    return fetch_first(connection, lambda number, *leaf: (number, Leaf(*leaf)), sql, values)


class StoredLeaf(NamedTuple):
    """A leaf, its stored hash, and the stored event that it speaks of (None: there is none)."""

    number: int
    leaf: Leaf
    hash: str
    body: bytes | None


def iter_leaves(connection: Connection, size: int) -> Iterator[StoredLeaf]:
    """Yield the first ``size`` leaves in order, each beside the event that it speaks of."""
    sql = (
        'SELECT l.number, l."match", l.version, l.head, l.hash, e.body FROM checkpoint_leaves l '
        'LEFT JOIN events e ON e."match" = l."match" AND e.version = l.version '
        "WHERE l.number > ? AND l.number < ? ORDER BY l.number LIMIT 1000"
    )
    last = -1
    while found := fetch(connection, sql, [last, size]):
        for number, match, version, head, hashed, body in found:
            yield StoredLeaf(number, Leaf(match, version, head), hashed, body)
        last = found[-1][0]


def find_body(connection: Connection, leaf: Leaf) -> bytes | None:
    """Return the stored bytes of the event that a leaf speaks of; None: there is none."""
    sql = 'SELECT body FROM events WHERE "match" = ? AND version = ?'
    return fetch_first(connection, bytes, sql, [leaf.match, leaf.version])


SIGNATURE_DIGITS = 128

checkpoint_leaves = sa.Table(
    "checkpoint_leaves",
    metadata,
    sa.Column("number", POSITION, primary_key=True, autoincrement=False),
    sa.Column("match", MATCH_ID, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("head", DIGEST, nullable=False),
    sa.Column("hash", DIGEST, nullable=False),
    sa.Column("cursor", sa.String(48), nullable=False),
    sa.CheckConstraint("version >= 1", name="version"),
    sa.CheckConstraint("length(head) = 64", name="head"),
    sa.CheckConstraint("length(hash) = 64", name="hash"),
    sa.Index(None, "match", "number"),
)
"""Leaves from 0 on. ``hash``: the leaf's in the tree. ``cursor``: see ``feed``."""

checkpoint_nodes = sa.Table(
    "checkpoint_nodes",
    metadata,
    sa.Column("level", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", POSITION, primary_key=True, autoincrement=False),
    sa.Column("hash", DIGEST, nullable=False),
    sa.CheckConstraint("level >= 1", name="level"),
    sa.CheckConstraint("length(hash) = 64", name="hash"),
)
"""The full nodes above the leaves, by their place (see ``domain.log.merkle``). A cache."""

signing_keys = sa.Table(
    "signing_keys",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("id", DIGEST, nullable=False, unique=True),
    sa.Column("public_key", DIGEST, nullable=False),
    sa.Column("valid_from", INSTANT, nullable=False),
    sa.CheckConstraint("length(public_key) = 64", name="public_key"),
)
"""Public keys (Ed25519, in hex) from 1 on; each is valid until the next one begins."""

checkpoints = sa.Table(
    "checkpoints",
    metadata,
    sa.Column("size", POSITION, primary_key=True, autoincrement=False),
    sa.Column("origin", sa.String(80), nullable=False),
    sa.Column("root", DIGEST, nullable=False),
    sa.Column("at", INSTANT, nullable=False),
    sa.Column("key", DIGEST, sa.ForeignKey("signing_keys.id"), nullable=False),
    sa.Column("signature", sa.String(SIGNATURE_DIGITS), nullable=False),
    sa.CheckConstraint("size >= 1", name="size"),
    sa.CheckConstraint("length(root) = 64", name="root"),
    sa.CheckConstraint(f"length(signature) = {SIGNATURE_DIGITS}", name="signature"),
)
"""What was signed: the tree's first ``size`` leaves have this ``root``."""
