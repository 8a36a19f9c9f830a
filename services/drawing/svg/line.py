"""A line: stones in a row; pieces stand on them, values tower over them as pylons."""

from __future__ import annotations

from math import ceil

from markupsafe import Markup

from domain.game.scene import Mark, Scene, Space, Token, Zone
from services.drawing.svg import classes, marks
from services.drawing.svg.drawing import Drawing, Spot
from services.drawing.svg.keeping import kept
from services.drawing.svg.markup import Point, group, join, path, tag
from services.drawing.svg.patterns import Patterns
from services.drawing.svg.tokens import caption, emblem

_STEP = 66
_EDGE = 46
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
    width = _EDGE * 2 + _STEP * (max(per_row, 1) - 1)
    spots = {space: (Spot(Point(at.x, at.y - _LIFT), *_TOUCH),) for space, at in places.items()}
    return Drawing(width, rows * pitch, body, spots)


def _place(at: int, per_row: int, pitch: float) -> Point:
    row, column = divmod(at, per_row)
    if row % 2:
        column = per_row - 1 - column
    return Point(_EDGE + _STEP * column, pitch * (row + 1) - _FOOT)


def _ground(places: list[Point]) -> Markup:
    if not places:
        return Markup("")
    steps = [value for place in places for value in ("L", *place)]
    return tag("path", d=path("M", *steps[1:]), class_="ground-line")


def _stone(space: Space, at: Point, scene: Scene, patterns: Patterns) -> Markup:
    wide, high = _STONE
    name = scene.columns[space.x] if space.x < len(scene.columns) else str(space.x)
    return group(
        classes.of_space(space),
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
    return group(classes.of_token(token), tag("title", token.label), body, extra, at=at)


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
                f"span {classes.seat(link.owner)}",
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
