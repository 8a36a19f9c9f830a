"""Signed checkpoints, their keys and proofs; docs/checkpoints.md says what they mean."""

from __future__ import annotations

from marshmallow import fields, validate

from services.checkpoints import documents
from services.lobby.lists import LIMIT, MOST
from web.api.fields import WholeParameter
from web.api.resources.events_of_schemas import HASH_FORM
from web.http.base import INSTANT_FORM, Query, Shown, instant, text, whole, words

SIGNATURE_FORM = r"^[0-9a-f]{128}$"


def _hash(meaning: str) -> fields.String:
    return fields.String(
        required=True,
        validate=validate.Regexp(HASH_FORM),
        metadata={"description": meaning},
    )


def _version() -> fields.Integer:
    return fields.Integer(required=True, strict=True, validate=validate.OneOf([documents.VERSION]))


class CheckpointsQuery(Query):
    """Which page."""

    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = WholeParameter(
        1, load_default=None, metadata={"description": "`next_cursor` of a page."}
    )


class InclusionQuery(Query):
    """In which checkpoint's tree."""

    size = WholeParameter(
        1,
        load_default=None,
        metadata={"description": "The checkpoint of this size; otherwise the newest one."},
    )


class ConsistencyQuery(Query):
    """Of which two checkpoints."""

    from_ = WholeParameter(
        1,
        data_key="from",
        required=True,
        error_messages={"required": "This is missing."},
        metadata={"description": "The size of the smaller checkpoint."},
    )
    to = WholeParameter(
        1,
        load_default=None,
        metadata={"description": "The size of the bigger one; otherwise the newest."},
    )


class Checkpoint(Shown):
    """A signed checkpoint."""

    format = words("What this is.", documents.CHECKPOINT)
    format_version = _version()
    origin = text("The name of the tree, the same for ever.")
    size = whole("How many leaves the tree had.")
    root = _hash("The tree's root hash.")
    at = instant("When it was signed.")
    key = _hash("The id of the key that signed: SHA-256 of its public key.")
    signature = fields.String(
        required=True,
        validate=validate.Regexp(SIGNATURE_FORM),
        metadata={
            "description": "Ed25519, over the canonical JSON of this object without `signature`."
        },
    )


class CheckpointList(Shown):
    """A page of checkpoints, the newest first."""

    checkpoints = fields.List(fields.Nested(Checkpoint), required=True)
    next_cursor = text("Give it as `cursor` for the next page; null: that was all.", null=True)


class Key(Shown):
    """A public key."""

    algorithm = words("How it signs.", "ed25519")
    id = _hash("SHA-256 of the public key's 32 bytes.")
    public_key = _hash("The public key's 32 bytes, in hex.")
    valid_from = instant("From when on it was the one that signs.")
    valid_until = fields.String(
        required=True,
        allow_none=True,
        validate=validate.Regexp(INSTANT_FORM),
        metadata={"description": "Until when; null: it still is."},
    )


class Keys(Shown):
    """All keys, the oldest first."""

    format = words("What this is.", documents.KEYS)
    format_version = _version()
    keys = fields.List(fields.Nested(Key), required=True)


class Leaf(Shown):
    """A leaf: a match's head at an instant."""

    match = text("The match's id.")
    version = whole("The last event that it had then.")
    head = _hash("That event's hash.")


class Proof(Shown):
    """The proof that a match's head is in a checkpoint's tree."""

    format = words("What this is.", documents.PROOF)
    format_version = _version()
    leaf = fields.Nested(Leaf, required=True)
    index = whole("The leaf's place in the tree, from 0 on.")
    path = fields.List(_hash("A hash."), required=True)
    checkpoint = fields.Nested(Checkpoint, required=True)


class Consistency(Shown):
    """The proof that one checkpoint's tree is that of an older one with leaves added."""

    format = words("What this is.", documents.CONSISTENCY)
    format_version = _version()
    older = fields.Nested(Checkpoint, required=True, data_key="from")
    to = fields.Nested(Checkpoint, required=True)
    path = fields.List(_hash("A hash."), required=True)
