"""Signed checkpoints, the keys that signed them, and proofs: see docs/checkpoints.md."""

from __future__ import annotations

import re

from flask import Response
from marshmallow import fields, validate

from services.accounts.accounts import READ
from services.checkpoints import documents
from services.checkpoints.documents import keys_json
from services.errors import NotFound
from services.lobby.lists import LIMIT, MOST
from web.api.fields import WholeParameter
from web.api.operations import Call, a_match, about, asks, gives, open_to_all, refuses, route
from web.api.resources.events import HASH_FORM
from web.http.answers import FOR_ALL_FOREVER, SHARED, json_answer, next_link
from web.http.inputs import (
    INSTANT_FORM,
    LARGEST,
    AnswerSchema,
    QuerySchema,
    instant,
    read_whole,
    text,
    whole_field,
    words,
)

SIGNATURE_FORM = r"^[0-9a-f]{128}$"


def _hash(meaning: str) -> fields.String:
    return fields.String(
        required=True,
        validate=validate.Regexp(HASH_FORM),
        metadata={"description": meaning},
    )


def _version() -> fields.Integer:
    return fields.Integer(required=True, strict=True, validate=validate.OneOf([documents.VERSION]))


class CheckpointsQuerySchema(QuerySchema):
    """Which page."""

    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = WholeParameter(
        1, load_default=None, metadata={"description": "`next_cursor` of a page."}
    )


class InclusionQuerySchema(QuerySchema):
    """In which checkpoint's tree."""

    size = WholeParameter(
        1,
        load_default=None,
        metadata={"description": "The checkpoint of this size; otherwise the newest one."},
    )


class ConsistencyQuerySchema(QuerySchema):
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


class CheckpointSchema(AnswerSchema):
    """A signed checkpoint."""

    format = words("What this is.", documents.CHECKPOINT)
    format_version = _version()
    origin = text("The name of the tree, the same for ever.")
    size = whole_field("How many leaves the tree had.")
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


class CheckpointListSchema(AnswerSchema):
    """A page of checkpoints, the newest first."""

    checkpoints = fields.List(fields.Nested(CheckpointSchema), required=True)
    next_cursor = text("Give it as `cursor` for the next page; null: that was all.", null=True)


class KeySchema(AnswerSchema):
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


class KeysSchema(AnswerSchema):
    """All keys, the oldest first."""

    format = words("What this is.", documents.KEYS)
    format_version = _version()
    keys = fields.List(fields.Nested(KeySchema), required=True)


class LeafSchema(AnswerSchema):
    """A leaf: a match's head at an instant."""

    match = text("The match's id.")
    version = whole_field("The last event that it had then.")
    head = _hash("That event's hash.")


class ProofSchema(AnswerSchema):
    """The proof that a match's head is in a checkpoint's tree."""

    format = words("What this is.", documents.PROOF)
    format_version = _version()
    leaf = fields.Nested(LeafSchema, required=True)
    index = whole_field("The leaf's place in the tree, from 0 on.")
    path = fields.List(_hash("A hash."), required=True)
    checkpoint = fields.Nested(CheckpointSchema, required=True)


class ConsistencySchema(AnswerSchema):
    """The proof that one checkpoint's tree is that of an older one with leaves added."""

    format = words("What this is.", documents.CONSISTENCY)
    format_version = _version()
    older = fields.Nested(CheckpointSchema, required=True, data_key="from")
    to = fields.Nested(CheckpointSchema, required=True)
    path = fields.List(_hash("A hash."), required=True)


TAG = "Checkpoints"

_SIZE = re.compile(r"[1-9][0-9]*", re.ASCII)


@route("GET", "/checkpoints", TAG)
@asks(CheckpointsQuerySchema())
@gives(
    200,
    CheckpointListSchema(),
    "A page of checkpoints, the newest first.",
    headers=("ETag", "Link"),
)
def list_checkpoints(call: Call) -> Response:
    """List the signed checkpoints."""
    page = call.house.checkpoints.page(call.query["cursor"], call.query["limit"])
    following = None if page.following is None else str(page.following)
    shown = {
        "checkpoints": [one.as_json() for one in page.checkpoints],
        "next_cursor": following,
    }
    answer = json_answer(shown, cache=SHARED)
    if following is not None:
        answer.headers["Link"] = next_link(cursor=following)
    return answer


@route("GET", "/checkpoints/latest", TAG)
@gives(200, CheckpointSchema(), "The newest checkpoint.", headers=("ETag",))
@refuses("not-found")
def show_latest_checkpoint(call: Call) -> Response:
    """Show the newest checkpoint. Keep it, to hold the service to its past later."""
    return json_answer(call.house.checkpoints.latest().as_json(), cache=SHARED)


@route("GET", "/checkpoints/<size>", TAG)
@gives(200, CheckpointSchema(), "The checkpoint; it never changes.", headers=("ETag",))
@refuses("not-found")
def show_checkpoint(call: Call, size: str) -> Response:
    """Show the checkpoint of the tree of so many leaves."""
    found = call.house.checkpoints.of_size(_size(size))
    return json_answer(found.as_json(), cache=FOR_ALL_FOREVER)


@route("GET", "/keys", TAG)
@gives(200, KeysSchema(), "The public keys, the oldest first.", headers=("ETag",))
def list_keys(call: Call) -> Response:
    """List the public keys that checkpoints were signed with, and when each was valid."""
    return json_answer(keys_json(call.house.checkpoints.keys()), cache=SHARED)


@route("GET", "/matches/<match_id>/inclusion", TAG)
@open_to_all(READ)
@about(a_match)
@asks(InclusionQuerySchema())
@gives(200, ProofSchema(), "The leaf, its path and the checkpoint.", headers=("ETag",))
@refuses("not-found")
def prove_inclusion(call: Call, match_id: str) -> Response:
    """Prove that a match's head is in the tree of a checkpoint.

    It is the match's newest head in there; the events after it came later.
    """
    proof = call.house.checkpoints.inclusion(call.look, match_id, call.query["size"])
    return json_answer(proof.as_json(), version=proof.leaf.version)


@route("GET", "/consistency", TAG)
@asks(ConsistencyQuerySchema())
@gives(200, ConsistencySchema(), "Both checkpoints and the path.", headers=("ETag",))
@refuses("not-found")
def prove_consistency(call: Call) -> Response:
    """Prove that a checkpoint's tree is that of an older one with leaves added."""
    proof = call.house.checkpoints.consistency(call.query["from_"], call.query["to"])
    return json_answer(proof.as_json(), cache=SHARED)


def _size(text: str) -> int:
    if _SIZE.fullmatch(text) is None:
        raise NotFound("A checkpoint goes by the size of its tree, a whole number from 1 on.")
    size = read_whole(text)
    if size > LARGEST:
        raise NotFound("There is no checkpoint of that size: it is out of range.")
    return size
