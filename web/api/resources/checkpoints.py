"""Signed checkpoints, the keys that signed them, and proofs."""

from __future__ import annotations

import re

from flask import Response

from services.accounts.accounts import READ
from services.checkpoints.documents import keys_json
from services.errors import NotFound
from web.api.fields import LARGEST
from web.api.operations import Call, a_match, about, asks, gives, open_to_all, refuses, route
from web.api.resources import checkpoints_of_schemas as checkpoints
from web.http.answers import FOR_ALL_FOREVER, SHARED, json_answer, next_link
from web.http.wholes import whole

TAG = "Checkpoints"

_SIZE = re.compile(r"[1-9][0-9]*", re.ASCII)


@route("GET", "/checkpoints", TAG)
@asks(checkpoints.CheckpointsQuery())
@gives(
    200,
    checkpoints.CheckpointList(),
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
@gives(200, checkpoints.Checkpoint(), "The newest checkpoint.", headers=("ETag",))
@refuses("not-found")
def show_latest_checkpoint(call: Call) -> Response:
    """Show the newest checkpoint. Keep it, to hold the service to its past later."""
    return json_answer(call.house.checkpoints.latest().as_json(), cache=SHARED)


@route("GET", "/checkpoints/<size>", TAG)
@gives(200, checkpoints.Checkpoint(), "The checkpoint; it never changes.", headers=("ETag",))
@refuses("not-found")
def show_checkpoint(call: Call, size: str) -> Response:
    """Show the checkpoint of the tree of so many leaves."""
    found = call.house.checkpoints.of_size(_size(size))
    return json_answer(found.as_json(), cache=FOR_ALL_FOREVER)


@route("GET", "/keys", TAG)
@gives(200, checkpoints.Keys(), "The public keys, the oldest first.", headers=("ETag",))
def list_keys(call: Call) -> Response:
    """List the public keys that checkpoints were signed with, and when each was valid."""
    return json_answer(keys_json(call.house.checkpoints.keys()), cache=SHARED)


@route("GET", "/matches/<match_id>/inclusion", TAG)
@open_to_all(READ)
@about(a_match)
@asks(checkpoints.InclusionQuery())
@gives(200, checkpoints.Proof(), "The leaf, its path and the checkpoint.", headers=("ETag",))
@refuses("not-found")
def prove_inclusion(call: Call, match_id: str) -> Response:
    """Prove that a match's head is in the tree of a checkpoint.

    It is the match's newest head in there; the events after it came later.
    """
    proof = call.house.checkpoints.inclusion(call.look, match_id, call.query["size"])
    return json_answer(proof.as_json(), version=proof.leaf.version)


@route("GET", "/consistency", TAG)
@asks(checkpoints.ConsistencyQuery())
@gives(200, checkpoints.Consistency(), "Both checkpoints and the path.", headers=("ETag",))
@refuses("not-found")
def prove_consistency(call: Call) -> Response:
    """Prove that a checkpoint's tree is that of an older one with leaves added."""
    proof = call.house.checkpoints.consistency(call.query["from_"], call.query["to"])
    return json_answer(proof.as_json(), cache=SHARED)


def _size(text: str) -> int:
    if _SIZE.fullmatch(text) is None:
        raise NotFound("A checkpoint goes by the size of its tree, a whole number from 1 on.")
    size = whole(text)
    if size > LARGEST:
        raise NotFound("There is no checkpoint of that size: it is out of range.")
    return size
