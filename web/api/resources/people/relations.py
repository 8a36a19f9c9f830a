"""Whom the caller has blocked, and whom they follow."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema

from services.store.people.relations import BLOCKS, FOLLOWS
from web.api import fields
from web.api.operations import PLAYERS, Call, gives, refuses, route
from web.http.answers import answer_json, answer_no_content


class RelationsSchema(Schema):
    """Other players, by name, the one of longest standing first."""

    blocked = fields.many(fields.text(""), "Whom you have blocked.")
    followed = fields.many(fields.text(""), "Whom you follow.")


TAG = "Players and tokens"


@route("GET", "/me/relations", TAG, PLAYERS)
@gives(200, RelationsSchema(), "Whom you have blocked, and whom you follow.")
def list_relations(call: Call) -> Response:
    """List whom you have blocked, and whom you follow. Nobody else is told."""
    return answer_json(call.house.relations.get_related(call.player)._asdict())


@route("PUT", "/me/blocked/<name>", TAG, PLAYERS)
@gives(204, None, "You have blocked them.")
@refuses("malformed-request", "invalid-player", "too-many-relations")
def block_player(call: Call, name: str) -> Response:
    """Block a player.

    There is no new match between you, and no word in the players' chat; neither of you follows
    the other any more.
    """
    call.house.relations.block(call.player, name)
    return answer_no_content()


@route("DELETE", "/me/blocked/<name>", TAG, PLAYERS)
@gives(204, None, "You have not blocked them any more.")
@refuses("invalid-player")
def unblock_player(call: Call, name: str) -> Response:
    """Block a player no more."""
    call.house.relations.end(call.player, BLOCKS, name)
    return answer_no_content()


@route("PUT", "/me/followed/<name>", TAG, PLAYERS)
@gives(204, None, "You follow them.")
@refuses("malformed-request", "invalid-player", "cannot-be-challenged", "too-many-relations")
def follow_player(call: Call, name: str) -> Response:
    """Follow a player: their public matches stand on your first page."""
    call.house.relations.follow(call.player, name)
    return answer_no_content()


@route("DELETE", "/me/followed/<name>", TAG, PLAYERS)
@gives(204, None, "You do not follow them any more.")
@refuses("invalid-player")
def unfollow_player(call: Call, name: str) -> Response:
    """Follow a player no more."""
    call.house.relations.end(call.player, FOLLOWS, name)
    return answer_no_content()
