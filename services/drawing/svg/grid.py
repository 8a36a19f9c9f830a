"""A grid: cells with names at two edges, trails and bonds between their middles."""

from __future__ import annotations

from markupsafe import Markup

from domain.game.scene import Link, Scene, Space, Trail, Zone
from services.drawing.svg import classes, marks
from services.drawing.svg.drawing import Drawing, Spot
from services.drawing.svg.keeping import kept
from services.drawing.svg.markup import Point, group, join, path, tag
from services.drawing.svg.patterns import Patterns
from services.drawing.svg.tokens import draw_token

_PITCH = 92
_CELL = 82
_AXIS = 30
_EDGE = 10
_SIZE = (_CELL, _CELL)


def draw_grid(zone: Zone, scene: Scene, patterns: Patterns) -> Drawing:
    """Draw a grid; its axes are named as the scene says."""
    lowest = Point(
        min((s.x for s in zone.spaces), default=0), min((s.y for s in zone.spaces), default=0)
    )
    left = _EDGE + (_AXIS if scene.rows else 0)
    top = _EDGE + (_AXIS if scene.columns else 0)
    places = {
        space.id: Point(
            left + (space.x - lowest.x + 0.5) * _PITCH, top + (space.y - lowest.y + 0.5) * _PITCH
        )
        for space in zone.spaces
    }
    body = join(
        *(_cell(space, places[space.id], patterns) for space in zone.spaces),
        _axes(scene, left, top),
        *(_trail(trail, places) for trail in scene.trails),
        *(_bond(link, places) for link in scene.links),
        *(_tokens(space, places[space.id], patterns) for space in zone.spaces),
        *(marks.above(space.marks, places[space.id], _SIZE) for space in zone.spaces),
    )
    columns = max((space.x - lowest.x + 1 for space in zone.spaces), default=1)
    rows = max((space.y - lowest.y + 1 for space in zone.spaces), default=1)
    spots = {space: (Spot(at, *_SIZE),) for space, at in places.items()}
    return Drawing(left + columns * _PITCH + _EDGE, top + rows * _PITCH + _EDGE, body, spots)


@kept
def _cell(space: Space, at: Point, patterns: Patterns) -> Markup:
    return group(
        classes.of_space(space),
        tag("title", space.label),
        tag(
            "rect",
            x=-_CELL / 2,
            y=-_CELL / 2,
            width=_CELL,
            height=_CELL,
            rx=8,
            class_="place",
        ),
        marks.below(space, Point(0, 0), _SIZE, patterns),
        at=at,
    )


def _axes(scene: Scene, left: float, top: float) -> Markup:
    columns = (
        tag("text", name, x=left + (at + 0.5) * _PITCH, y=top - 12, class_="axis")
        for at, name in enumerate(scene.columns)
    )
    rows = (
        tag("text", name, x=left - 16, y=top + (at + 0.5) * _PITCH, dy="0.35em", class_="axis")
        for at, name in enumerate(scene.rows)
    )
    return group("axes", *columns, *rows)


def _trail(trail: Trail, places: dict[str, Point]) -> Markup:
    """Return the way of a piece; the trails of both seats run side by side."""
    aside = -6 if trail.owner == 1 else 6
    steps = [places[space] for space in trail.spaces if space in places]
    if not steps:
        return Markup("")
    moved = [Point(step.x + aside, step.y + aside) for step in steps]
    way = path("M", *(value for step in moved for value in ("L", *step)))
    dots = (tag("circle", cx=step.x, cy=step.y, r=5, class_="stop") for step in moved)
    dashes = None if trail.owner == 1 else "2 9"
    return group(
        f"trail {classes.seat(trail.owner)}",
        tag("path", d=way.replace("M L", "M", 1), class_="way", stroke_dasharray=dashes),
        *dots,
    )


def _bond(link: Link, places: dict[str, Point]) -> Markup:
    if link.source not in places or link.target not in places:
        return Markup("")
    start, end = places[link.source], places[link.target]
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    return group(
        f"bond {classes.seat(link.owner)}",
        tag("path", d=path("M", *start, "L", *end), class_="bar"),
        tag("circle", cx=middle.x, cy=middle.y, r=9, class_="knot"),
    )


def _tokens(space: Space, at: Point, patterns: Patterns) -> Markup:
    """Return the tokens of a cell; several of them share it."""
    count = len(space.tokens)
    radius = _CELL * (0.38 if count < 2 else 0.26)  # noqa: PLR2004 one fills the cell
    spread = (count - 1) / 2
    return join(
        *(
            draw_token(
                token,
                Point(at.x + (order - spread) * 22, at.y + (order - spread) * 22),
                radius,
                patterns,
            )
            for order, token in enumerate(space.tokens)
        )
    )
