"""The frame around a drawing: size, names for those who cannot see it, patterns."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from domain.game.scene import Scene, Shape, Zone
from services.drawing.svg.drawing import Drawing
from services.drawing.svg.field import draw_field
from services.drawing.svg.grid import draw_grid
from services.drawing.svg.holdings import draw_choices, draw_hand, draw_pile
from services.drawing.svg.line import draw_line
from services.drawing.svg.markup import NAMESPACE, number, tag
from services.drawing.svg.patterns import Patterns
from services.drawing.svg.ways import NOWHERE, Ways, draw_ways, leads_on, written_places

_BREADTH, _WIDEST = 200, 8
"""Pictures carry their width as a class, in steps, so that a style sheet keeps them legible."""

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
    drawing, patterns = _draw(zone, scene, prefix)
    drawing = drawing._replace(body=drawing.body + draw_ways(drawing.spots, ways))
    title, desc = f"{prefix}-title", f"{prefix}-desc"
    return _frame(
        drawing,
        _classes(zone, scene),
        tag("title", zone.title, id=title),
        tag("desc", description, id=desc),
        patterns.definitions(),
        role="group" if leads_on(drawing.spots, ways) else "img",
        aria_labelledby=f"{title} {desc}",
        data_spots=written_places(drawing.spots) if ways.placed else None,
    )


def thumbnail(scene: Scene, prefix: str) -> Markup | None:
    """Return the board of a scene, small and for the eye only; None without a board."""
    if not scene.zones or scene.zones[0].shape is Shape.CHOICES:
        return None
    zone = scene.zones[0]
    drawing, patterns = _draw(zone, scene, prefix)
    return _frame(drawing, _classes(zone, scene), patterns.definitions(), aria_hidden="true")


def _draw(zone: Zone, scene: Scene, prefix: str) -> tuple[Drawing, Patterns]:
    patterns = Patterns(prefix)
    return _DRAWERS[zone.shape](zone, scene, patterns), patterns


def _classes(zone: Zone, scene: Scene) -> str:
    """Return the classes of a picture: where pieces leave trails it is night."""
    night = " night" if is_night(zone, scene) else ""
    return f"picture shape-{zone.shape.value}{night}"


def is_night(zone: Zone, scene: Scene) -> bool:
    """Whether a zone is a dark ground, on which trails and glowing things show."""
    return bool(scene.trails) and zone.shape is Shape.GRID


def _frame(drawing: Drawing, class_: str, *inside: Markup, **attributes: str | None) -> Markup:
    return tag(
        "svg",
        *inside,
        drawing.body,
        xmlns=NAMESPACE,
        viewBox=" ".join(map(number, (*drawing.origin, drawing.width, drawing.height))),
        width=drawing.width,
        height=drawing.height,
        class_=f"{class_} breadth-{min(_WIDEST, round(drawing.width / _BREADTH))}",
        **attributes,
    )
