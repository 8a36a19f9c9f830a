"""The documents about checkpoints, version 1: what they say, and how they are read.

docs/checkpoints.md describes them for others, and docs/schemas has them as JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import NamedTuple

import orjson

from domain.json_types import Json, JsonObject
from domain.log.event_format import canonical
from services.errors import InvalidRequest
from services.store.checkpoints import CheckpointRow, KeyRow, Leaf

CHECKPOINT, PROOF, CONSISTENCY, KEYS = (
    "plybook/checkpoint",
    "plybook/proof",
    "plybook/consistency",
    "plybook/keys",
)
VERSION = 1

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SIGNATURE = re.compile(r"[0-9a-f]{128}", re.ASCII)
_INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z", re.ASCII)
_MATCH = re.compile(r"[0-9a-z]{16}", re.ASCII)
_TEXT = re.compile(r"[\x21-\x7e]{1,80}", re.ASCII)
LARGEST = 2**53 - 1


class UnreadableDocument(InvalidRequest):
    """A document is not of its form; the text says which, and what is wrong."""


class Checkpoint(NamedTuple):
    """The tree's first ``size`` leaves have the root ``root``: so says the key ``key``."""

    origin: str
    size: int
    root: str
    at: str
    key: str
    signature: str = ""

    def signed(self) -> bytes:
        """Return the bytes that the signature is over."""
        document = self.as_json()
        del document["signature"]
        return canonical(document)

    def as_json(self) -> JsonObject:
        """Return the document; its canonical JSON without ``signature`` is what is signed."""
        return {"format": CHECKPOINT, "format_version": VERSION, **self._asdict()}


class Key(NamedTuple):
    """A public key (32 bytes in hex), and when it was the one that signs (None: still is)."""

    id: str
    public_key: str
    valid_from: str
    valid_until: str | None


class Proof(NamedTuple):
    """Proves that a leaf is in the tree of a checkpoint, as the leaf ``number`` from 0 on."""

    leaf: Leaf
    number: int
    path: tuple[str, ...]
    checkpoint: Checkpoint

    def as_json(self) -> JsonObject:
        """Return the document."""
        return {
            "format": PROOF,
            "format_version": VERSION,
            "leaf": self.leaf.as_json(),
            "index": self.number,
            "path": list(self.path),
            "checkpoint": self.checkpoint.as_json(),
        }


class Consistency(NamedTuple):
    """Proves that the tree of the newer checkpoint is that of the older with leaves added."""

    older: Checkpoint
    newer: Checkpoint
    path: tuple[str, ...]

    def as_json(self) -> JsonObject:
        """Return the document."""
        return {
            "format": CONSISTENCY,
            "format_version": VERSION,
            "from": self.older.as_json(),
            "to": self.newer.as_json(),
            "path": list(self.path),
        }


def key_id(public_key: str) -> str:
    """Return the id of a public key: SHA-256 of its 32 bytes, in hex."""
    return sha256(bytes.fromhex(public_key)).hexdigest()


def checkpoint_of(row: CheckpointRow) -> Checkpoint:
    """Return a stored checkpoint."""
    return Checkpoint(row.origin, row.size, row.root, row.at, row.key, row.signature)


def keys_of(rows: Sequence[KeyRow]) -> list[Key]:
    """Return stored keys, the oldest first; each ends where the next one begins."""
    ends = [row.valid_from for row in rows[1:]]
    return [
        Key(row.id, row.public_key, row.valid_from, until) for row, until in zip_longest(rows, ends)
    ]


def keys_json(keys: Sequence[Key]) -> JsonObject:
    """Return the document of keys, the oldest first."""
    return {
        "format": KEYS,
        "format_version": VERSION,
        "keys": [{**key._asdict(), "algorithm": "ed25519"} for key in keys],
    }


def read_json(text: bytes, what: str) -> JsonObject:
    """Return the JSON object of a file. Raises ``UnreadableDocument``; ``what``: of what."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UnreadableDocument(f"This {what} is no JSON: {error}.") from None
    return _object(value, what)


def read_checkpoint(value: Json) -> Checkpoint:
    """Return the checkpoint of a JSON value. Raises ``UnreadableDocument``."""
    given = _of_format(value, CHECKPOINT, "checkpoint", set(Checkpoint._fields))
    return Checkpoint(
        _matching(given, "origin", _TEXT),
        _whole(given, "size", 1),
        _matching(given, "root", _HASH),
        _matching(given, "at", _INSTANT),
        _matching(given, "key", _HASH),
        _matching(given, "signature", _SIGNATURE),
    )


def read_proof(value: Json) -> Proof:
    """Return the proof of a JSON value. Raises ``UnreadableDocument``."""
    given = _of_format(value, PROOF, "proof", {"leaf", "index", "path", "checkpoint"})
    leaf = _object(given["leaf"], "leaf")
    if set(leaf) != set(Leaf._fields):
        raise UnreadableDocument("A leaf has exactly these members: match, version, head.")
    return Proof(
        Leaf(_matching(leaf, "match", _MATCH), _whole(leaf, "version", 1), _head(leaf)),
        _whole(given, "index", 0),
        _path(given),
        read_checkpoint(given["checkpoint"]),
    )


def read_consistency(value: Json) -> Consistency:
    """Return the proof of consistency of a JSON value. Raises ``UnreadableDocument``."""
    given = _of_format(value, CONSISTENCY, "proof of consistency", {"from", "to", "path"})
    return Consistency(read_checkpoint(given["from"]), read_checkpoint(given["to"]), _path(given))


def read_keys(value: Json) -> list[Key]:
    """Return the keys of a JSON value. Raises ``UnreadableDocument``."""
    given = _of_format(value, KEYS, "list of keys", {"keys"})
    if not isinstance(given["keys"], list) or not given["keys"]:
        raise UnreadableDocument("This list of keys has none in it.")
    return [_key(_object(one, "key")) for one in given["keys"]]


def _key(given: JsonObject) -> Key:
    if set(given) != {*Key._fields, "algorithm"} or given["algorithm"] != "ed25519":
        raise UnreadableDocument(
            f"A key has exactly these members: algorithm (ed25519), {', '.join(Key._fields)}."
        )
    until = None if given["valid_until"] is None else _matching(given, "valid_until", _INSTANT)
    key = Key(
        _matching(given, "id", _HASH),
        _matching(given, "public_key", _HASH),
        _matching(given, "valid_from", _INSTANT),
        until,
    )
    if key.id != key_id(key.public_key):
        raise UnreadableDocument(f"The key {key.id[:16]} is not called as its public key asks.")
    return key


def _of_format(value: Json, name: str, what: str, members: set[str]) -> JsonObject:
    given = _object(value, what)
    if given.get("format") != name:
        raise UnreadableDocument(f'This is no {what}: its "format" is not "{name}".')
    if given.get("format_version") != VERSION:
        raise UnreadableDocument(f"This {what} is of a version that this release does not know.")
    if set(given) != members | {"format", "format_version"}:
        raise UnreadableDocument(
            f"A {what} has exactly these members: format, format_version, "
            f"{', '.join(sorted(members))}."
        )
    return given


def _object(value: Json, what: str) -> JsonObject:
    if not isinstance(value, dict):
        raise UnreadableDocument(f"A {what} is a JSON object.")
    return value


def _matching(given: Mapping[str, Json], name: str, form: re.Pattern[str]) -> str:
    value = given[name]
    if not isinstance(value, str) or form.fullmatch(value) is None:
        raise UnreadableDocument(f'"{name}" is not of the form that it has to have.')
    return value


def _head(given: Mapping[str, Json]) -> str:
    return _matching(given, "head", _HASH)


def _whole(given: Mapping[str, Json], name: str, least: int) -> int:
    value = given[name]
    if type(value) is not int or not least <= value <= LARGEST:
        raise UnreadableDocument(f'"{name}" is no whole number from {least} on.')
    return value


def _path(given: Mapping[str, Json]) -> tuple[str, ...]:
    path = given["path"]
    if not isinstance(path, list) or not all(
        isinstance(one, str) and _HASH.fullmatch(one) for one in path
    ):
        raise UnreadableDocument('"path" is no list of hashes.')
    return tuple(path)
