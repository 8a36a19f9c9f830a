"""The frames of a replay as data: the same pieces of a page that a page without a script shows.

A script swaps them where they stand. Neighbouring frames have most of their pictures in common,
so what is sent is a list of different pieces, and of each frame the numbers of its pieces.

The events of a private match are sent as they happen as well: the interface for programs knows
nobody by a cookie, and a browser gives no token to a stream.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from flask import Response, render_template, request

from domain.errors import Refusal
from domain.game.scene import Scene, mark_tried, turn_scene
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.views import build_scene
from services.drawing.svg.picture import NOWHERE, Ways
from services.errors import InvalidRequest
from services.matches.event_ids import START, EventId, read_event_id
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, EventPage
from services.replays.replay import Frame, Replay
from web.capacity.clients import get_client
from web.http.inputs import LARGEST, find_whole, read_last_event_id
from web.http.streaming import BATCH, Stream, answer_stream
from web.i18n import N_, _, speak_of
from web.pages.boards.boards import Boards, draw_boards, is_turned
from web.pages.common.answers import answer_data
from web.pages.common.news import News
from web.pages.common.visitors import find_actor, find_visitor, make_visitor_check, player_of
from web.pages.common.words import format_duration, people_of
from web.pages.replays.exports import is_for_everybody
from web.site import get_site

Seal: TypeAlias = tuple[str, str, str | None]


class OnStage(NamedTuple):
    """A step. ``wait``: how long it took, in words, None where nobody was waited for.

    ``records``: its event; before the first move, all that led there. Each is whole as JSON, too,
    and has its seals: for whom each is, its commitment, and its value (None: it is closed).
    """

    frame: Frame
    boards: Boards | None
    wait: str | None
    records: list[tuple[JsonObject, str, list[Seal]]]


def put_on_stage(
    frame: Frame,
    before: str | None,
    shown: ShownMatch,
    ways: Ways = NOWHERE,
    ahead: Scene | None = None,
) -> OnStage:
    """Put a frame on stage; ``before``: the instant of the event before it.

    ``ahead``: what a move would lead to that is tried here.
    """
    scene = build_scene(frame.view)
    scene = turn_to_reader(mark_tried(scene, ahead) if scene and ahead else scene, shown)
    event = frame.event
    moved = event is not None and event["kind"] == "move-made"
    wait = format_duration(before, frame.view.updated_at) if moved and before else None
    return OnStage(
        frame,
        draw_boards(scene, ways) if scene else None,
        wait,
        [
            (one, _dump_value(one), [_describe_seal(seal) for seal in one["sealed"]])
            for one in frame.recorded
        ],
    )


def turn_to_reader(scene: Scene | None, shown: ShownMatch) -> Scene | None:
    """Return a scene from the side from which the one who looks sees it."""
    return turn_scene(scene) if scene is not None and is_turned(shown) else scene


_AUDIENCES = {"server": N_("server"), "seat-1": N_("seat-1"), "seat-2": N_("seat-2")}
"""For whom something is sealed."""


def _dump_value(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)


def _describe_seal(entry: JsonObject) -> Seal:
    audience = ", ".join(_(_AUDIENCES[one]) for one in entry["for"])
    return audience, entry["commitment"], _dump_value(entry["value"]) if "salt" in entry else None


MOST_FRAMES = 40
"""How many frames are sent at once; a replay asks for the rest as it goes on."""

_PARTS = {
    "count": "replays/count.html",
    "told": "replays/told.html",
    "shown": "replays/shown.html",
    "others": "replays/others.html",
    "meters": "replays/meters.html",
    "event": "replays/event.html",
}
"""What differs from step to step on a page, and the templates that make it."""

# Where a page of ours begins a group of a picture, an element that may well be as it was before.
_SEAM = re.compile(r"(?=<g class=\"(?:space|token|bond|span|trail|marks)|<table|<details|<figure)")


def show_frames(match_id: str) -> Response:
    """Give the frames ``from`` to ``to`` (versions), at most ``MOST_FRAMES`` of them.

    Raises ``NotFound``, ``NotYourSeat``, and ``InvalidRequest`` for what is no version;
    ``TooOften`` and ``Unavailable`` where too much is wanted at once.
    """
    return get_site().workshop.make(get_client(), lambda: _answer_frames(match_id))


def _answer_frames(match_id: str) -> Response:
    look = read_look()
    first, last = read_version("from") or 0, read_version("to")
    # One more than is asked for: how long a step took, the step before it says.
    replay = get_site().house.replays.replay(look, match_id, max(0, first - 1), last)
    speak_of(people_of(replay.shown))
    pieces: dict[str, int] = {}
    frames = [one for one in replay.frames if one.version >= first][:MOST_FRAMES]
    waits = {one.version: last.view.updated_at for last, one in pairwise(replay.frames)}
    sent = [_frame_json(replay, one, waits.get(one.version), pieces) for one in frames]
    return answer_data({"pieces": list(pieces), "frames": sent})


def show_events(match_id: str) -> Response:
    """Give all events as the visitor may see them, for a browser that checks their chain."""
    page = get_site().house.queries.show_events(read_look(), match_id)
    return answer_data({"events": page.events, "version": page.version})


def read_look() -> Asker:
    """Return who looks, and as whom the address asks to."""
    return Asker(player_of(find_actor()), read_sight())


def read_sight() -> str | None:
    """Return as whom the address asks to see a match, or None."""
    return request.args.get("as") or None


def read_version(name: str) -> int | None:
    """Return a version that the address names. Raises ``InvalidRequest``."""
    given = request.args.get(name, "")
    if not given:
        return None
    found = find_whole(given)
    if found is None:
        raise InvalidRequest(
            say("'{name}' is the number of an event, such as 7.", name=name), pointer=f"/{name}"
        )
    # However large: no match has so many events, which is what is said then.
    return min(found, LARGEST)


def _frame_json(
    replay: Replay, frame: Frame, before: str | None, pieces: dict[str, int]
) -> JsonObject:
    shown = put_on_stage(frame, before, replay.shown)
    context = {"stage": shown, "match": replay.shown.view, "shown": replay.shown}
    parts = {
        part: [
            pieces.setdefault(piece, len(pieces))
            for piece in _SEAM.split(render_template(template, **context))
            if piece
        ]
        for part, template in _PARTS.items()
    }
    return {"version": frame.version, "at": frame.view.updated_at, **parts}


def follow_match(match_id: str) -> Response:
    """Stream the events of a match as the visitor sees them, until they log out; and other news.

    Raises ``NotFound``, ``Unavailable``, and ``InvalidRequest`` for an ``after`` that is no
    id of an event.
    """
    site, found, here = get_site(), find_visitor(), make_visitor_check()
    player = player_of(found)
    shown = site.house.queries.show(Asker(player), match_id)
    # Who only looks on sees what all see who do, and it is read once for all of them.
    seated = shown.you is not None or not is_for_everybody(shown.view)
    look = Asker(player if seated else None)
    resumed = read_last_event_id(request.environ)
    after = resumed if resumed is not None else _read_after()
    first = site.house.queries.show_events(look, match_id, after, BATCH)

    def read(behind: EventId) -> EventPage | None:
        # Whatever is refused, it is too late for an answer that says so.
        try:
            if look.caller is not None and not here():
                return None
            return site.house.queries.show_events(look, match_id, behind, BATCH)
        except Refusal:
            return None

    news = News(match_id, player, here)
    stream = Stream(site, match_id, look.caller, read, player, news, lingers=True)
    return answer_stream(stream, after, first)


def _read_after() -> EventId:
    """Return the event that the address names. Raises ``InvalidRequest``."""
    given = request.args.get("after", "")
    found = read_event_id(given) if given else START
    if found is None:
        raise InvalidRequest(say("'after' is the id of an event."), pointer="/after")
    return found
