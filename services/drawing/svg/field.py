"""A field without edges: cards on whole positions, lines back to where they hang."""

from __future__ import annotations

from markupsafe import Markup

from domain.game.scene import Link, Scene, Space, Trail, Zone
from services.drawing.svg import cards, classes, marks
from services.drawing.svg.drawing import Drawing, Spot
from services.drawing.svg.keeping import kept
from services.drawing.svg.markup import Point, group, join, path, tag
from services.drawing.svg.patterns import Patterns

_PITCH = Point(cards.WIDTH + 18, cards.HEIGHT + 18)
_EDGE = 22
_SLOT = (cards.WIDTH, cards.HEIGHT)
_OVERLAP = 13
"""How far a card that covers another is shifted, so that both show."""


def draw_field(zone: Zone, scene: Scene, patterns: Patterns) -> Drawing:
    """Draw the spaces that there are, on a table as large as they need.

    A space lies where it lies however the table grows: so a browser moves none of the cards.
    """
    places = {space.id: Point(space.x * _PITCH.x, space.y * _PITCH.y) for space in zone.spaces}
    body = join(
        *(_slot(space, places[space.id], patterns) for space in zone.spaces),
        *(_trail(trail, places) for trail in scene.trails),
        *(_line(link, places) for link in scene.links),
        *(_stack(space, places[space.id], patterns) for space in zone.spaces),
    )
    spots = {space: (Spot(at, *_SLOT),) for space, at in places.items()}
    across, down = ([at[axis] for at in places.values()] or [0] for axis in (0, 1))
    wide, high = (size + 2 * _EDGE for size in _PITCH)
    return Drawing(
        wide + max(across) - min(across),
        high + max(down) - min(down),
        body,
        spots,
        Point(min(across) - wide / 2, min(down) - high / 2),
    )


@kept
def _slot(space: Space, at: Point, patterns: Patterns) -> Markup:
    return group(
        classes.of_space(space),
        tag("title", space.label),
        tag(
            "rect",
            x=-cards.WIDTH / 2,
            y=-cards.HEIGHT / 2,
            width=cards.WIDTH,
            height=cards.HEIGHT,
            rx=8,
            class_="place",
        ),
        marks.below(space, Point(0, 0), _SLOT, patterns),
        at=at,
    )


def _stack(space: Space, at: Point, patterns: Patterns) -> Markup:
    """Return the cards of a position, the covering one shifted off the covered."""
    drawn = (
        cards.draw_card(token, Point(at.x + order * _OVERLAP, at.y - order * _OVERLAP), patterns)
        for order, token in enumerate(space.tokens)
    )
    return join(*drawn, marks.above(space.marks, at, _SLOT))


def _line(link: Link, places: dict[str, Point]) -> Markup:
    if link.source not in places or link.target not in places:
        return Markup("")
    way = path("M", *places[link.source], "L", *places[link.target])
    dashes = None if link.owner == 1 else "9 4"
    return group(
        f"bond {classes.seat(link.owner)}",
        tag("path", d=way, class_="casing"),
        tag("path", d=way, class_="bar", stroke_dasharray=dashes),
    )


def _trail(trail: Trail, places: dict[str, Point]) -> Markup:
    steps = [places[space] for space in trail.spaces if space in places]
    if not steps:
        return Markup("")
    way = [value for step in steps for value in ("L", *step)]
    drawn = tag("path", d=path("M", *way[1:]), class_="way")
    return group(f"trail {classes.seat(trail.owner)}", drawn)
