"""Conditional moves, which no other operation shows, and what became of them: the caller's own."""

from __future__ import annotations

from typing import ClassVar

from flask import Response
from marshmallow import fields

from domain.json_types import JsonObject
from services.accounts.accounts import PLAY, READ
from services.lobby.lists import LIMIT, MOST
from services.matches.conditional_execution import FIRED, LAPSED, REASONS
from services.matches.conditional_moves import (
    ConditionalMovesChange,
    ShownConditionalMoves,
    happening_json,
    shown_json,
)
from web.api.fields import Forwarded, Whole, WholeParameter
from web.api.operations import (
    Call,
    a_match,
    about,
    asks,
    decided_on_a_version,
    gives,
    players_only,
    refuses,
    route,
    takes,
)
from web.http.answers import json_answer, next_link
from web.http.inputs import (
    AnswerSchema,
    BodySchema,
    QuerySchema,
    anything,
    instant,
    seat,
    text,
    whole_field,
    words,
)


class Lines(Forwarded):
    """A list of lines, whose inside, and whether it is a list, the domain judges (422)."""

    FORM: ClassVar[JsonObject] = {"type": "array", "items": {"type": "object"}}


def _decided_on() -> Whole:
    meaning = "The version of your conditional moves that this changes; or send If-Match."
    return Whole(0, load_default=None, metadata={"description": meaning})


class NewConditionalMovesSchema(BodySchema):
    """Lines to stand in the place of all that there are."""

    lines = Lines(
        required=True,
        metadata={
            "description": "Each line is `if` (a move of your opponent as you will see it), `then` "
            "(your moves in answer, in order; empty while your opponent's own turn goes on) and "
            "`next` (lines that follow on it).",
            "example": [{"if": {"steps": 1}, "then": [{"steps": 2}], "next": []}],
        },
    )
    after = Lines(
        load_default=list,
        metadata={
            "description": "When it is your turn: the moves that you will make yourself first. "
            "The lines begin behind them.",
            "example": [],
        },
    )
    match_version = Whole(
        1,
        required=True,
        metadata={"description": "The version of the match at which the lines begin."},
    )
    expected_version = _decided_on()


class ConditionalLineSchema(AnswerSchema):
    """A line: if they play this, you play that."""

    line = text("Its label, to delete it by; it changes when other lines go.", example="1.2")
    text = text("The line in the game's notation.")
    if_ = anything("The opponent's move, as you will see it.", type="object", data_key="if")
    then = fields.List(
        fields.Raw(metadata={"type": "object"}),
        required=True,
        metadata={"description": "Your answers, in order."},
    )
    next = fields.List(
        fields.Nested("ConditionalLineSchema"),
        required=True,
        metadata={"description": "What follows on it."},
    )


class ConditionalMovesSchema(AnswerSchema):
    """Your conditional moves in a match; nobody else sees them, ever."""

    seat = seat("Your seat.")
    version = whole_field(
        "Counts their changes, also those when a line fires or lapses; 0: none yet."
    )
    match_version = whole_field("The present version of the match.")
    after = fields.List(
        fields.Raw(metadata={"type": "object"}),
        required=True,
        metadata={"description": "What you will play yourself before the lines begin."},
    )
    lines = fields.List(fields.Nested(ConditionalLineSchema), required=True)
    updated_at = text("When they last changed; null: never.", null=True)


class WrittenLineSchema(AnswerSchema):
    """A line as it was."""

    if_ = anything(
        "The opponent's move, as you saw it; empty where `then` are your own moves that were to "
        "come first.",
        type="object",
        data_key="if",
    )
    then = fields.List(fields.Raw(metadata={"type": "object"}), required=True)
    next = fields.List(fields.Nested("WrittenLineSchema"), required=True)


class HappeningSchema(AnswerSchema):
    """What became of a line, or of several."""

    number = whole_field("Counts up from 1.")
    kind = words("What happened.", FIRED, LAPSED)
    version = whole_field("The version of the match's event at which it happened.")
    at = instant("When.")
    reason = text(f"Why lines lapsed: {', '.join(REASONS)}; null when one fired.", null=True)
    text = text("What happened, in a sentence.")
    lines = fields.List(fields.Nested(WrittenLineSchema), required=True)


class HappeningsSchema(AnswerSchema):
    """A page of what became of your lines, newest first."""

    happenings = fields.List(fields.Nested(HappeningSchema), required=True)
    next_cursor = text("For the next page; null: this is the last.", null=True)


class HappeningsQuerySchema(QuerySchema):
    """Which page."""

    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = WholeParameter(
        1, load_default=None, metadata={"description": "`next_cursor` of a page."}
    )


TAG = "Conditional moves"


@route("GET", "/matches/<match_id>/conditional-moves", TAG)
@players_only(READ)
@about(a_match)
@gives(200, ConditionalMovesSchema(), "Your lines.", headers=("ETag",))
@refuses("not-found", "not-your-seat")
def list_conditional_moves(call: Call, match_id: str) -> Response:
    """List your conditional moves.

    Only you ever see them. When one is played for you, everybody sees that move, and that its
    cause was `conditional`.
    """
    return _answer(call.house.conditionals.show(call.player.player, match_id))


@route("PUT", "/matches/<match_id>/conditional-moves", TAG)
@players_only(PLAY)
@about(a_match)
@takes(NewConditionalMovesSchema())
@decided_on_a_version()
@gives(200, ConditionalMovesSchema(), "Your lines.", headers=("ETag",))
@refuses("not-found", "not-your-seat", "match-not-active", "your-turn", "invalid-conditional-moves")
def replace_conditional_moves(call: Call, match_id: str) -> Response:
    """Replace your conditional moves.

    They are played in the same transaction as the opponent's move that they answer. Lines that
    the match does not take lapse, and a takeback and the end of the match clear all of them.
    """
    body = call.body
    change = ConditionalMovesChange(call.player.player, call.expected, body["match_version"])
    return _answer(call.house.conditionals.replace(change, match_id, body["lines"], body["after"]))


@route("DELETE", "/matches/<match_id>/conditional-moves", TAG)
@players_only(PLAY)
@about(a_match)
@decided_on_a_version()
@gives(200, ConditionalMovesSchema(), "None.", headers=("ETag",))
@refuses("not-found", "not-your-seat", "match-not-active")
def delete_conditional_moves(call: Call, match_id: str) -> Response:
    """Delete all your conditional moves of a match."""
    change = ConditionalMovesChange(call.player.player, call.expected)
    return _answer(call.house.conditionals.remove(change, match_id))


@route("DELETE", "/matches/<match_id>/conditional-moves/<line>", TAG)
@players_only(PLAY)
@about(a_match)
@decided_on_a_version()
@gives(200, ConditionalMovesSchema(), "Those that are left.", headers=("ETag",))
@refuses("not-found", "not-your-seat", "match-not-active")
def delete_conditional_line(call: Call, match_id: str, line: str) -> Response:
    """Delete a line, by its label, and what follows on it."""
    change = ConditionalMovesChange(call.player.player, call.expected)
    return _answer(call.house.conditionals.remove(change, match_id, line))


@route("GET", "/matches/<match_id>/conditional-moves/happenings", TAG)
@players_only(READ)
@about(a_match)
@asks(HappeningsQuerySchema())
@gives(200, HappeningsSchema(), "A page of them, newest first.", headers=("ETag", "Link"))
@refuses("not-found", "not-your-seat")
def list_conditional_happenings(call: Call, match_id: str) -> Response:
    """List what became of your conditional moves: each firing and lapse, with its reason."""
    page = call.house.conditionals.happenings(
        call.player.player, match_id, call.query["cursor"], call.query["limit"]
    )
    following = None if page.next_before is None else str(page.next_before)
    shown = [happening_json(one) for one in page.happenings]
    answer = json_answer({"happenings": shown, "next_cursor": following})
    if following is not None:
        answer.headers["Link"] = next_link(cursor=following)
    return answer


def _answer(shown: ShownConditionalMoves) -> Response:
    return json_answer(shown_json(shown), version=shown.kept.version)
