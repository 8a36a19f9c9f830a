"""Looks at matches: lists, one match, its legal moves, its replay."""

from __future__ import annotations

from flask import Response

from domain.json_types import JsonObject
from domain.match.views import MatchView, drawn
from services.accounts.accounts import READ
from services.drawing.scene_json import scene_json
from services.lobby.lists import Filters
from services.matches.showing import match_json
from services.replays.replays import frame_json
from web.api.operations import (
    Call,
    a_match,
    about,
    asks,
    gives,
    open_to_all,
    players_only,
    refuses,
    route,
)
from web.api.resources import matches_of_schemas as matches
from web.api.resources import replays
from web.http.answers import json_answer, next_link

TAG = "Matches"
IMPORTED = "Plybook-Imported"


@route("GET", "/matches", TAG)
@open_to_all(READ)
@asks(matches.MatchesQuery())
@gives(200, matches.Matches(), "A page of matches.", headers=("ETag", "Link"))
@refuses("cursor-gone")
def list_matches(call: Call) -> Response:
    """List matches.

    Public ones; with `mine=true` all of the caller's own. Pages are those of the moment of the
    first one: a match that moves while you page keeps its place, and is shown as it is now.
    """
    query = call.query
    filters = Filters(**{name: query[name] for name in Filters._fields if name in query})
    page = call.house.lobby.matches(
        call.look,
        filters,
        sort=query["sort"],
        limit=query["limit"],
        cursor=query["cursor"],
    )
    shown = [match_json(one) for one in page.matches]
    answer = json_answer({"matches": shown, "next_cursor": page.next_cursor})
    if page.next_cursor is not None:
        answer.headers["Link"] = next_link(cursor=page.next_cursor)
    return answer


@route("GET", "/matches/<match_id>", TAG)
@open_to_all(READ)
@about(a_match)
@asks(matches.MatchQuery())
@gives(
    200, matches.PicturedMatch(), "The match as the caller may see it.", headers=("ETag", IMPORTED)
)
@refuses("not-found", "not-your-seat")
def show_match(call: Call, match_id: str) -> Response:
    """Show a match, as it is or as it was."""
    shown = call.house.looking.show(call.look, match_id, call.query["version"])
    told = {**match_json(shown), **_picture(call, shown.view)}
    answer = json_answer(told, version=shown.view.version)
    if shown.imported is not None:
        answer.headers[IMPORTED] = shown.imported
    return answer


@route("GET", "/matches/<match_id>/legal-moves", TAG)
@players_only(READ)
@about(a_match)
@gives(200, replays.LegalMoves(), "The legal moves; none when you are not to act.")
@refuses("not-found")
def list_legal_moves(call: Call, match_id: str) -> Response:
    """List the legal moves of your seat."""
    legal = call.house.looking.legal_moves(call.look, match_id)
    return json_answer(legal._asdict(), version=legal.version)


@route("GET", "/matches/<match_id>/replay", TAG)
@open_to_all(READ)
@about(a_match)
@asks(replays.ReplayQuery())
@gives(200, replays.Replay(), "The match and its frames.", headers=("ETag",))
@refuses("not-found", "not-your-seat")
def replay_match(call: Call, match_id: str) -> Response:
    """Replay a match, event by event."""
    return call.site.workshop.make(call.client, lambda: _replayed(call, match_id))


def _replayed(call: Call, match_id: str) -> Response:
    replay = call.house.replays.replay(call.look, match_id, call.query["from_"], call.query["to"])
    shown = {
        "match": match_json(replay.shown),
        "frames": [{**frame_json(frame), **_picture(call, frame.view)} for frame in replay.frames],
    }
    return json_answer(shown, version=replay.shown.view.version)


def _picture(call: Call, view: MatchView) -> JsonObject:
    """Return the member ``scene``, if it was asked for."""
    if not call.query["scene"]:
        return {}
    scene = drawn(view)
    return {"scene": None if scene is None else scene_json(scene)}
