"""The frames of a replay as data: the same pieces of a page that a page without a script shows.

A script swaps them where they stand. Neighbouring frames have most of their pictures in common,
so what is sent is a list of different pieces, and of each frame the numbers of its pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

import orjson
from flask import Response, make_response, render_template, request

from domain.i18n import say
from domain.json_types import JsonObject
from services.errors import InvalidRequest
from services.matches.queries import Look
from services.replays.replays import Frame, Replay
from web.api.fields import LARGEST
from web.capacity.clients import client
from web.http.wholes import whole
from web.pages.common.answers import NEVER_KEPT
from web.pages.common.visitors import actor
from web.pages.replays.onstage import OnStage, on_stage
from web.site import this_site
from web.texts import varies

MOST_FRAMES = 40
"""How many frames are sent at once; a replay asks for the rest as it goes on."""

_VERSION = re.compile(r"[0-9]+", re.ASCII)

# Where a page of ours begins a group of a picture, an element that may well be as it was before.
_SEAM = re.compile(r"(?=<g class=\"(?:space|token|bond|span|trail|marks)|<table|<details|<figure)")


def show_frames(match_id: str) -> Response:
    """Give the frames ``from`` to ``to`` (versions), at most ``MOST_FRAMES`` of them.

    Raises ``NotFound``, ``NotYourSeat``, and ``InvalidRequest`` for what is no version;
    ``TooOften`` and ``Unavailable`` where too much is wanted at once.
    """
    return this_site().workshop.make(client(), lambda: _frames(match_id))


def _frames(match_id: str) -> Response:
    look = asked_look()
    first, last = version("from") or 0, version("to")
    # One more than is asked for: how long a step took, the step before it says.
    replay = this_site().house.replays.replay(look, match_id, max(0, first - 1), last)
    pieces: dict[str, int] = {}
    frames = [one for one in replay.frames if one.version >= first][:MOST_FRAMES]
    waits = _waits(replay.frames)
    sent = [_frame_json(replay, one, waits.get(one.version), pieces) for one in frames]
    return data({"pieces": list(pieces), "frames": sent})


def show_events(match_id: str) -> Response:
    """Give all events as the visitor may see them, for a browser that checks their chain."""
    page = this_site().house.looking.events(asked_look(), match_id)
    return data({"events": page.events, "version": page.version})


def asked_look() -> Look:
    """Return who looks, and as whom the address asks to."""
    player = actor()
    return Look(None if player is None else player.player, request.args.get("as") or None)


def version(name: str) -> int | None:
    """Return a version that the address names. Raises ``InvalidRequest``."""
    given = request.args.get(name, "")
    if not given:
        return None
    if not _VERSION.fullmatch(given):
        raise InvalidRequest(
            say("'{name}' is the number of an event, such as 7.", name=name), pointer=f"/{name}"
        )
    # However large: no match has so many events, which is what is said then.
    return min(whole(given), LARGEST)


def is_turned() -> bool:
    """Whether the address asks for the board from its other side."""
    return request.args.get("flip") == "1"


def data(content: JsonObject) -> Response:
    """Return JSON for a script of ours; what a player sees is never kept."""
    response = make_response(orjson.dumps(content))
    response.headers["Content-Type"] = "application/json"
    response.headers["Vary"] = varies()
    if actor() is not None:
        response.headers["Cache-Control"] = NEVER_KEPT
        return response
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def _waits(frames: list[Frame]) -> dict[int, str]:
    """Return when the event before each frame's was, by version."""
    return {one.version: before.view.updated_at for before, one in pairwise(frames)}


def _frame_json(
    replay: Replay, frame: Frame, before: str | None, pieces: dict[str, int]
) -> JsonObject:
    shown = on_stage(frame, before, turned=is_turned())
    parts = {
        part: _cut(_rendered(part, replay, shown), pieces)
        for part in ("told", "shown", "meters", "event")
    }
    return {"version": frame.version, "at": frame.view.updated_at, **parts}


def _rendered(part: str, replay: Replay, shown: OnStage) -> str:
    return render_template(
        f"replay/{part}.html", stage=shown, match=replay.shown.view, shown=replay.shown
    )


def _cut(markup: str, pieces: dict[str, int]) -> list[int]:
    return [_number(piece, pieces) for piece in _non_empty(_SEAM.split(markup))]


def _non_empty(parts: Iterable[str]) -> Iterable[str]:
    return (part for part in parts if part)


def _number(piece: str, pieces: dict[str, int]) -> int:
    return pieces.setdefault(piece, len(pieces))
