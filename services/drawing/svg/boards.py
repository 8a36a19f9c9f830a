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
from services.drawing.svg.markup import Drawing, Point, Spot, group, join, kept, path, tag
from services.drawing.svg.tokens import caption, draw_token, emblem

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
        markup.of_space(space),
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
        f"trail {markup.seat(trail.owner)}",
        tag("path", d=way.replace("M L", "M", 1), class_="way", stroke_dasharray=dashes),
        *dots,
    )


def _bond(link: Link, places: dict[str, Point]) -> Markup:
    if link.source not in places or link.target not in places:
        return Markup("")
    start, end = places[link.source], places[link.target]
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    return group(
        f"bond {markup.seat(link.owner)}",
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
_LIFT, _TOUCH = 14, (60.0, 68.0)
"""What of a stone and of who stands on it can be clicked."""


def draw_line(zone: Zone, scene: Scene, patterns: Patterns) -> Drawing:
    """Draw a line; a long one is folded, every second row running back."""
    spaces = sorted(zone.spaces, key=lambda space: space.x)
    per_row = len(spaces) if len(spaces) <= _LONGEST_ROW else _WRAPPED_ROW
    # A line without pieces is one that is still to be built upon.
    towers = all(token.value is not None for space in spaces for token in space.tokens)
    pitch = _FOOT + (_TOWER_ROOM if towers else _PIECE_ROOM)
    places = {space.id: _place(at, per_row, pitch) for at, space in enumerate(spaces)}
    body = join(
        _ground(list(places.values())),
        *(_stone(space, places[space.id], scene, patterns) for space in spaces),
        *(_flat_marks(space, places[space.id]) for space in spaces),
        _wires(spaces, places, scene),
        *(_figures(space, places[space.id], patterns) for space in spaces),
        _hop(spaces, places),
    )
    rows = ceil(len(spaces) / per_row) if per_row else 1
    width = _LINE_EDGE * 2 + _STEP * (max(per_row, 1) - 1)
    spots = {space: (Spot(Point(at.x, at.y - _LIFT), *_TOUCH),) for space, at in places.items()}
    return Drawing(width, rows * pitch, body, spots)


def _place(at: int, per_row: int, pitch: float) -> Point:
    row, column = divmod(at, per_row)
    if row % 2:
        column = per_row - 1 - column
    return Point(_LINE_EDGE + _STEP * column, pitch * (row + 1) - _FOOT)


def _ground(places: list[Point]) -> Markup:
    if not places:
        return Markup("")
    steps = [value for place in places for value in ("L", *place)]
    return tag("path", d=path("M", *steps[1:]), class_="ground-line")


def _stone(space: Space, at: Point, scene: Scene, patterns: Patterns) -> Markup:
    wide, high = _STONE
    name = scene.columns[space.x] if space.x < len(scene.columns) else str(space.x)
    return group(
        markup.of_space(space),
        tag("title", space.label),
        tag("ellipse", cx=0, cy=6, rx=wide / 2, ry=high / 2, class_="depth"),
        tag("ellipse", cx=0, cy=0, rx=wide / 2, ry=high / 2, class_="place"),
        marks.below(space, Point(0, 0), (wide * 0.7, high * 0.6), patterns),
        tag("text", name, y=high / 2 + 27, class_="axis"),
        at=at,
    )


def _flat_marks(space: Space, at: Point) -> Markup:
    """Return the marks that lie flat on a stone, and above it the burst of a capture."""
    wide, high = _STONE
    drawn = []
    if Mark.REACH in space.marks:
        ring = tag(
            "ellipse", rx=wide / 2 + 5, ry=high / 2 + 5, stroke_dasharray="5 4", class_="reach"
        )
        drawn.append(group("marks", ring, at=Point(at.x, at.y + 2)))
    for mark, lift, size in (
        (Mark.LEFT, 0, (wide + 14, high + 14)),
        (Mark.LOOSE, 0, (wide, high)),
        (Mark.LAST, -3, (wide + 2, high + 8)),
        (Mark.CAPTURED, 20, (56, 56)),
    ):
        drawn.append(marks.above(space.marks & {mark}, Point(at.x, at.y - lift), size))
    return join(*drawn)


def _figures(space: Space, at: Point, patterns: Patterns) -> Markup:
    spread = len(space.tokens) - 1
    return join(
        *(
            _figure(token, Point(at.x + (number - spread / 2) * 26, at.y), patterns)
            for number, token in enumerate(space.tokens)
        )
    )


@kept
def _figure(token: Token, at: Point, patterns: Patterns) -> Markup:
    body = _pawn(token, patterns) if token.value is None else _pylon(token, patterns)
    extra = marks.above(token.marks, Point(0, -_height(token)), (42, 42))
    return group(markup.of_token(token), tag("title", token.label), body, extra, at=at)


def _pawn(token: Token, patterns: Patterns) -> Markup:
    """Return a standing piece: a skirt, and the seat's sign for a head."""
    skirt = path("M", -17, 2, "Q", -8, -8, -6, -30, "H", 6, "Q", 8, -8, 17, 2, "Z")
    return join(
        tag("path", d=skirt, class_="body", fill=patterns.hatch(token.owner)),
        _head(token, 18, 46, patterns),
    )


def _pylon(token: Token, patterns: Patterns) -> Markup:
    """Return a lattice tower, taller the more it is worth."""
    high = _height(token) - 14
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
        tag("path", d=path(*legs, *braces), class_="lattice"),
        tag("path", d=path("M", -22, -high, "H", 22, "M", -22, -high, "v", 6), class_="lattice"),
        tag("path", d=path("M", 22, -high, "v", 6), class_="lattice"),
        _head(token, 17, _height(token), patterns),
    )


def _head(token: Token, radius: float, high: float, patterns: Patterns) -> Markup:
    inner = radius * 0.76
    corner = inner if token.owner == 1 else inner * 0.2
    side = inner * (2 if token.owner == 1 else 1.8)
    plate = tag(
        "rect", x=-side / 2, y=-side / 2, width=side, height=side, rx=corner, class_="plate"
    )
    sign = emblem(token.owner, radius, patterns)
    return group("head", sign, plate, caption(token.text, 15), at=Point(0, -high))


def _height(token: Token) -> float:
    if token.value is None:
        return 46
    return 46 + 8.5 * min(max(token.value, 0), _TALLEST)


def _wires(spaces: list[Space], places: dict[str, Point], scene: Scene) -> Markup:
    """Return the bonds as wires that sag from head to head, and light the ground below."""
    heights = {
        space.id: max((_height(token) - 14 for token in space.tokens), default=20)
        for space in spaces
    }
    drawn = []
    for link in scene.links:
        if link.source not in places or link.target not in places:
            continue
        start, end = places[link.source], places[link.target]
        high = (start.y - heights[link.source], end.y - heights[link.target])
        sag = max(high) + 16
        wire = path("M", start.x, high[0], "Q", (start.x + end.x) / 2, sag, end.x, high[1])
        drawn.append(
            group(
                f"span {markup.seat(link.owner)}",
                tag("path", d=_between(start, end), class_="lit"),
                tag("path", d=wire, class_="halo"),
                tag("path", d=wire, class_="wire"),
            )
        )
    return join(*drawn)


def _between(start: Point, end: Point) -> str:
    """Return the data of the ground from the edge of one stone to that of the next."""
    aside = (end.x > start.x) - (end.x < start.x)
    down = (end.y > start.y) - (end.y < start.y)
    wide, high = _STONE[0] / 2 * aside, _STONE[1] / 2 * down
    return path("M", start.x + wide, start.y + high, "L", end.x - wide, end.y - high)


def _hop(spaces: list[Space], places: dict[str, Point]) -> Markup:
    """Return the arrow from the space that the last move left to where it went."""
    went = [places[space.id] for space in spaces if Mark.LAST in space.marks]
    left = [places[space.id] for space in spaces if Mark.LEFT in space.marks]
    if len(went) != 1 or len(left) != 1:
        return Markup("")
    (start,), (end,) = left, went
    side = 1 if end.x > start.x else -1
    return marks.hop(Point(start.x, start.y - 16), Point(end.x - side * 15, end.y - 40), rise=22)


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
        *(_slot(space, places[space.id], patterns) for space in zone.spaces),
        *(_field_trail(trail, places) for trail in scene.trails),
        *(_line(link, places) for link in scene.links),
        *(_stack(space, places[space.id], patterns) for space in zone.spaces),
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


@kept
def _slot(space: Space, at: Point, patterns: Patterns) -> Markup:
    return group(
        markup.of_space(space),
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
        f"bond {markup.seat(link.owner)}",
        tag("path", d=way, class_="casing"),
        tag("path", d=way, class_="bar", stroke_dasharray=dashes),
    )


def _field_trail(trail: Trail, places: dict[str, Point]) -> Markup:
    steps = [places[space] for space in trail.spaces if space in places]
    if not steps:
        return Markup("")
    way = [value for step in steps for value in ("L", *step)]
    drawn = tag("path", d=path("M", *way[1:]), class_="way")
    return group(f"trail {markup.seat(trail.owner)}", drawn)
