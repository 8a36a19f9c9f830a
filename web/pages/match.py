"""A match's page: its replay, one step at a time."""

from __future__ import annotations

import re

from flask import Response, request

from services.errors import InvalidRequest, NotFound
from services.looking import Look
from services.replays import Frame
from web.pages.answers import answer_page
from web.pages.boards import draw_boards
from web.pages.sights import sights
from web.pages.steps import rounds, steps
from web.pages.words import name_of
from web.site import this_site

_VERSION = re.compile(r"[0-9]{1,9}", re.ASCII)


def show_match(match_id: str) -> Response:
    """Show a match right after the event ``at`` (left out: the last one).

    ``as`` shows a finished match as somebody saw it. Raises ``NotFound``, and refusals
    for an ``at`` or ``as`` that cannot be.
    """
    asked = request.args.get("as") or None
    replay = this_site().house.replays.replay(Look(asked=asked), match_id)
    frame = _frame_at(replay.frames, request.args.get("at", ""))
    now = frame.view
    scene = None if now.sight is None else now.game.scene(now.sight, now.last)
    return answer_page(
        "match.html",
        shown=replay.shown,
        match=replay.shown.view,
        frame=frame,
        players={seat: name_of(replay.shown, seat) for seat in (1, 2)},
        steps=steps(match_id, replay.frames, frame, asked),
        rounds=rounds(match_id, replay.frames, frame, asked),
        boards=draw_boards(scene) if scene else None,
        sights=sights(match_id, replay.shown.view, frame.version, asked),
    )


def _frame_at(frames: list[Frame], at: str) -> Frame:
    """Return the frame of a version; of an earlier one than the first, the first."""
    if not at:
        return frames[-1]
    if not _VERSION.fullmatch(at):
        raise InvalidRequest("'at' is the number of an event, such as 7.", pointer="/at")
    version = int(at)
    if version > frames[-1].version:
        raise NotFound(f"This match has {frames[-1].version} events so far.")
    return next((one for one in reversed(frames) if one.version <= version), frames[0])
