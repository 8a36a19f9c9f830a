"""Ways on: spaces that can be clicked, and those that have been chosen.

They are laid over a finished picture, so that the drawers of shapes know nothing of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from markupsafe import Markup

from services.drawing.svg.drawing import Spot, Spots
from services.drawing.svg.markup import Point, group, join, path, tag
from services.drawing.svg.tokens import caption

_BADGE = 11


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


def leads_on(spots: Spots, ways: Ways) -> bool:
    """Whether any space of a picture is a link."""
    return not ways.open.keys().isdisjoint(spots)


def draw_ways(spots: Spots, ways: Ways) -> Markup:
    """Return the links, and numbers on the spaces that have been chosen."""
    numbers: dict[str, list[str]] = {}
    for number, space in enumerate(ways.chosen, 1):
        numbers.setdefault(space, []).append(str(number))
    return join(
        *(
            _chosen(spots[space][-1], "+".join(found))
            for space, found in numbers.items()
            if space in spots
        ),
        *(_link(space, spots[space], way) for space, way in ways.open.items() if space in spots),
    )


def written_places(spots: Spots) -> str:
    """Return where spaces lie, as JSON: by id the middle, the size and the turn of the first spot.

    >>> written_places({"node:1": (Spot(Point(10, 20), 30, 40.5),)})
    '{"node:1":[10,20,30,40.5,0]}'
    """
    places = {
        space: [round(value, 1) for value in (*found[0].at, *found[0][1:])]
        for space, found in spots.items()
    }
    return json.dumps(places, separators=(",", ":"))


def _link(space: str, spots: tuple[Spot, ...], way: Way) -> Markup:
    """Return a link over every spot of a space, with its sign on the last one."""
    edges = (_placed("go-on", spot, _edge(spot, "go-edge")) for spot in spots)
    arrow = tag("path", d=path("M", -3, -5, "L", 4, 0, -3, 5, "Z"), class_="go-arrow")
    sign = _placed("go-on", spots[-1], _badge(spots[-1], "go-badge", arrow))
    name = tag("title", way.name)
    return tag("a", name, *edges, sign, href=way.href, class_="way", data_space=space)


def _chosen(spot: Spot, number: str) -> Markup:
    badge = _badge(spot, "chosen-badge", caption(number, 15, class_="chosen-number"))
    return _placed("chosen", spot, _edge(spot, "chosen-edge"), badge)


def _placed(class_: str, spot: Spot, *children: str) -> Markup:
    return group(class_, *children, at=spot.at, turn=spot.turn)


def _edge(spot: Spot, class_: str) -> Markup:
    wide, high = spot.wide + 4, spot.high + 4
    return tag("rect", x=-wide / 2, y=-high / 2, width=wide, height=high, rx=9, class_=class_)


def _badge(spot: Spot, class_: str, sign: Markup) -> Markup:
    corner = Point(spot.wide / 2 - 2, 2 - spot.high / 2)
    return group("badge-of-way", tag("circle", r=_BADGE, class_=class_), sign, at=corner)
