"""A replay as a page shows it: one step, and every way to the others.

It goes on by itself if one likes, with a script or without one, and a finished match can be seen
with anybody's eyes.
"""

from __future__ import annotations

from typing import Any

from flask import request, url_for

from domain.game.scene import Scene
from domain.i18n import say
from domain.match.kinds import ENDINGS
from domain.match.state import ACTIVE, FINISHED, OPEN
from domain.match.views import MatchView
from services.drawing.svg.picture import NOWHERE, Ways
from services.errors import InvalidRequest, NoSuchStep
from services.matches.event_ids import START, make_event_id, read_event_id
from services.replays.keyboard import PAGE, iter_site_keys
from services.replays.replay import Frame, Replay, get_frame_at
from web.i18n import N_, speak_of
from web.pages.boards.boards import SIDES, is_turned, read_flip, turns_by_itself
from web.pages.common.forms import check_choice
from web.pages.common.words import name_of, people_of
from web.pages.replays.analysis import show_analysis
from web.pages.replays.exports import is_for_everybody
from web.pages.replays.frames import MOST_FRAMES, put_on_stage, read_sight, read_version
from web.pages.replays.steps import (
    Beyond,
    choose_replay_page,
    link_steps,
    list_rounds,
    make_sight_query,
    make_step_url,
)
from web.pages.replays.timeline import draw_timeline
from web.pages.replays.what_if import can_try, make_line_url

AS_PLAYED = "waits"
"""As it was played: real waits, the long ones cut to two seconds."""

SPEEDS = {
    "0.5": N_("0.5 a second"),
    "1": N_("1 a second"),
    "2": N_("2 a second"),
    "4": N_("4 a second"),
    "8": N_("8 a second"),
    AS_PLAYED: N_("as played, waits of 2 s at most"),
}
"""What the address says, and how a person chooses it."""


ENDS = Beyond()
"""A match alone: nothing lies beyond its ends."""


def read_speed() -> str | None:
    """Return at which speed the address asks to play, None for a replay that stands still.

    Raises ``InvalidRequest``.
    """
    speed = request.args.get("play")
    if not speed:
        return None
    check_choice("play", speed, SPEEDS)
    return speed


def _compute_seconds(speed: str) -> int:
    """Return how long a page without a script stays: whole seconds, one at least.

    >>> _compute_seconds("0.5"), _compute_seconds("8"), _compute_seconds(AS_PLAYED)
    (2, 1, 2)
    """
    return 2 if speed == AS_PLAYED else max(1, round(1 / float(speed)))


_SIGHTS = {
    None: say("Everything"),
    "seat-1": say("What P1 saw"),
    "seat-2": say("What P2 saw"),
    "spectator": say("What spectators saw"),
}
"""As whom a finished match can be seen, and how that is called."""


def list_sights(view: MatchView, version: int, asked: str | None) -> list[tuple[str, str, bool]]:
    """Return links to the same step as others saw it, each with whether it is the one shown.

    There are none while the match runs, or where nothing is hidden.
    """
    if view.status != FINISHED or not view.game.secrets:
        return []
    return [
        (name, make_step_url(view.id, version, sight), sight == asked)
        for sight, name in _SIGHTS.items()
    ]


def get_frame(replay: Replay) -> Frame:
    """Return the frame that ``at`` names (left out: the last); before the first, the first.

    Raises ``InvalidRequest``, and ``NoSuchStep`` for a version that is yet to come.
    """
    at = read_version("at")
    if at is None:
        return replay.frames[-1]
    last = replay.frames[-1].version
    if at > last:
        raise NoSuchStep(say("This match has {number} events so far.", number=last))
    return get_frame_at(replay, at)


def make_replay_context(
    replay: Replay,
    frame: Frame,
    ways: Ways = NOWHERE,
    ahead: Scene | None = None,
    beyond: Beyond = ENDS,
) -> dict[str, Any]:
    """Return what the templates of a replay take. Raises ``InvalidRequest``.

    ``ahead``: what a move would lead to that is tried from this step. ``beyond``: what lies behind
    the last step and before the first.
    """
    view, asked, frames = replay.shown.view, read_sight(), replay.frames
    if request.args.get("flip", "") not in ("", *SIDES):
        raise InvalidRequest(say("'flip' is 0 or 1, or left out."), pointer="/flip")
    speak_of(people_of(replay.shown))
    found, speed = link_steps(view.id, frames, frame, asked, beyond), read_speed()
    playing = speed if found.following else None
    before = found.before.view.updated_at if found.before else None
    analysis = show_analysis(replay, frame, asked)
    marks = analysis.marks if analysis else {}
    return {
        "shown": replay.shown,
        "match": view,
        "frame": frame,
        "stage": put_on_stage(frame, before, replay.shown, ways, ahead),
        "players": {seat: name_of(replay.shown, seat) for seat in (1, 2)},
        "steps": found,
        "rounds": list_rounds(replay.shown, frames, frame, asked, marks),
        "analysis": analysis,
        "timeline": draw_timeline(frames, frame),
        "sights": list_sights(view, frame.version, asked),
        "asked": asked,
        "flip": read_flip(),
        "here": url_for(choose_replay_page(), match_id=view.id),
        "first_version": frames[0].version,
        "last_version": frames[-1].version,
        "flip_url": _make_flip_url(replay, frame, asked),
        "flip_other": SIDES[not turns_by_itself(replay.shown)],
        "step_to": lambda at: make_step_url(view.id, at, asked),
        "what_if": make_line_url(view.id, frame.version, ()) if can_try(view, asked) else None,
        "speeds": SPEEDS,
        "playing": playing,
        "refresh": _format_refresh(found.following, playing),
        "keys": list(iter_site_keys()),
        "events_url": url_for("pages.events", match_id=view.id, **make_sight_query(asked)),
        "setup": {
            **_make_setup(replay, asked),
            **beyond._asdict(),
            "mistakes": analysis.mistakes if analysis else [],
        },
    }


def _make_setup(replay: Replay, asked: str | None) -> dict[str, Any]:
    """Return what the script takes: addresses, versions, keys."""
    view, frames = replay.shown.view, replay.frames
    last = make_event_id(frames[-1].version, frames[-1].recorded[-1]["hash"])
    goes_on = view.status in (ACTIVE, OPEN) and asked is None
    # A page of others, or about something else, has no news but the match.
    whole = request.endpoint == "pages.match" or not is_for_everybody(view)
    of_whom = "pages.stream" if whole else "api.stream_events"
    return {
        "frames": url_for("pages.frames", match_id=view.id, **make_sight_query(asked)),
        "match": url_for("pages.match", match_id=view.id),
        "first": frames[0].version,
        "last": frames[-1].version,
        "total": view.ply,
        "resume": str(last),
        "ends": [*ENDINGS],
        "known": _is_known(replay),
        "most": MOST_FRAMES,
        "page": PAGE,
        "stream": url_for(of_whom, match_id=view.id) if goes_on else None,
        "you": replay.shown.you,
        "yours": replay.shown.you is not None and view.status == ACTIVE and asked is None,
        "keys": {key: one.action for one in iter_site_keys() for key in one.browser_keys},
    }


def _is_known(replay: Replay) -> bool:
    """Whether the event that the address says it knows of is one of this history of the match."""
    since = read_event_id(request.args.get("since", "")) or START
    hashes = {event["version"]: event["hash"] for one in replay.frames for event in one.recorded}
    there = hashes.get(since.version)
    return since == START or (there is not None and there.startswith(since.hash))


def _make_flip_url(replay: Replay, frame: Frame, asked: str | None) -> str:
    """Return the address of the other side; the usual side needs no word of it.

    A move that is being entered stays.
    """
    shown = replay.shown
    usual, other = turns_by_itself(shown), not is_turned(shown)
    side = None if usual is other else SIDES[other]
    entered: dict[str, Any] = {"path": request.args.getlist("path"), "on": request.args.get("on")}
    yours = shown.you is not None and shown.you == frame.view.to_act
    stays = yours and entered["path"] and frame is replay.frames[-1]
    at = entered if stays else {"at": frame.version}
    return url_for(
        choose_replay_page(), match_id=shown.view.id, **at, flip=side, **make_sight_query(asked)
    )


def _format_refresh(following: str | None, speed: str | None) -> str | None:
    """Return what leads a browser without a script on, by itself."""
    if following is None or speed is None:
        return None
    address, _, _ = following.partition("#")
    return f"{_compute_seconds(speed)};url={address}&play={speed}"
