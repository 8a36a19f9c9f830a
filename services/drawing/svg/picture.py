"""A whole picture: the frame around a drawing, names for those who cannot see it, the ways on.

Ways on are spaces that can be clicked, and those that have been chosen. They are laid over a
finished picture, so that the drawers of shapes know nothing of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from markupsafe import Markup

from domain.game.scene import Scene, Shape, Zone
from services.drawing.svg.boards import draw_field, draw_grid, draw_line
from services.drawing.svg.holdings import draw_choices, draw_hand, draw_pile
from services.drawing.svg.marks import Patterns
from services.drawing.svg.markup import (
    NAMESPACE,
    Drawing,
    Point,
    Spot,
    Spots,
    draw_box,
    format_number,
    format_path,
    group,
    join,
    make_tag,
)
from services.drawing.svg.tokens import draw_caption

_BADGE, _COUNTED = 11, 15
"""How large the signs of ways are, and the numbers of what has been chosen."""


class Way(NamedTuple):
    """Where a click on a space leads, and what that is called."""

    href: str
    name: str


class Ways(NamedTuple):
    """What can be chosen, by the ids of spaces, and what has been, in order.

    ``placed``: the picture says where each space lies, for a script that leads a keyboard over it.
    """

    open: Mapping[str, Way] = MappingProxyType({})
    chosen: tuple[str, ...] = ()
    placed: bool = False


NOWHERE = Ways()


def draw_ways(spots: Spots, ways: Ways) -> Markup:
    """Return the links, and numbers on the spaces that have been chosen."""
    numbers: dict[str, list[str]] = {}
    for nth, space in enumerate(ways.chosen, 1):
        numbers.setdefault(space, []).append(str(nth))
    return join(
        *(
            _draw_chosen(spots[space][-1], "+".join(found))
            for space, found in numbers.items()
            if space in spots
        ),
        *(
            _draw_link(space, spots[space], way)
            for space, way in ways.open.items()
            if space in spots
        ),
    )


def dump_places(spots: Spots) -> str:
    """Return where spaces lie, as JSON: by id the middle, the size and the turn of the first spot.

    >>> dump_places({"node:1": (Spot(Point(10, 20), 30, 40.5),)})
    '{"node:1":[10,20,30,40.5,0]}'
    """
    places = {
        space: [round(value, 1) for value in (*found[0].at, *found[0][1:])]
        for space, found in spots.items()
    }
    return json.dumps(places, separators=(",", ":"))


def _draw_link(space: str, spots: tuple[Spot, ...], way: Way) -> Markup:
    """Return a link over every spot of a space, with its sign on the last one."""
    edges = (_group_at_spot("go-on", spot, _draw_edge(spot, "go-edge")) for spot in spots)
    arrow = make_tag("path", d=format_path("M", -3, -5, "L", 4, 0, -3, 5, "Z"), class_="go-arrow")
    sign = _group_at_spot("go-on", spots[-1], _draw_badge(spots[-1], _BADGE, "go-badge", arrow))
    name = make_tag("title", way.name)
    return make_tag("a", name, *edges, sign, href=way.href, class_="way", data_space=space)


def _draw_chosen(spot: Spot, number: str) -> Markup:
    written = draw_caption(number, 22, class_="chosen-number")
    badge = _draw_badge(spot, _COUNTED, "chosen-badge", written)
    return _group_at_spot("chosen", spot, _draw_edge(spot, "chosen-edge"), badge)


def _group_at_spot(class_: str, spot: Spot, *children: str) -> Markup:
    return group(class_, *children, at=spot.at, turn=spot.turn)


def _draw_edge(spot: Spot, class_: str) -> Markup:
    return draw_box(spot.wide + 4, spot.high + 4, rx=9, class_=class_)


def _draw_badge(spot: Spot, radius: float, class_: str, sign: Markup) -> Markup:
    corner = Point(spot.wide / 2 - 2, 2 - spot.high / 2)
    return group("badge-of-way", make_tag("circle", r=radius, class_=class_), sign, at=corner)


_STEP, _MOST_STEPS = 100, 24
"""Pictures carry their size as classes, in steps, so that a style sheet keeps them legible."""

_DRAWERS: dict[Shape, Callable[[Zone, Scene, Patterns], Drawing]] = {
    Shape.LINE: draw_line,
    Shape.GRID: draw_grid,
    Shape.FIELD: draw_field,
    Shape.HAND: draw_hand,
    Shape.PILE: draw_pile,
    Shape.CHOICES: draw_choices,
}


def draw_zone(
    zone: Zone, scene: Scene, prefix: str, description: str, ways: Ways = NOWHERE
) -> Markup:
    """Return one zone of a scene as an ``svg`` element.

    Its ids begin with ``prefix``, which has to differ from picture to picture on a page.
    ``description`` says in words what the picture shows. ``ways`` says which spaces are
    links; a picture that has some is a group, since an image has nothing in it to click.
    """
    drawing, patterns = draw(zone, scene, prefix)
    drawing = drawing._replace(body=drawing.body + draw_ways(drawing.spots, ways))
    title, desc = f"{prefix}-title", f"{prefix}-desc"
    return frame_drawing(
        drawing,
        classify_picture(zone, scene),
        make_tag("title", zone.title, id=title),
        make_tag("desc", description, id=desc),
        patterns.draw_definitions(drawing.body),
        role="img" if ways.open.keys().isdisjoint(drawing.spots) else "group",
        aria_labelledby=f"{title} {desc}",
        data_spots=dump_places(drawing.spots) if ways.placed else None,
    )


def draw(zone: Zone, scene: Scene, prefix: str) -> tuple[Drawing, Patterns]:
    """Draw one zone of a scene, without a frame around it."""
    patterns = Patterns(prefix)
    return _DRAWERS[zone.shape](zone, scene, patterns), patterns


def classify_picture(zone: Zone, scene: Scene) -> str:
    """Return the classes of a picture: where pieces leave trails it is night."""
    night = " night" if is_night(zone, scene) else ""
    return f"picture shape-{zone.shape.value}{night}"


def is_night(zone: Zone, scene: Scene) -> bool:
    """Whether a zone is a dark ground, on which trails and glowing things show."""
    return bool(scene.trails) and zone.shape is Shape.GRID


def _classify_size(drawing: Drawing) -> str:
    """Return the classes of a picture's size.

    >>> _classify_size(Drawing(752, 150, Markup(""), {}))
    'breadth-8 height-2'
    """
    wide, high = (min(_MOST_STEPS, ceil(size / _STEP)) for size in (drawing.width, drawing.height))
    return f"breadth-{wide} height-{high}"


def frame_drawing(
    drawing: Drawing, class_: str, *inside: Markup, **attributes: str | None
) -> Markup:
    """Return a drawing as an ``svg`` element."""
    return make_tag(
        "svg",
        *inside,
        drawing.body,
        xmlns=NAMESPACE,
        viewBox=" ".join(map(format_number, (*drawing.origin, drawing.width, drawing.height))),
        width=drawing.width,
        height=drawing.height,
        class_=f"{class_} {_classify_size(drawing)}",
        **attributes,
    )
