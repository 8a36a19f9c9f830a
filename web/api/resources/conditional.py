"""Conditional moves: the caller's own, which no other operation shows."""

from __future__ import annotations

from flask import Response

from services.accounts.accounts import PLAY, READ
from services.matches.conditional_moves import Change, Shown, happening_json, shown_json
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
from web.api.resources import conditional_of_schemas as conditional
from web.http.answers import json_answer, next_link

TAG = "Conditional moves"


@route("GET", "/matches/<match_id>/conditional-moves", TAG)
@players_only(READ)
@about(a_match)
@gives(200, conditional.ConditionalMoves(), "Your lines.", headers=("ETag",))
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
@takes(conditional.NewConditionalMoves())
@decided_on_a_version()
@gives(200, conditional.ConditionalMoves(), "Your lines.", headers=("ETag",))
@refuses("not-found", "not-your-seat", "match-not-active", "your-turn", "invalid-conditional-moves")
def replace_conditional_moves(call: Call, match_id: str) -> Response:
    """Replace your conditional moves.

    They are played in the same transaction as the opponent's move that they answer. Lines that
    the match does not take lapse, and a takeback and the end of the match clear all of them.
    """
    body = call.body
    change = Change(call.player.player, call.expected, body["match_version"])
    return _answer(call.house.conditionals.replace(change, match_id, body["lines"], body["after"]))


@route("DELETE", "/matches/<match_id>/conditional-moves", TAG)
@players_only(PLAY)
@about(a_match)
@decided_on_a_version()
@gives(200, conditional.ConditionalMoves(), "None.", headers=("ETag",))
@refuses("not-found", "not-your-seat", "match-not-active")
def delete_conditional_moves(call: Call, match_id: str) -> Response:
    """Delete all your conditional moves of a match."""
    change = Change(call.player.player, call.expected)
    return _answer(call.house.conditionals.remove(change, match_id))


@route("DELETE", "/matches/<match_id>/conditional-moves/<line>", TAG)
@players_only(PLAY)
@about(a_match)
@decided_on_a_version()
@gives(200, conditional.ConditionalMoves(), "Those that are left.", headers=("ETag",))
@refuses("not-found", "not-your-seat", "match-not-active")
def delete_conditional_line(call: Call, match_id: str, line: str) -> Response:
    """Delete a line, by its label, and what follows on it."""
    change = Change(call.player.player, call.expected)
    return _answer(call.house.conditionals.remove(change, match_id, line))


@route("GET", "/matches/<match_id>/conditional-moves/happenings", TAG)
@players_only(READ)
@about(a_match)
@asks(conditional.HappeningsQuery())
@gives(200, conditional.Happenings(), "A page of them, newest first.", headers=("ETag", "Link"))
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


def _answer(shown: Shown) -> Response:
    return json_answer(shown_json(shown), version=shown.kept.version)
