"""Matches of a service elsewhere in the form that the renderers of this room take.

A game is nothing here but what the service says of it: the record ``Game`` is filled with the
scene and the state as they came, and with rules that nobody asks.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, NoReturn, cast

from domain.game.game import AnyGame, Game, Notation, Sight, Viewer
from domain.game.scene import Scene
from domain.json_types import Json, JsonObject
from domain.match.kinds import ENDINGS
from domain.match.views import MatchView, Pending
from services.drawing.scene_json import read_scene
from services.matches.match_json import ShownMatch
from services.replays.replay import Frame, Replay

_PENDING: dict[str, Pending] = {
    "chance-drawn": "chance",
    "turn-passed": "pass",
    "match-ended": "end",
}
"""What a step at which nobody is to act has waited for, by the kind of the event after it."""


class Seen(NamedTuple):
    """What the service shows of a position."""

    state: JsonObject
    scene: Scene | None


@cache
def make_game(slug: str, name: str, rules_version: int) -> AnyGame:
    """Return a game that is played elsewhere."""
    names = (
        "set_up get_next_step parse_move dump_move check_move iter_legal_moves play forfeit view"
        " build_path tell dump load"
    )
    rules: dict[str, Any] = dict.fromkeys(names.split(), _refuse)
    made: Game[Any, Any, Seen] = Game(
        slug=slug,
        name=name,
        rules_version=rules_version,
        summary="",
        endings={},
        options=(),
        show=lambda seen: seen.state,
        build_scene=lambda seen, _: seen.scene or Scene(()),
        notation=Notation(_refuse, _refuse, ""),
        **rules,
    )
    return cast("AnyGame", made)


def read_match(match: JsonObject, name: str | None = None) -> ShownMatch:
    """Return a match of the API as what is shown here; ``name``: of its game."""
    return ShownMatch(_read_view(match, name or match["game"]), {}, match["you"])


def read_replay(replay: JsonObject, name: str | None = None) -> Replay:
    """Return a replay of the API as one of here."""
    shown = read_match(replay["match"], name)
    frames = replay["frames"]
    following = [frame["event"] and frame["event"]["kind"] for frame in frames[1:]]
    return Replay(
        shown,
        [_read_frame(shown.view, *one) for one in zip(frames, [*following, None], strict=True)],
    )


def _read_view(match: JsonObject, name: str) -> MatchView:
    first, second = (seat["player"] for seat in match["seats"])
    return MatchView(
        id=match["id"],
        game=make_game(match["game"], name, match["rules_version"]),
        options=match["options"],
        status=match["status"],
        visibility=match["visibility"],
        pace=match["pace"],
        rated=match["rated"],
        version=match["version"],
        seats=(first, second),
        creator="",
        opponent=match["opponent"],
        viewer=Viewer.from_seat(match["you"]),
        to_act=match["to_act"],
        ply=match["ply"],
        result=match["result"],
        sight=_read_sight(match.get("state"), match.get("scene")),
        last=None,
        created_at=match["created_at"],
        updated_at=match["updated_at"],
        series=match.get("series"),
        deadline=match["deadline"],
    )


def _read_frame(view: MatchView, frame: JsonObject, following: str | None) -> Frame:
    """Return a frame; how the match ended shows in the one in which it did, and not before.

    ``following``: the kind of the event after it, None if it is not known.
    """
    event = frame["event"]
    ended = event is not None and event["kind"] in ENDINGS
    seen = view._replace(
        version=frame["version"],
        to_act=frame["to_act"],
        ply=frame["ply"],
        status=view.status if ended else "active",
        result=view.result if ended else None,
        sight=_read_sight(frame["state"], frame.get("scene")),
        pending=None if frame["to_act"] else _PENDING.get(following or ""),
    )
    return Frame(frame["version"], event, seen, frame["text"])


def _read_sight(state: JsonObject | None, scene: JsonObject | None) -> Sight | None:
    if state is None:
        return None
    return cast("Sight", Seen(state, None if scene is None else read_scene(scene)))


def _refuse(*_: Json) -> NoReturn:
    raise TypeError("the rules of this match are elsewhere")
