"""Conditional moves, which no other operation shows, and what became of them: the caller's own."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema

from services.matches.conditional_moves.execution import FIRED, LAPSED, REASONS
from services.matches.conditional_moves.plans import (
    ConditionalMovesChange,
    ShownConditionalMoves,
    happening_json,
    shown_json,
)
from web.api import fields
from web.api.operations import PLAYERS, Call, asks, gives, reads, refuses, route, takes
from web.api.paging import NumberedPageQuerySchema, answer_json_page, make_page_schema
from web.http.answers import answer_json
from web.http.inputs import BodySchema

_LINES = {"type": "array", "items": {"type": "object"}}


class NewConditionalMovesSchema(BodySchema):
    """Lines to stand in the place of all that there are."""

    lines = fields.Forwarded(
        "Each line is `if` (a move of your opponent as you will see it), `then` (your "
        "moves in answer, in order; empty while your opponent's own turn goes on) and "
        "`next` (lines that follow on it).",
        form=_LINES,
        required=True,
        example=[{"if": {"steps": 1}, "then": [{"steps": 2}], "next": []}],
    )
    after = fields.Forwarded(
        "When it is your turn: the moves that you will make yourself first. The lines "
        "begin behind them.",
        form=_LINES,
        load_default=list,
        example=[],
    )
    match_version = fields.WholeNumber(
        "The version of the match at which the lines begin.", 1, required=True
    )
    expected_version = fields.WholeNumber(
        "The version of your conditional moves that this changes; or send If-Match."
    )


class ConditionalLineSchema(Schema):
    """A line: if they play this, you play that."""

    line = fields.text("Its label, to delete it by; it changes when other lines go.", example="1.2")
    text = fields.text("The line in the game's notation.")
    if_ = fields.an_object("The opponent's move, as you will see it.", data_key="if")
    then = fields.many(fields.an_object(), "Your answers, in order.")
    next = fields.many("ConditionalLineSchema", "What follows on it.")


class ConditionalMovesSchema(Schema):
    """Your conditional moves in a match; nobody else sees them, ever."""

    seat = fields.seat("Your seat.")
    version = fields.whole(
        "Counts their changes, also those when a line fires or lapses; 0: none yet."
    )
    match_version = fields.whole("The present version of the match.")
    after = fields.many(fields.an_object(), "What you will play yourself before the lines begin.")
    lines = fields.many(ConditionalLineSchema)
    updated_at = fields.text("When they last changed; null: never.", null=True)


class WrittenLineSchema(Schema):
    """A line as it was."""

    if_ = fields.an_object(
        "The opponent's move, as you saw it; empty where `then` are your own moves that "
        "were to come first.",
        data_key="if",
    )
    then = fields.many(fields.an_object())
    next = fields.many("WrittenLineSchema")


class HappeningSchema(Schema):
    """What became of a line, or of several."""

    number = fields.whole("Counts up from 1.")
    kind = fields.words("What happened.", FIRED, LAPSED)
    version = fields.whole("The version of the match's event at which it happened.")
    at = fields.instant("When.")
    reason = fields.text(f"Why lines lapsed: {', '.join(REASONS)}; null when one fired.", null=True)
    text = fields.text("What happened, in a sentence.")
    lines = fields.many(WrittenLineSchema)


TAG = "Conditional moves"


@route("GET", "/matches/<match_id>/conditional-moves", TAG, PLAYERS)
@gives(200, ConditionalMovesSchema(), "Your lines.")
@refuses("not-your-seat")
def list_conditional_moves(call: Call, match_id: str) -> Response:
    """List your conditional moves.

    Only you ever see them. When one is played for you, everybody sees that move, and that its
    cause was `conditional`.
    """
    return _answer(call.house.conditional_moves.show(call.player, match_id))


@route("PUT", "/matches/<match_id>/conditional-moves", TAG, PLAYERS)
@takes(NewConditionalMovesSchema())
@reads("If-Match")
@gives(200, ConditionalMovesSchema(), "Your lines.")
@refuses("not-your-seat", "match-not-active", "your-turn", "invalid-conditional-moves")
def replace_conditional_moves(call: Call, match_id: str) -> Response:
    """Replace your conditional moves.

    They are played in the same transaction as the opponent's move that they answer. Lines that
    the match does not take lapse, and a takeback and the end of the match clear all of them.
    """
    body = call.body
    change = ConditionalMovesChange(call.player, call.expected, body["match_version"])
    return _answer(
        call.house.conditional_moves.replace(change, match_id, body["lines"], body["after"])
    )


@route("DELETE", "/matches/<match_id>/conditional-moves", TAG, PLAYERS)
@reads("If-Match")
@gives(200, ConditionalMovesSchema(), "None.")
@refuses("not-your-seat", "match-not-active")
def delete_conditional_moves(call: Call, match_id: str) -> Response:
    """Delete all your conditional moves of a match."""
    change = ConditionalMovesChange(call.player, call.expected)
    return _answer(call.house.conditional_moves.remove(change, match_id))


@route("DELETE", "/matches/<match_id>/conditional-moves/<line>", TAG, PLAYERS)
@reads("If-Match")
@gives(200, ConditionalMovesSchema(), "Those that are left.")
@refuses("not-your-seat", "match-not-active")
def delete_conditional_line(call: Call, match_id: str, line: str) -> Response:
    """Delete a line, by its label, and what follows on it."""
    change = ConditionalMovesChange(call.player, call.expected)
    return _answer(call.house.conditional_moves.remove(change, match_id, line))


@route("GET", "/matches/<match_id>/conditional-moves/happenings", TAG, PLAYERS)
@asks(NumberedPageQuerySchema())
@gives(200, make_page_schema(HappeningSchema, "happenings"), "A page of them, newest first.")
@refuses("not-your-seat")
def list_conditional_happenings(call: Call, match_id: str) -> Response:
    """List what became of your conditional moves: each firing and lapse, with its reason."""
    page = call.house.conditional_moves.list_happenings(
        call.player, match_id, call.query["cursor"], call.query["limit"]
    )
    return answer_json_page("happenings", page, happening_json)


def _answer(shown: ShownConditionalMoves) -> Response:
    return answer_json(shown_json(shown), version=shown.kept.version)
