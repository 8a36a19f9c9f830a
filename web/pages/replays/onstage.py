"""One step as it stands on a page: what is told, drawn, counted, and recorded of it."""

from __future__ import annotations

import json
from typing import NamedTuple

from domain.game.scene import turned as turned_round
from domain.json_types import JsonObject
from domain.match.views import drawn
from services.drawing.svg.picture import NOWHERE, Ways
from services.replays.replays import Frame
from web.pages.boards.boards import Boards, draw_boards
from web.pages.common.words import lasted
from web.texts import N_, _


class Seal(NamedTuple):
    """A sealed part of an event: for whom, the commitment, and what was opened (or None)."""

    audience: str
    commitment: str
    value: str | None
    salt: str | None


class Recorded(NamedTuple):
    """An event as it is recorded, whole as JSON, and its seals one by one."""

    event: JsonObject
    json: str
    seals: list[Seal]


class OnStage(NamedTuple):
    """A step. ``wait``: how long it took, in words, None where nobody was waited for.

    ``records``: its event; before the first move, all that led there.
    """

    frame: Frame
    boards: Boards | None
    wait: str | None
    records: list[Recorded]


def on_stage(
    frame: Frame, before: str | None, *, turned: bool = False, ways: Ways = NOWHERE
) -> OnStage:
    """Put a frame on stage; ``before``: the instant of the event before it."""
    scene = drawn(frame.view)
    if scene is not None and turned:
        scene = turned_round(scene)
    event = frame.event
    moved = event is not None and event["kind"] == "move-made"
    wait = lasted(before, frame.view.updated_at) if moved and before else None
    return OnStage(
        frame,
        draw_boards(scene, ways) if scene else None,
        wait,
        [
            Recorded(one, _written(one), [_seal(seal) for seal in one["sealed"]])
            for one in frame.recorded
        ],
    )


_AUDIENCES = {"server": N_("server"), "seat-1": N_("seat-1"), "seat-2": N_("seat-2")}
"""For whom something is sealed."""


def _written(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)


def _seal(entry: JsonObject) -> Seal:
    salt = entry.get("salt")
    opened = None if salt is None else _written(entry["value"])
    return Seal(
        ", ".join(_(_AUDIENCES[one]) for one in entry["for"]), entry["commitment"], opened, salt
    )
