"""What players do: create, join, move, act. Each may be repeated under its Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response
from marshmallow import ValidationError, fields, validates_schema
from typing_extensions import override

from services.accounts.accounts import ADMIN, BOT, PLAY
from services.matches.actions import ACTIONS, NEEDS, Action
from services.matches.match_json import match_json
from services.matches.requests import (
    BY_BOT,
    BY_PLAYER,
    ChangeRequest,
    CommandResult,
    IdempotencyKey,
    NewMatch,
    StoredAnswer,
)
from web.api.fields import (
    Forwarded,
    Whole,
    Word,
)
from web.api.operations import (
    BASE,
    Call,
    a_match,
    about,
    decided_on_a_version,
    gives,
    players_only,
    refuses,
    repeatable,
    route,
    takes,
)
from web.api.resources import matches
from web.api.resources.events import EventSchema
from web.api.resources.matches import MatchSchema, dice_contribution
from web.http.answers import JSON, OWN, etag, stored_answer
from web.http.inputs import LARGEST, AnswerSchema, BodySchema, fingerprint
from web.http.requests import rooted


def _expected_version() -> Whole:
    return Whole(
        0,
        load_default=None,
        metadata={"description": "The version that this was decided on; or send If-Match."},
    )


USUAL = {"move", "expected_version"}


class PlayedMoveSchema(BodySchema):
    """A move."""

    @override
    def load(self, data: Any, **options: Any) -> Any:
        """Load as any schema, but at once what is as nearly all moves are.

        This is the request that the service answers most often, and the full way costs
        a twentieth of answering it.
        """
        if type(data) is dict and data.keys() <= USUAL and type(data.get("move")) is dict:
            version = data.get("expected_version", 0)
            if type(version) is int and 0 <= version <= LARGEST:
                return {"move": data["move"], "expected_version": data.get("expected_version")}
        return super().load(data, **options)

    move = Forwarded(
        required=True,
        metadata={
            "description": "As the game's rule book describes moves.",
            "example": {"steps": 2},
        },
    )
    expected_version = _expected_version()


def _needed_by(action: str, meaning: str, most: int) -> Whole:
    metadata = {"description": f"Needed by {action}, and taken by nothing else: {meaning}"}
    return Whole(1, most, load_default=None, allow_none=True, metadata=metadata)


class TakenActionSchema(BodySchema):
    """Something else than a move."""

    action = Word(ACTIONS, required=True)
    contribution = dice_contribution()
    to_version = _needed_by("offer_takeback", "the version to go back to.", LARGEST)
    days = _needed_by("offer_pause", "how long both clocks are to stand.", 30)
    hours = _needed_by("give_time", "how much more time your opponent has.", 720)
    expected_version = _expected_version()

    @validates_schema
    def members_belong_to_the_action(self, data: dict[str, Any], **_: object) -> None:
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


class MatchAndEventsSchema(AnswerSchema):
    """What a move or an action led to."""

    match = fields.Nested(MatchSchema, required=True)
    events = fields.List(fields.Nested(EventSchema), required=True)


TAG = "Matches"

Render = Callable[[CommandResult], StoredAnswer]


@route("POST", "/matches", TAG)
@players_only(PLAY)
@takes(matches.NewMatchSchema())
@repeatable()
@gives(201, matches.MatchSchema(), "The match.", headers=("ETag", "Location"))
@refuses("not-found", "invalid-options", "invalid-settings", "unknown-opponent")
def create_match(call: Call) -> Response:
    """Create a match and take a seat of it."""
    body = call.body
    new = NewMatch(
        game=body["game"],
        options=body["options"],
        settings=body["settings"],
        seat=body["seat"],
        opponent=body["opponent"],
        visibility=body["visibility"],
        rated=body["rated"],
        invitation=body["invitation"],
        pace=body["pace"],
    )
    done = call.house.matches.create(asked(call, created), new)
    return stored_answer(done.answer or created(done))


@route("POST", "/matches/<match_id>/join", TAG)
@players_only(PLAY)
@about(a_match)
@takes(matches.JoiningSchema(), required=False)
@repeatable()
@gives(200, matches.MatchSchema(), "The match, started.", headers=("ETag",))
@refuses("not-found", "match-not-open", "seat-reserved", "own-match", "invalid-settings")
def join_match(call: Call, match_id: str) -> Response:
    """Take the free seat; the match starts."""
    done = call.house.matches.join(
        asked(call, joined),
        match_id,
        call.body.get("settings", {}),
        call.body.get("contribution"),
    )
    return stored_answer(done.answer or joined(done))


@route("POST", "/matches/<match_id>/moves", TAG)
@players_only(PLAY)
@about(a_match)
@takes(PlayedMoveSchema())
@decided_on_a_version()
@repeatable()
@gives(201, MatchAndEventsSchema(), "The match, and the events this led to.", headers=("ETag",))
@refuses(
    "not-found",
    "not-your-seat",
    "malformed-move",
    "illegal-move",
    "match-not-active",
    "not-your-turn",
)
def play_move(call: Call, match_id: str) -> Response:
    """Make a move."""
    done = call.house.matches.play(asked(call, _changed), match_id, call.body["move"])
    return stored_answer(done.answer or _changed(done))


@route("POST", "/matches/<match_id>/actions", TAG)
@players_only(PLAY)
@about(a_match)
@takes(TakenActionSchema())
@decided_on_a_version()
@repeatable()
@gives(201, MatchAndEventsSchema(), "The match, and the events this led to.", headers=("ETag",))
@refuses(
    "not-found",
    "not-your-seat",
    "match-not-active",
    "match-not-open",
    "too-late-to-abort",
    "already-contributed",
    "offer-pending",
    "no-such-offer",
    "clock-forbids",
    "cannot-take-back",
)
def take_action(call: Call, match_id: str) -> Response:
    """Resign, abort, make and answer offers, give time, or contribute to the dice."""
    body = call.body
    needs = {name: body[name] for name in ("contribution", "to_version", "days", "hours")}
    action = Action(body["action"], **needs)
    done = call.house.matches.act(asked(call, _changed), match_id, action)
    return stored_answer(done.answer or _changed(done))


def asked(call: Call, render: Render) -> ChangeRequest:
    """Return who asks for what an operation does; ``render`` makes the answer to be kept."""
    caller = call.player
    record = None if call.key is None else IdempotencyKey(call.key, fingerprint(), render)
    return ChangeRequest(
        caller=caller.player,
        expected=call.expected,
        record=record,
        admin=ADMIN in caller.scopes,
        cause=BY_BOT if BOT in caller.scopes else BY_PLAYER,
    )


def created(done: CommandResult) -> StoredAnswer:
    """Render the answer of a match that was created."""
    return _match_alone(done, 201, {"Location": rooted(f"{BASE}/matches/{done.shown.view.id}")})


def joined(done: CommandResult) -> StoredAnswer:
    """Render the answer of a match that was there before."""
    return _match_alone(done, 200, {})


def _changed(done: CommandResult) -> StoredAnswer:
    body = orjson.dumps({"match": match_json(done.shown), "events": done.events})
    return StoredAnswer(201, _headers(done, body), body)


def _match_alone(done: CommandResult, status: int, headers: dict[str, str]) -> StoredAnswer:
    body = orjson.dumps(match_json(done.shown))
    return StoredAnswer(status, {**_headers(done, body), **headers}, body)


def _headers(done: CommandResult, body: bytes) -> dict[str, str]:
    return {
        "Content-Type": JSON,
        "Cache-Control": OWN,
        "ETag": etag(body, done.shown.view.version),
    }
