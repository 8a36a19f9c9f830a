"""A match at one glance: how both seats stood at every step, and the steps worth a look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, NamedTuple

from cachetools import LRUCache, cached
from markupsafe import Markup

from domain.game.scene import Mark, Scene
from domain.i18n import say
from domain.match.kinds import ENDINGS
from domain.match.views import build_scene
from services.drawing.svg.markup import format_number, format_path, make_tag
from services.replays.replay import Frame, tell_frame
from web.i18n import N_, _, translate

WIDE, HIGH, EDGE = 1000.0, 60.0, 5.0
"""The units of graphs; they are stretched to whatever room there is."""

SEATS = (1, 2)

_NOTABLE = {
    "turn-passed": "passed",
    "takeback-accepted": "back",
    "draw-offered": "offered",
    **dict.fromkeys(ENDINGS, "end"),
}
"""Kinds of events that are worth a look, and the class of their ticks."""

_LEGEND = {
    "captured": N_("capture"),
    "passed": N_("pass"),
    "back": N_("takeback"),
    "offered": N_("offer of a draw"),
    "end": N_("end"),
}
"""What ticks mean, by class; in the order in which they are told."""


class _Point(NamedTuple):
    version: int
    values: tuple[int | None, int | None]
    measure: str
    kind: str | None
    text: str


def draw_timeline(frames: Sequence[Frame], frame: Frame) -> dict[str, Any]:
    """Return the graph of a replay.

    ``ticks``: the steps worth a look, with where they are, what kind of thing happened, and the
    sentence; ``legend`` has the kinds that there are, and what each means. ``told`` says in words
    what the graph shows; ``cursor``: the shown step.
    """
    points = [_measure_point(one) for one in frames]
    values = [value for point in points for value in point.values if value is not None]
    lowest, highest = min([0, *values]), max([0, *values])
    places = spread_steps(len(points))
    at = next(order for order, one in enumerate(frames) if one.version == frame.version)
    kinds = {point.kind for point in points}
    return {
        "measure": points[-1].measure,
        "lowest": lowest,
        "highest": highest,
        "lines": Markup("").join(
            draw_course(_list_steps(points, places, seat, (lowest, highest)), f"course seat-{seat}")
            for seat in SEATS
            if values
        ),
        "ticks": [
            (point.version, format_number(x), point.kind, point.text)
            for point, x in zip(points, places, strict=True)
            if point.kind
        ],
        "legend": [(kind, name) for kind, name in _LEGEND.items() if kind in kinds],
        "told": _describe(points) if values else "",
        "cursor": format_number(places[at]),
    }


def spread_steps(count: int) -> list[float]:
    """Return where so many steps lie in a graph, from left to right."""
    return [WIDE * at / max(1, count - 1) for at in range(count)]


def place_value(value: int, lowest: int, highest: int) -> float:
    """Return how far below the upper edge of a graph a value lies."""
    scale = (HIGH - 2 * EDGE) / max(1, highest - lowest)
    return HIGH - EDGE - (value - lowest) * scale


def draw_course(steps: Sequence[str | float], kind: str = "course") -> Markup:
    """Draw a line of a graph from the commands of its path."""
    return make_tag("path", d=format_path(*steps), class_=kind, vector_effect="non-scaling-stroke")


def _make_key(frame: Frame) -> tuple[str, str]:
    return frame.recorded[-1]["hash"], frame.view.viewer.value


# Without it the page of a card match of 130 events costs three times as much (0.16 instead of
# 0.05 s of processor time: `GET /m/ID` of the longest demo match, with the cache emptied or not).
# It takes an event's hash and a viewer to say all of a step, as both do of what a page shows.
@cached(LRUCache(20_000), key=_make_key, lock=Lock())
def _measure_point(frame: Frame) -> _Point:
    """Return what the graph keeps of a step. Events never change: it is worked out once."""
    scene = build_scene(frame.view)
    values, measure = _measure(scene)
    return _Point(frame.version, values, measure, _find_kind(frame, scene), tell_frame(frame))


def _measure(scene: Scene | None) -> tuple[tuple[int | None, int | None], str]:
    if scene is None or not scene.meters:
        return (None, None), ""
    label = scene.measure or scene.meters[0].label
    found = {one.owner: one.value for one in scene.meters if one.label == label}
    return (found.get(1), found.get(2)), label


def _find_kind(frame: Frame, scene: Scene | None) -> str | None:
    event = frame.event
    if event is None:
        return None
    if event["kind"] != "move-made":
        return _NOTABLE.get(event["kind"])
    spaces = (space for zone in scene.zones for space in zone.spaces) if scene else ()
    return "captured" if any(Mark.CAPTURED in space.marks for space in spaces) else None


def _list_steps(
    points: Sequence[_Point], places: Sequence[float], seat: int, bounds: tuple[int, int]
) -> list[str | float]:
    """Return the commands of a path in steps: a value holds until an event changes it."""
    steps: list[str | float] = []
    last: float | None = None
    for point, x in zip(points, places, strict=True):
        value = point.values[seat - 1]
        if value is None:
            continue
        y = place_value(value, *bounds)
        if last is None:
            steps += ["M", x, y]
        elif y != last or point is points[-1]:
            steps += ["H", x, "V", y]
        last = y
    return steps


def _describe(points: Sequence[_Point]) -> str:
    return _("%(measure)s: %(course)s.") % {
        "measure": translate(points[-1].measure),
        "course": "; ".join(_iter_courses(points)),
    }


def _iter_courses(points: Sequence[_Point]) -> Iterator[str]:
    for seat in SEATS:
        values = [point.values[seat - 1] for point in points]
        known = [value for value in values if value is not None]
        if known:
            first = known[0]
            yield translate(
                say("P{seat} from {first} to {last}", seat=seat, first=first, last=known[-1])
            )
