"""Boards by shape: a grid, a line, and a field without edges.

A grid has cells with names at two edges, trails and bonds between their middles. A line has
stones in a row, on which pieces stand, while values tower over them as pylons. On a field cards
lie on whole positions, with lines back to where they hang.
"""

from __future__ import annotations

from math import ceil

from markupsafe import Markup

from domain.game.scene import Link, Mark, Scene, Space, Token, Trail, Zone
from services.drawing.svg import cards, marks, markup
from services.drawing.svg.marks import Patterns
from services.drawing.svg.markup import (
    Drawing,
    Point,
    Spot,
    draw_box,
    format_path,
    group,
    join,
    kept,
    make_tag,
)
from services.drawing.svg.tokens import draw_caption, draw_emblem, draw_token

_PITCH = 92
_CELL = 82
_AXIS = 30
_EDGE = 10
_GRID_NAME, _LINE_NAME = 20, 24
"""Sizes of what names spaces: on a phone, too, no text on a board is below nine pixels."""
_SIZE = (_CELL, _CELL)


def draw_grid(zone: Zone, scene: Scene, patterns: Patterns) -> Drawing:
    """Draw a grid; its axes are named as the scene says."""
    xs, ys = [space.x for space in zone.spaces] or [0], [space.y for space in zone.spaces] or [0]
    left = _EDGE + (_AXIS if scene.rows else 0)
    top = _EDGE + (_AXIS if scene.columns else 0)
    places = {
        space.id: Point(
            left + (space.x - min(xs) + 0.5) * _PITCH, top + (space.y - min(ys) + 0.5) * _PITCH
        )
        for space in zone.spaces
    }
    body = join(
        *(_draw_place(space, places[space.id], _SIZE, patterns) for space in zone.spaces),
        _draw_axes(scene, left, top),
        *(_draw_trail(trail, places) for trail in scene.trails),
        *(_draw_bond(link, places) for link in _list_links(scene, places)),
        *(_draw_tokens(space, places[space.id], patterns) for space in zone.spaces),
        *(marks.draw_above(space.marks, places[space.id], _SIZE) for space in zone.spaces),
    )
    columns, rows = (max(found) - min(found) + 1 for found in (xs, ys))
    spots = {space: (Spot(at, *_SIZE),) for space, at in places.items()}
    return Drawing(left + columns * _PITCH + _EDGE, top + rows * _PITCH + _EDGE, body, spots)


@kept
def _draw_place(space: Space, at: Point, size: tuple[float, float], patterns: Patterns) -> Markup:
    return group(
        markup.classify_space(space),
        make_tag("title", space.label),
        draw_box(*size, rx=8, class_="place"),
        marks.draw_below(space, size, patterns),
        at=at,
    )


def _list_links(scene: Scene, places: dict[str, Point]) -> list[Link]:
    """Return the links between two of the places: a scene may have others in another zone."""
    return [link for link in scene.links if {link.source, link.target} <= places.keys()]


def _format_way(steps: list[Point]) -> str:
    """Return the data of a path that goes straight from step to step."""
    return format_path(
        *(part for at, step in enumerate(steps) for part in ("L" if at else "M", *step))
    )


def _draw_axes(scene: Scene, left: float, top: float) -> Markup:
    columns = (
        _draw_name(name, _GRID_NAME, x=left + (at + 0.5) * _PITCH, y=top - 11)
        for at, name in enumerate(scene.columns)
    )
    rows = (
        _draw_name(name, _GRID_NAME, x=left - 16, y=top + (at + 0.5) * _PITCH, dy="0.35em")
        for at, name in enumerate(scene.rows)
    )
    return group("axes", *columns, *rows)


def _draw_name(name: str, size: float, **where: str | float) -> Markup:
    return make_tag("text", name, **where, font_size=size, class_="axis")


def _draw_trail(trail: Trail, places: dict[str, Point]) -> Markup:
    """Return the way of a piece; the trails of both seats run side by side."""
    aside = -6 if trail.owner == 1 else 6
    steps = [
        Point(places[space].x + aside, places[space].y + aside)
        for space in trail.spaces
        if space in places
    ]
    if not steps:
        return Markup("")
    dots = (make_tag("circle", cx=step.x, cy=step.y, r=5, class_="stop") for step in steps)
    dashes = None if trail.owner == 1 else "2 9"
    way = make_tag("path", d=_format_way(steps), class_="way", stroke_dasharray=dashes)
    return group(f"trail {markup.classify_seat(trail.owner)}", way, *dots)


def _draw_bond(link: Link, places: dict[str, Point]) -> Markup:
    start, end = places[link.source], places[link.target]
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    return group(
        f"bond {markup.classify_seat(link.owner)}",
        make_tag("path", d=_format_way([start, end]), class_="bar"),
        make_tag("circle", cx=middle.x, cy=middle.y, r=9, class_="knot"),
    )


def _draw_tokens(space: Space, at: Point, patterns: Patterns) -> Markup:
    """Return the tokens of a cell; several of them share it."""
    count = len(space.tokens)
    radius = _CELL * (0.38 if count < 2 else 0.26)  # noqa: PLR2004 one fills the cell
    drawn = []
    for order, token in enumerate(space.tokens):
        aside = (order - (count - 1) / 2) * 22
        drawn.append(draw_token(token, Point(at.x + aside, at.y + aside), radius, patterns))
    return join(*drawn)


_STEP = 66
_LINE_EDGE = 46
_LONGEST_ROW = 15
_WRAPPED_ROW = 11
_FOOT = 58
"""Room under the stones, for their names."""
_PIECE_ROOM = 92
_TOWER_ROOM = 158
_TALLEST = 10
_STONE = (54.0, 26.0)
_HEAD = 23
_LIFT, _TOUCH = -6, (62.0, 100.0)
"""What of a stone and its name can be clicked: on a phone a row of eleven has room for a finger."""


def draw_line(zone: Zone, scene: Scene, patterns: Patterns) -> Drawing:
    """Draw a line; a long one is folded, every second row running back."""
    spaces = sorted(zone.spaces, key=lambda space: space.x)
    per_row = len(spaces) if len(spaces) <= _LONGEST_ROW else _WRAPPED_ROW
    # A line without pieces is one that is still to be built upon.
    towers = all(token.value is not None for space in spaces for token in space.tokens)
    pitch = _FOOT + (_TOWER_ROOM if towers else _PIECE_ROOM)
    places = {space.id: _place_in_row(at, per_row, pitch) for at, space in enumerate(spaces)}
    body = join(
        make_tag("path", d=_format_way([*places.values()]), class_="ground-line") if places else "",
        *(_draw_stone(space, places[space.id], scene, patterns) for space in spaces),
        *(_draw_flat_marks(space, places[space.id]) for space in spaces),
        _draw_wires(spaces, places, scene),
        *(_draw_figures(space, places[space.id], patterns) for space in spaces),
        _draw_hop(spaces, places),
    )
    rows = ceil(len(spaces) / per_row) if per_row else 1
    width = _LINE_EDGE * 2 + _STEP * (max(per_row, 1) - 1)
    spots = {space: (Spot(Point(at.x, at.y - _LIFT), *_TOUCH),) for space, at in places.items()}
    return Drawing(width, rows * pitch, body, spots)


def _place_in_row(at: int, per_row: int, pitch: float) -> Point:
    row, column = divmod(at, per_row)
    if row % 2:
        column = per_row - 1 - column
    return Point(_LINE_EDGE + _STEP * column, pitch * (row + 1) - _FOOT)


def _draw_stone(space: Space, at: Point, scene: Scene, patterns: Patterns) -> Markup:
    wide, high = _STONE
    name = scene.columns[space.x] if space.x < len(scene.columns) else str(space.x)
    return group(
        markup.classify_space(space),
        make_tag("title", space.label),
        make_tag("ellipse", cx=0, cy=6, rx=wide / 2, ry=high / 2, class_="depth"),
        make_tag("ellipse", cx=0, cy=0, rx=wide / 2, ry=high / 2, class_="place"),
        marks.draw_below(space, (wide * 0.7, high * 0.6), patterns),
        _draw_name(name, _LINE_NAME, y=high / 2 + 28),
        at=at,
    )


def _draw_flat_marks(space: Space, at: Point) -> Markup:
    """Return the marks that lie flat on a stone, and above it the burst of a capture."""
    wide, high = _STONE
    drawn = []
    if Mark.REACH in space.marks:
        ring = make_tag(
            "ellipse", rx=wide / 2 + 5, ry=high / 2 + 5, stroke_dasharray="5 4", class_="reach"
        )
        drawn.append(group("marks", ring, at=Point(at.x, at.y + 2)))
    for mark, lift, size in (
        (Mark.LEFT, 0, (wide + 14, high + 14)),
        (Mark.LOOSE, 0, (wide, high)),
        (Mark.LAST, -3, (wide + 2, high + 8)),
        (Mark.CAPTURED, 20, (56, 56)),
    ):
        drawn.append(marks.draw_above(space.marks & {mark}, Point(at.x, at.y - lift), size))
    return join(*drawn)


def _draw_figures(space: Space, at: Point, patterns: Patterns) -> Markup:
    spread = len(space.tokens) - 1
    return join(
        *(
            _draw_figure(token, Point(at.x + (number - spread / 2) * 26, at.y), patterns)
            for number, token in enumerate(space.tokens)
        )
    )


@kept
def _draw_figure(token: Token, at: Point, patterns: Patterns) -> Markup:
    body = _draw_pawn(token, patterns) if token.value is None else _draw_pylon(token, patterns)
    extra = marks.draw_above(token.marks, Point(0, -_measure_height(token)), (2 * _HEAD, 2 * _HEAD))
    title = make_tag("title", token.label)
    return group(markup.classify_token(token), title, body, extra, at=at, token=token.id)


def _draw_pawn(token: Token, patterns: Patterns) -> Markup:
    """Return a standing piece: a skirt, and the seat's sign for a head."""
    skirt = format_path("M", -17, 2, "Q", -8, -8, -6, -30, "H", 6, "Q", 8, -8, 17, 2, "Z")
    return join(
        make_tag("path", d=skirt, class_="body", fill=patterns.hatch(token.owner)),
        _draw_head(token, 46, patterns),
    )


def _draw_pylon(token: Token, patterns: Patterns) -> Markup:
    """Return a lattice tower, taller the more it is worth."""
    high = _measure_height(token) - 14
    rungs = max(2, round(high / 22))
    braces: list[str | float] = []
    for rung in range(rungs):
        low, top = (15 - 10 * part / rungs for part in (rung, rung + 1))
        side = 1 if rung % 2 else -1
        braces += ["M", side * low, -high * rung / rungs]
        braces += ["L", -side * top, -high * (rung + 1) / rungs]
        braces += ["M", -top, -high * (rung + 1) / rungs, "H", top]
    legs = ("M", -15, 0, "L", -5, -high, "M", 15, 0, "L", 5, -high)
    return join(
        make_tag("path", d=format_path(*legs, *braces), class_="lattice"),
        make_tag(
            "path",
            d=format_path("M", -22, -high, "H", 22, "M", -22, -high, "v", 6),
            class_="lattice",
        ),
        make_tag("path", d=format_path("M", 22, -high, "v", 6), class_="lattice"),
        _draw_head(token, _measure_height(token), patterns),
    )


def _draw_head(token: Token, high: float, patterns: Patterns) -> Markup:
    inner = _HEAD * 0.85
    corner = inner if token.owner == 1 else inner * 0.2
    side = inner * (2 if token.owner == 1 else 1.8)
    plate = draw_box(side, side, rx=corner, class_="plate")
    sign = draw_emblem(token.owner, _HEAD, patterns)
    return group("head", sign, plate, draw_caption(token.text, _LINE_NAME), at=Point(0, -high))


def _measure_height(token: Token) -> float:
    if token.value is None:
        return 46
    return 46 + 8.5 * min(max(token.value, 0), _TALLEST)


def _draw_wires(spaces: list[Space], places: dict[str, Point], scene: Scene) -> Markup:
    """Return the bonds as wires that sag from head to head, and light the ground below."""
    heights = {
        space.id: max((_measure_height(token) - 14 for token in space.tokens), default=20)
        for space in spaces
    }
    drawn = []
    for link in _list_links(scene, places):
        start, end = places[link.source], places[link.target]
        high = (start.y - heights[link.source], end.y - heights[link.target])
        sag = max(high) + 16
        wire = format_path("M", start.x, high[0], "Q", (start.x + end.x) / 2, sag, end.x, high[1])
        drawn.append(
            group(
                f"span {markup.classify_seat(link.owner)}",
                make_tag("path", d=_format_ground(start, end), class_="lit"),
                make_tag("path", d=wire, class_="halo"),
                make_tag("path", d=wire, class_="wire"),
            )
        )
    return join(*drawn)


def _format_ground(start: Point, end: Point) -> str:
    """Return the data of the ground from the edge of one stone to that of the next."""
    aside = (end.x > start.x) - (end.x < start.x)
    down = (end.y > start.y) - (end.y < start.y)
    wide, high = _STONE[0] / 2 * aside, _STONE[1] / 2 * down
    return format_path("M", start.x + wide, start.y + high, "L", end.x - wide, end.y - high)


def _draw_hop(spaces: list[Space], places: dict[str, Point]) -> Markup:
    """Return the arrow from the space that the last move left to where it went."""
    went = [places[space.id] for space in spaces if Mark.LAST in space.marks]
    left = [places[space.id] for space in spaces if Mark.LEFT in space.marks]
    if len(went) != 1 or len(left) != 1:
        return Markup("")
    (start,), (end,) = left, went
    side = 1 if end.x > start.x else -1
    return marks.draw_hop(
        Point(start.x, start.y - 16), Point(end.x - side * 15, end.y - 40), rise=22
    )


_FIELD_PITCH = Point(cards.WIDTH + 18, cards.HEIGHT + 18)
_FIELD_EDGE = 22
_SLOT = (cards.WIDTH, cards.HEIGHT)
_OVERLAP = 13
"""How far a card that covers another is shifted, so that both show."""


def draw_field(zone: Zone, scene: Scene, patterns: Patterns) -> Drawing:
    """Draw the spaces that there are, on a table as large as they need.

    A space lies where it lies however the table grows: so a browser moves none of the cards.
    """
    pitch = _FIELD_PITCH
    places = {space.id: Point(space.x * pitch.x, space.y * pitch.y) for space in zone.spaces}
    body = join(
        *(_draw_place(space, places[space.id], _SLOT, patterns) for space in zone.spaces),
        *(_draw_field_trail(trail, places) for trail in scene.trails),
        *(_draw_link(link, places) for link in _list_links(scene, places)),
        *(_draw_stack(space, places[space.id], patterns) for space in zone.spaces),
    )
    spots = {space: (Spot(at, *_SLOT),) for space, at in places.items()}
    across, down = ([at[axis] for at in places.values()] or [0] for axis in (0, 1))
    wide, high = (size + 2 * _FIELD_EDGE for size in _FIELD_PITCH)
    return Drawing(
        wide + max(across) - min(across),
        high + max(down) - min(down),
        body,
        spots,
        Point(min(across) - wide / 2, min(down) - high / 2),
    )


def _draw_stack(space: Space, at: Point, patterns: Patterns) -> Markup:
    """Return the cards of a position, the covering one shifted off the covered."""
    drawn = (
        cards.draw_card(token, Point(at.x + order * _OVERLAP, at.y - order * _OVERLAP), patterns)
        for order, token in enumerate(space.tokens)
    )
    return join(*drawn, marks.draw_above(space.marks, at, _SLOT))


def _draw_link(link: Link, places: dict[str, Point]) -> Markup:
    way = _format_way([places[link.source], places[link.target]])
    dashes = None if link.owner == 1 else "9 4"
    return group(
        f"bond {markup.classify_seat(link.owner)}",
        make_tag("path", d=way, class_="casing"),
        make_tag("path", d=way, class_="bar", stroke_dasharray=dashes),
    )


def _draw_field_trail(trail: Trail, places: dict[str, Point]) -> Markup:
    steps = [places[space] for space in trail.spaces if space in places]
    way = make_tag("path", d=_format_way(steps), class_="way")
    return group(f"trail {markup.classify_seat(trail.owner)}", way) if steps else Markup("")
