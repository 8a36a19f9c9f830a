"""What players do: create, join, move, act. Each may be repeated under its Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response
from marshmallow import Schema, ValidationError, validates_schema

from domain.json_types import JsonObject
from services.accounts.tokens import ADMIN, BOT
from services.matches.actions import ACTIONS, NEEDS, Action
from services.matches.match_json import match_json
from services.matches.requests import (
    BY_BOT,
    BY_PLAYER,
    ChangeRequest,
    CommandResult,
    NewMatch,
    StoredAnswer,
)
from web.api import fields
from web.api.operations import BASE, PLAYERS, Call, gives, reads, refuses, route, takes
from web.api.resources.events import EventSchema
from web.api.resources.matches import (
    JoiningSchema,
    MatchSchema,
    NewMatchSchema,
    make_contribution_field,
)
from web.http.answers import JSON, OWN, answer_stored, compute_etag
from web.http.inputs import LARGEST, BodySchema
from web.http.requests import add_root


class DecidedSchema(BodySchema):
    """Something that was decided on a version of a match."""

    expected_version = fields.WholeNumber("The version that this was decided on; or send If-Match.")


class PlayedMoveSchema(DecidedSchema):
    """A move."""

    move = fields.Forwarded(
        "As the game's rule book describes moves.", required=True, example={"steps": 2}
    )


def _make_action_field(action: str, meaning: str, most: int) -> fields.WholeNumber:
    return fields.WholeNumber(f"Needed by {action}, and taken by nothing else: {meaning}", 1, most)


class TakenActionSchema(DecidedSchema):
    """Something else than a move."""

    action = fields.Word(ACTIONS, required=True)
    contribution = make_contribution_field()
    to_version = _make_action_field("offer_takeback", "the version to go back to.", LARGEST)
    days = _make_action_field("offer_pause", "how long both clocks are to stand.", 30)
    hours = _make_action_field("give_time", "how much more time your opponent has.", 720)

    @validates_schema
    def check_members(self, data: dict[str, Any], **_: object) -> None:
        """Refuse a member that would be ignored, and the lack of one that is needed."""
        needed, faults = NEEDS.get(data["action"]), {}
        for name in NEEDS.values():
            given = data.get(name) is not None
            if name == needed and not given:
                faults[name] = [f"{data['action']} needs this."]
            if name != needed and given:
                faults[name] = [f"{data['action']} does not take this."]
        if faults:
            raise ValidationError(faults)


class MatchAndEventsSchema(Schema):
    """What a move or an action led to."""

    match = fields.part(MatchSchema)
    events = fields.many(EventSchema)


TAG = "Matches"

Render = Callable[[CommandResult], StoredAnswer]


@route("POST", "/matches", TAG, PLAYERS)
@takes(NewMatchSchema())
@reads("Idempotency-Key")
@gives(201, MatchSchema(), "The match.", "Location")
@refuses(
    "not-found",
    "invalid-options",
    "invalid-settings",
    "invalid-series",
    "unknown-opponent",
    "cannot-be-challenged",
    "cannot-be-rated",
    "too-many-house-matches",
)
def create_match(call: Call) -> Response:
    """Create a match and take a seat of it."""
    create, new = call.house.matches.create, NewMatch(**call.body)
    return answer_change(call, render_created, lambda asked: create(asked, new))


@route("POST", "/matches/<match_id>/join", TAG, PLAYERS)
@takes(JoiningSchema(), required=False)
@reads("Idempotency-Key")
@gives(200, MatchSchema(), "The match, started.")
@refuses(
    "match-not-open",
    "seat-reserved",
    "own-match",
    "outside-range",
    "cannot-be-challenged",
    "invalid-settings",
)
def join_match(call: Call, match_id: str) -> Response:
    """Take the free seat; the match starts."""
    join, brought = call.house.matches.join, read_joining(call)
    return answer_change(call, render_joined, lambda asked: join(asked, match_id, *brought))


@route("POST", "/matches/<match_id>/moves", TAG, PLAYERS)
@takes(PlayedMoveSchema())
@reads("If-Match", "Idempotency-Key")
@gives(201, MatchAndEventsSchema(), "The match, and the events this led to.")
@refuses("not-your-seat", "malformed-move", "illegal-move", "match-not-active", "not-your-turn")
def play_move(call: Call, match_id: str) -> Response:
    """Make a move."""
    play, move = call.house.matches.play, call.body["move"]
    return answer_change(call, _render_changed, lambda asked: play(asked, match_id, move))


@route("POST", "/matches/<match_id>/actions", TAG, PLAYERS)
@takes(TakenActionSchema())
@reads("If-Match", "Idempotency-Key")
@gives(201, MatchAndEventsSchema(), "The match, and the events this led to.")
@refuses(
    "not-your-seat",
    "match-not-active",
    "match-not-open",
    "too-late-to-abort",
    "already-contributed",
    "offer-pending",
    "no-such-offer",
    "clock-forbids",
    "cannot-take-back",
    "no-series",
    "series-over",
)
def take_action(call: Call, match_id: str) -> Response:
    """Resign, leave a series, abort, make and answer offers, give time, contribute to the dice."""
    body, act = call.body, call.house.matches.act
    action = Action(body["action"], **{name: body[name] for name in NEEDS.values()})
    return answer_change(call, _render_changed, lambda asked: act(asked, match_id, action))


def answer_change(
    call: Call, render: Render, change: Callable[[ChangeRequest], CommandResult]
) -> Response:
    """Change a match, under the same Idempotency-Key once, and answer as ``render`` has it."""
    caller = call.bearer
    done = change(
        ChangeRequest(
            caller=caller.player,
            expected=call.expected,
            record=call.make_record(render),
            admin=ADMIN in caller.scopes,
            cause=BY_BOT if BOT in caller.scopes else BY_PLAYER,
        )
    )
    return answer_stored(done.answer or render(done))


def read_joining(call: Call) -> tuple[JsonObject, str | None]:
    """Return the settings and the contribution to the dice that somebody joins with."""
    return call.body.get("settings", {}), call.body.get("contribution")


def render_created(done: CommandResult) -> StoredAnswer:
    """Render the answer of a match that was created."""
    address = add_root(f"{BASE}/matches/{done.shown.view.id}")
    return _render(done, 201, match_json(done.shown), {"Location": address})


def render_joined(done: CommandResult) -> StoredAnswer:
    """Render the answer of a match that was there before."""
    return _render(done, 200, match_json(done.shown), {})


def _render_changed(done: CommandResult) -> StoredAnswer:
    shown = {"match": match_json(done.shown), "events": done.events}
    return _render(done, 201, shown, {})


def _render(
    done: CommandResult, status: int, shown: JsonObject, headers: dict[str, str]
) -> StoredAnswer:
    body = orjson.dumps(shown)
    tag = compute_etag(body, done.shown.view.version)
    kept = {"Content-Type": JSON, "Cache-Control": OWN, "ETag": tag, **headers}
    return StoredAnswer(status, kept, body)
