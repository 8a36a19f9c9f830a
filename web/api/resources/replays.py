"""Replays, and the moves that lead on."""

from __future__ import annotations

from marshmallow import fields

from web.api.fields import WholeParameter
from web.api.resources.events_of_schemas import Event
from web.api.resources.matches_of_schemas import AS, SCENE, Match, Picture
from web.http.base import Query, Shown, anything, seat, text, whole


class ReplayQuery(Query):
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


class LegalMove(Shown):
    """A legal move."""

    move = anything("To be sent as it is.", type="object")
    text = text("The move in the game's notation.")
    path = fields.List(
        fields.String(), required=True, metadata={"description": "Its steps over the board."}
    )


class LegalMoves(Shown):
    """The legal moves of the caller's seat."""

    version = whole("The version of the match that they belong to.")
    seat = seat("Your seat; null: you have none.", null=True)
    moves = fields.List(fields.Nested(LegalMove), required=True)


class Frame(Shown):
    """A match right after one event."""

    version = whole("The event's version.")
    event = fields.Nested(Event, required=True, allow_none=True)
    state = anything("The state; null before the start.", type="object", nullable=True)
    to_act = seat("The seat to act.", null=True)
    text = text("What happened, in words.")
    scene = fields.Nested(
        Picture,
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


class Replay(Shown):
    """A match step by step."""

    match = fields.Nested(Match, required=True)
    frames = fields.List(fields.Nested(Frame), required=True)
