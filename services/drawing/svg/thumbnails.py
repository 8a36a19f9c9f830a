"""Small pictures: a board cropped to where something lies, without what would only be dust.

They are drawn for a size: what is written on pieces is left out where nobody could read it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from markupsafe import Markup

from domain.game.scene import Mark, Scene, Shape, Space, Zone, remove_reach
from services.drawing.svg.markup import Point
from services.drawing.svg.picture import classify_picture, draw, frame_drawing

ROOM = Point(256, 144)
"""How large a small picture is at least where pages show it, in CSS pixels."""

LEGIBLE = 9
"""A text smaller than so many pixels is not drawn."""

_AROUND = 1
"""How many spaces around those with something on them are shown as well."""

_TEXT = re.compile(r'<text\b[^>]*? font-size="([0-9.]+)"[^>]*>[^<]*</text>')
_NAME = 'class="axis"'
_BADGE = re.compile(r'<g class="total"[^>]*><rect[^>]*/>(<text[^>]*>[^<]*</text>)</g>')
_TITLE = re.compile(r"<title>[^<]*</title>")


# The first page has a dozen of them, which are the same until somebody moves: to draw them
# takes 20 ms of processor time beside 26 of all else.
@lru_cache(maxsize=512)
def draw_thumbnail(scene: Scene, prefix: str, room: Point = ROOM) -> Markup | None:
    """Return the board of a scene, small and for the eye only; None without a board.

    There are no words in it. ``prefix`` as for ``draw_zone``; ``room``: how large it is shown at
    least.
    """
    if not scene.zones or scene.zones[0].shape is Shape.CHOICES:
        return None
    scene = remove_reach(scene)
    zone = _crop_board(scene.zones[0], scene)
    drawing, patterns = draw(zone, replace(scene, columns=(), rows=()), prefix)
    scale = min(room.x / drawing.width, room.y / drawing.height)
    body = _remove_dust(drawing.body, LEGIBLE / scale)
    return frame_drawing(
        drawing._replace(body=body),
        classify_picture(zone, scene),
        patterns.draw_definitions(body),
        aria_hidden="true",
    )


def _remove_dust(body: Markup, least: float) -> Markup:
    """Return markup without names of spaces, and without texts of less than so many units.

    A badge goes with what is written on it.
    """

    def keep(found: re.Match[str]) -> str:
        return found[0] if float(found[1]) >= least and _NAME not in found[0] else ""

    def keep_badge(found: re.Match[str]) -> str:
        return found[0] if _TEXT.sub(keep, found[1]) else ""

    bare = _BADGE.sub(keep_badge, _TITLE.sub("", body))
    return Markup(_TEXT.sub(keep, bare))  # noqa: S704 - nothing is added


def _crop_board(zone: Zone, scene: Scene) -> Zone:
    """Return a board without the rows and columns in which nothing lies, but for some around.

    Of a field without edges the spaces stay that something lies on.
    """
    linked = {end for link in scene.links for end in (link.source, link.target)}
    linked |= {space for trail in scene.trails for space in trail.spaces}
    busy = [one for one in zone.spaces if _is_busy(one) or one.id in linked]
    if not busy:
        return zone
    if zone.shape is Shape.FIELD:
        return replace(zone, spaces=tuple(busy))
    xs, ys = [one.x for one in busy], [one.y for one in busy]
    kept = (
        one
        for one in zone.spaces
        if min(xs) - _AROUND <= one.x <= max(xs) + _AROUND
        and min(ys) - _AROUND <= one.y <= max(ys) + _AROUND
    )
    return replace(zone, spaces=tuple(kept))


def _is_busy(space: Space) -> bool:
    return bool(space.tokens or space.closed_to or space.owner or Mark.CLOSED in space.marks)
