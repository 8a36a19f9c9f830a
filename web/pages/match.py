"""A match's page: its replay, one step at a time, and at its end what one can do there."""

from __future__ import annotations

import re

from flask import Response, request

from domain.json_types import JsonObject
from domain.views import drawn
from services.drawing.svg import NOWHERE, Ways
from services.errors import InvalidRequest, NotFound, Unavailable
from services.looking import Look
from services.replays import Frame, Replay
from web.pages.answers import answer_page
from web.pages.boards import draw_boards
from web.pages.desk import Desk, desk
from web.pages.sights import sights
from web.pages.steps import rounds, steps
from web.pages.visitors import visitor
from web.pages.words import name_of
from web.site import this_site

_VERSION = re.compile(r"[0-9]{1,9}", re.ASCII)

_TRIES = 3
"""How often replay and legal moves are read until no move came in between."""


def show_match(match_id: str) -> Response:
    """Show a match right after the event ``at`` (left out: the last one).

    ``as`` shows a finished match as somebody saw it. Raises ``NotFound``, and refusals
    for an ``at`` or ``as`` that cannot be.
    """
    return match_page(match_id)


def match_page(match_id: str, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    """Return a match's page; ``errors`` are of the form for joining, by field."""
    asked = request.args.get("as") or None
    player = visitor()
    look = Look(None if player is None else player.player, asked)
    replay, legal = _replay_and_moves(look, match_id)
    frame = _frame_at(replay.frames, request.args.get("at", ""))
    present = frame is replay.frames[-1]
    scene = drawn(frame.view)
    offered = desk(replay, legal if present else None, scene, errors)
    return answer_page(
        "match.html",
        status=status,
        shown=replay.shown,
        match=replay.shown.view,
        frame=frame,
        players={seat: name_of(replay.shown, seat) for seat in (1, 2)},
        steps=steps(match_id, replay.frames, frame, asked),
        rounds=rounds(match_id, replay.frames, frame, asked),
        boards=draw_boards(scene, _ways(offered)) if scene else None,
        sights=sights(match_id, replay.shown.view, frame.version, asked),
        desk=offered if present and asked is None else None,
    )


def _ways(offered: Desk) -> Ways:
    return NOWHERE if offered.entry is None else offered.entry.ways


def _replay_and_moves(look: Look, match_id: str) -> tuple[Replay, list[JsonObject] | None]:
    """Return the replay, and the legal moves if the one who looks is to move, of one moment."""
    house = this_site().house
    for _ in range(_TRIES):
        replay = house.replays.replay(look, match_id)
        shown = replay.shown
        if shown.you is None or shown.view.to_act != shown.you or look.asked is not None:
            return replay, None
        legal = house.looking.legal_moves(look, match_id)
        if legal.version == shown.view.version:
            return replay, legal.moves
    raise Unavailable("The match goes on so fast that no moment of it can be shown.")


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
