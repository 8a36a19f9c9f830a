"""Signed checkpoints, the keys that signed them, and proofs: see docs/checkpoints.md."""

from __future__ import annotations

import re

from flask import Response
from marshmallow import Schema, validate

from services.checkpoints import documents
from services.checkpoints.documents import keys_json
from services.errors import NotFound
from services.store.checkpoints import CHECKPOINT, VERSION, Checkpoint
from web.api import fields
from web.api.operations import OPEN, Call, asks, gives, refuses, route
from web.api.paging import NumberedPageQuerySchema, answer_json_page, make_page_schema
from web.http.answers import FOR_ALL_FOREVER, SHARED, answer_json
from web.http.inputs import LARGEST, QuerySchema, read_whole


class _DocumentSchema(Schema):
    format_version = fields.whole(validate=validate.OneOf([VERSION]))


class InclusionQuerySchema(QuerySchema):
    """In which checkpoint's tree."""

    size = fields.WholeParameter("The checkpoint of this size; otherwise the newest one.", 1)


class ConsistencyQuerySchema(QuerySchema):
    """Of which two checkpoints."""

    from_ = fields.WholeParameter(
        "The size of the smaller checkpoint.", 1, data_key="from", required=True
    )
    to = fields.WholeParameter("The size of the bigger one; otherwise the newest.", 1)


class CheckpointSchema(_DocumentSchema):
    """A signed checkpoint."""

    format = fields.words("What this is.", CHECKPOINT)
    origin = fields.text("The name of the tree, the same for ever.")
    size = fields.whole("How many leaves the tree had.")
    root = fields.digest("The tree's root hash.")
    at = fields.instant("When it was signed.")
    key = fields.digest("The id of the key that signed: SHA-256 of its public key.")
    signature = fields.text(
        "Ed25519, over the canonical JSON of this object without `signature`.",
        like=r"^[0-9a-f]{128}$",
    )


class KeySchema(Schema):
    """A public key."""

    algorithm = fields.words("How it signs.", "ed25519")
    id = fields.digest("SHA-256 of the public key's 32 bytes.")
    public_key = fields.digest("The public key's 32 bytes, in hex.")
    valid_from = fields.instant("From when on it was the one that signs.")
    valid_until = fields.instant("Until when; null: it still is.", null=True)


class KeysSchema(_DocumentSchema):
    """All keys, the oldest first."""

    format = fields.words("What this is.", documents.KEYS)
    keys = fields.many(KeySchema)


class LeafSchema(Schema):
    """A leaf: a match's head at an instant."""

    match = fields.text("The match's id.")
    version = fields.whole("The last event that it had then.")
    head = fields.digest("That event's hash.")


class ProofSchema(_DocumentSchema):
    """The proof that a match's head is in a checkpoint's tree."""

    format = fields.words("What this is.", documents.PROOF)
    leaf = fields.part(LeafSchema)
    index = fields.whole("The leaf's place in the tree, from 0 on.")
    path = fields.many(fields.digest("A hash."))
    checkpoint = fields.part(CheckpointSchema)


class ConsistencySchema(_DocumentSchema):
    """The proof that one checkpoint's tree is that of an older one with leaves added."""

    format = fields.words("What this is.", documents.CONSISTENCY)
    older = fields.part(CheckpointSchema, data_key="from")
    to = fields.part(CheckpointSchema)
    path = fields.many(fields.digest("A hash."))


TAG = "Checkpoints"

_SIZE = re.compile(r"[1-9][0-9]*", re.ASCII)


@route("GET", "/checkpoints", TAG)
@asks(NumberedPageQuerySchema())
@gives(
    200,
    make_page_schema(CheckpointSchema, "checkpoints", "CheckpointList"),
    "A page of checkpoints, the newest first.",
)
def list_checkpoints(call: Call) -> Response:
    """List the signed checkpoints."""
    page = call.house.checkpoints.list_page(call.query["cursor"], call.query["limit"])
    return answer_json_page("checkpoints", page, Checkpoint.as_json, cache=SHARED)


@route("GET", "/checkpoints/latest", TAG)
@gives(200, CheckpointSchema(), "The newest checkpoint.")
@refuses("not-found")
def show_latest_checkpoint(call: Call) -> Response:
    """Show the newest checkpoint. Keep it, to hold the service to its past later."""
    return answer_json(call.house.checkpoints.get().as_json(), cache=SHARED)


@route("GET", "/checkpoints/<size>", TAG)
@gives(200, CheckpointSchema(), "The checkpoint; it never changes.")
def show_checkpoint(call: Call, size: str) -> Response:
    """Show the checkpoint of the tree of so many leaves."""
    found = call.house.checkpoints.get(_read_size(size))
    return answer_json(found.as_json(), cache=FOR_ALL_FOREVER)


@route("GET", "/keys", TAG)
@gives(200, KeysSchema(), "The public keys, the oldest first.")
def list_keys(call: Call) -> Response:
    """List the public keys that checkpoints were signed with, and when each was valid."""
    return answer_json(keys_json(call.house.signing_keys.list_all()), cache=SHARED)


@route("GET", "/matches/<match_id>/inclusion", TAG, OPEN)
@asks(InclusionQuerySchema())
@gives(200, ProofSchema(), "The leaf, its path and the checkpoint.")
def prove_inclusion(call: Call, match_id: str) -> Response:
    """Prove that a match's head is in the tree of a checkpoint.

    It is the match's newest head in there; the events after it came later.
    """
    proof = call.house.checkpoints.prove_inclusion(call.look, match_id, call.query["size"])
    return answer_json(proof.as_json(), version=proof.leaf.version)


@route("GET", "/consistency", TAG)
@asks(ConsistencyQuerySchema())
@gives(200, ConsistencySchema(), "Both checkpoints and the path.")
@refuses("not-found")
def prove_consistency(call: Call) -> Response:
    """Prove that a checkpoint's tree is that of an older one with leaves added."""
    proof = call.house.checkpoints.prove_consistency(call.query["from_"], call.query["to"])
    return answer_json(proof.as_json(), cache=SHARED)


def _read_size(text: str) -> int:
    if _SIZE.fullmatch(text) is None:
        raise NotFound("A checkpoint goes by the size of its tree, a whole number from 1 on.")
    size = read_whole(text)
    if size > LARGEST:
        raise NotFound("There is no checkpoint of that size: it is out of range.")
    return size
