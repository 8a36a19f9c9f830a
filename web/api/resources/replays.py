"""Replays: a match, frame by frame."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema

from services.matches.match_json import match_json
from services.replays.replay import frame_json
from web.api import fields
from web.api.operations import OPEN, Call, asks, gives, refuses, route
from web.api.resources.events import EventSchema
from web.api.resources.matches import AS, SCENE, TAG, MatchSchema, PictureSchema, picture_json
from web.http.answers import answer_json
from web.http.inputs import QuerySchema


class ReplayQuerySchema(QuerySchema):
    """Which part of a replay, and through whose eyes."""

    from_ = fields.WholeParameter("The first version to show.", 0, data_key="from")
    to = fields.WholeParameter("The last version to show.", 0)
    as_ = AS
    scene = SCENE


class FrameSchema(Schema):
    """A match right after one event."""

    version = fields.whole("The event's version.")
    ply = fields.whole("The moves that stand after it: what people read.")
    event = fields.part(EventSchema, null=True)
    state = fields.an_object("The state; null before the start.", null=True)
    to_act = fields.seat("The seat to act.", null=True)
    text = fields.text("What happened, in words.")
    scene = fields.part(
        PictureSchema, "Where it was asked for; null before the start.", null=True, always=False
    )
    seconds = fields.whole("Of a move: the time that it took.", always=False)
    taken_back = fields.whole(
        "Of what was taken back: the version of the event that did it.", always=False
    )


class ReplaySchema(Schema):
    """A match step by step."""

    match = fields.part(MatchSchema)
    frames = fields.many(FrameSchema)


@route("GET", "/matches/<match_id>/replay", TAG, OPEN)
@asks(ReplayQuerySchema())
@gives(200, ReplaySchema(), "The match and its frames.")
@refuses("not-your-seat")
def replay_match(call: Call, match_id: str) -> Response:
    """Replay a match, event by event."""
    return call.site.workshop.make(call.client, lambda: _answer_replay(call, match_id))


def _answer_replay(call: Call, match_id: str) -> Response:
    replay = call.house.replays.replay(call.look, match_id, call.query["from_"], call.query["to"])
    shown = {
        "match": match_json(replay.shown),
        "frames": [
            {**frame_json(frame), **picture_json(call, frame.view)} for frame in replay.frames
        ],
    }
    return answer_json(shown, version=replay.shown.view.version)
