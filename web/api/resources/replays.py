"""Replays: a match, frame by frame."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from services.accounts.accounts import READ
from services.matches.match_json import match_json
from services.replays.replay import frame_json
from web.api.fields import WholeParameter
from web.api.operations import Call, a_match, about, asks, gives, open_to_all, refuses, route
from web.api.resources.events import EventSchema
from web.api.resources.matches import AS, SCENE, TAG, MatchSchema, PictureSchema, picture_json
from web.http.answers import json_answer
from web.http.inputs import AnswerSchema, QuerySchema, anything, seat, text, whole_field


class ReplayQuerySchema(QuerySchema):
    """Which part of a replay, and through whose eyes."""

    from_ = WholeParameter(
        0,
        data_key="from",
        load_default=None,
        metadata={"description": "The first version to show."},
    )
    to = WholeParameter(0, load_default=None, metadata={"description": "The last version to show."})
    as_ = AS
    scene = SCENE


class FrameSchema(AnswerSchema):
    """A match right after one event."""

    version = whole_field("The event's version.")
    event = fields.Nested(EventSchema, required=True, allow_none=True)
    state = anything("The state; null before the start.", type="object", nullable=True)
    to_act = seat("The seat to act.", null=True)
    text = text("What happened, in words.")
    scene = fields.Nested(
        PictureSchema,
        allow_none=True,
        metadata={"description": "Where it was asked for; null before the start."},
    )
    seconds = fields.Integer(
        strict=True, metadata={"description": "Of a move: the time that it took."}
    )
    taken_back = fields.Integer(
        strict=True,
        metadata={"description": "Of what was taken back: the version of the event that did it."},
    )


class ReplaySchema(AnswerSchema):
    """A match step by step."""

    match = fields.Nested(MatchSchema, required=True)
    frames = fields.List(fields.Nested(FrameSchema), required=True)


@route("GET", "/matches/<match_id>/replay", TAG)
@open_to_all(READ)
@about(a_match)
@asks(ReplayQuerySchema())
@gives(200, ReplaySchema(), "The match and its frames.", headers=("ETag",))
@refuses("not-found", "not-your-seat")
def replay_match(call: Call, match_id: str) -> Response:
    """Replay a match, event by event."""
    return call.site.workshop.make(call.client, lambda: _replayed(call, match_id))


def _replayed(call: Call, match_id: str) -> Response:
    replay = call.house.replays.replay(call.look, match_id, call.query["from_"], call.query["to"])
    shown = {
        "match": match_json(replay.shown),
        "frames": [
            {**frame_json(frame), **picture_json(call, frame.view)} for frame in replay.frames
        ],
    }
    return json_answer(shown, version=replay.shown.view.version)
