"""The documents about checkpoints, version 1: what they say, and how they are read.

docs/checkpoints.md describes them for others, and docs/schemas has them as JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import orjson

from domain.json_types import Json, JsonObject
from domain.match.clock import INSTANT
from services.errors import InvalidRequest
from services.store.checkpoints import CHECKPOINT, VERSION, Checkpoint, Key, Leaf

PROOF, CONSISTENCY, KEYS = "plybook/proof", "plybook/consistency", "plybook/keys"

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
LARGEST = 2**53 - 1

_FORMS: Mapping[str, re.Pattern[str] | int] = {
    "origin": re.compile(r"[\x21-\x7e]{1,80}", re.ASCII),
    "size": 1,
    "root": _HASH,
    "at": INSTANT,
    "key": _HASH,
    "signature": re.compile(r"[0-9a-f]{128}", re.ASCII),
    "match": re.compile(r"[0-9a-z]{16}", re.ASCII),
    "version": 1,
    "head": _HASH,
    "index": 0,
    "id": _HASH,
    "public_key": _HASH,
    "valid_from": INSTANT,
    "valid_until": INSTANT,
}
"""The form of each member: of a text, or the least that a whole number may be."""


class UnreadableDocument(InvalidRequest):
    """A document is not of its form; the text says which, and what is wrong."""


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
            "leaf": self.leaf._asdict(),
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


def hash_key(public_key: str) -> str:
    """Return the id of a public key: SHA-256 of its 32 bytes, in hex."""
    return sha256(bytes.fromhex(public_key)).hexdigest()


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
    return _read_object(value, what)


def read_checkpoint(value: Json) -> Checkpoint:
    """Return the checkpoint of a JSON value. Raises ``UnreadableDocument``."""
    given = _check_format(value, CHECKPOINT, "checkpoint", set(Checkpoint._fields))
    return Checkpoint._make(_read_member(given, name) for name in Checkpoint._fields)


def read_proof(value: Json) -> Proof:
    """Return the proof of a JSON value. Raises ``UnreadableDocument``."""
    given = _check_format(value, PROOF, "proof", {"leaf", "index", "path", "checkpoint"})
    leaf = _read_object(given["leaf"], "leaf")
    if set(leaf) != set(Leaf._fields):
        raise UnreadableDocument("A leaf has exactly these members: match, version, head.")
    return Proof(
        Leaf._make(_read_member(leaf, name) for name in Leaf._fields),
        _read_member(given, "index"),
        _read_path(given),
        read_checkpoint(given["checkpoint"]),
    )


def read_consistency(value: Json) -> Consistency:
    """Return the proof of consistency of a JSON value. Raises ``UnreadableDocument``."""
    given = _check_format(value, CONSISTENCY, "proof of consistency", {"from", "to", "path"})
    return Consistency(
        read_checkpoint(given["from"]), read_checkpoint(given["to"]), _read_path(given)
    )


def read_keys(value: Json) -> list[Key]:
    """Return the keys of a JSON value. Raises ``UnreadableDocument``."""
    given = _check_format(value, KEYS, "list of keys", {"keys"})
    if not isinstance(given["keys"], list) or not given["keys"]:
        raise UnreadableDocument("This list of keys has none in it.")
    return [_read_key(_read_object(one, "key")) for one in given["keys"]]


def _read_key(given: JsonObject) -> Key:
    if set(given) != {*Key._fields, "algorithm"} or given["algorithm"] != "ed25519":
        raise UnreadableDocument(
            f"A key has exactly these members: algorithm (ed25519), {', '.join(Key._fields)}."
        )
    valid = [name for name in Key._fields if name != "valid_until" or given[name] is not None]
    key = Key(**{"valid_until": None, **{name: _read_member(given, name) for name in valid}})
    if key.id != hash_key(key.public_key):
        raise UnreadableDocument(f"The key {key.id[:16]} is not called as its public key asks.")
    return key


def _check_format(value: Json, name: str, what: str, members: set[str]) -> JsonObject:
    given = _read_object(value, what)
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


def _read_object(value: Json, what: str) -> JsonObject:
    if not isinstance(value, dict):
        raise UnreadableDocument(f"A {what} is a JSON object.")
    return value


def _read_member(given: JsonObject, name: str) -> Json:
    value, form = given[name], _FORMS[name]
    if isinstance(form, int):
        if type(value) is not int or not form <= value <= LARGEST:
            raise UnreadableDocument(f'"{name}" is no whole number from {form} on.')
    elif not isinstance(value, str) or form.fullmatch(value) is None:
        raise UnreadableDocument(f'"{name}" is not of the form that it has to have.')
    return value


def _read_path(given: JsonObject) -> tuple[str, ...]:
    path = given["path"]
    if not isinstance(path, list) or not all(
        isinstance(one, str) and _HASH.fullmatch(one) for one in path
    ):
        raise UnreadableDocument('"path" is no list of hashes.')
    return tuple(path)
