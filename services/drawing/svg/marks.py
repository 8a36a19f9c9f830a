"""What tells spaces apart without colour: hatchings of the seats, shapes around marked spaces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from domain.game.scene import Mark, Space
from services.drawing.svg.markup import (
    Point,
    draw_box,
    format_number,
    format_path,
    group,
    join,
    make_tag,
)

GLOW = "glow"
STRIPES = {"seat-2": (7, 45), "closed": (9, 45), "closed-1": (10, -45), "closed-2": (10, 45)}
"""Size and turn, in degrees, of each pattern of stripes."""


class Patterns(NamedTuple):
    """The patterns of one picture; ids begin with its ``prefix``: a page has many pictures."""

    prefix: str

    def format_fill(self, name: str) -> str:
        """Return the value of a ``fill`` attribute that paints with a pattern."""
        return f"url(#{self.prefix}-{name})"

    def hatch(self, seat: int | None) -> str | None:
        """Return the fill of a seat's bodies; None: plain, as the style sheet says."""
        return self.format_fill("seat-2") if seat == 2 else None  # noqa: PLR2004 seats are 1 and 2

    def draw_definitions(self, body: str) -> Markup:
        """Return the ``defs`` element of a picture: the patterns that ``body`` is painted with."""
        names = (*STRIPES, "back", GLOW)
        used = [self._draw_pattern(name) for name in names if self.format_fill(name) in body]
        return make_tag("defs", *used) if used else Markup("")

    def _draw_pattern(self, name: str) -> Markup:
        if name == GLOW:
            return self._draw_glow()
        if name in STRIPES:
            return self._draw_stripes(name, *STRIPES[name])
        diamond = make_tag(
            "path", d=format_path("M", 6, 1, "L", 11, 6, 6, 11, 1, 6, "Z"), class_="stripe-back"
        )
        return self._draw_squares(name, 12, diamond)

    def _draw_stripes(self, name: str, size: float, turn: float) -> Markup:
        stripe = make_tag("rect", width=size * 0.4, height=size, class_=f"stripe stripe-{name}")
        return self._draw_squares(name, size, stripe, patternTransform=f"rotate({turn})")

    def _draw_squares(self, name: str, size: float, *drawn: Markup, **more: str) -> Markup:
        """Return a pattern of what is drawn on squares of a size."""
        ground = make_tag("rect", width=size, height=size, class_=f"ground ground-{name}")
        more = {"patternUnits": "userSpaceOnUse", **more}
        id_ = f"{self.prefix}-{name}"
        return make_tag("pattern", ground, *drawn, id=id_, width=size, height=size, **more)

    def _draw_glow(self) -> Markup:
        """Return what glows in the middle and fades away around it."""
        stops = ((0, 0.95), (0.35, 0.5), (1, 0))
        return make_tag(
            "radialGradient",
            *(
                make_tag("stop", offset=at, stop_opacity=opacity, class_=GLOW)
                for at, opacity in stops
            ),
            id=f"{self.prefix}-{GLOW}",
        )


def draw_below(space: Space, size: tuple[float, float], patterns: Patterns) -> Markup:
    """Return what lies under the tokens of a space: the hatching of a closed one."""
    nobody = Mark.CLOSED in space.marks and not space.closed_to
    names = [f"closed-{seat}" for seat in sorted(space.closed_to)] + ["closed"] * nobody
    corner = min(size) * 0.09
    return join(
        *(
            draw_box(*size, rx=corner, fill=patterns.format_fill(name), class_=f"shut {name}")
            for name in names
        )
    )


def draw_above(marks: Iterable[Mark], at: Point, size: tuple[float, float]) -> Markup:
    """Return the shapes of marks, drawn around and over a space of ``size``."""
    drawn = [_DRAWN[mark](*size) for mark in sorted(marks) if mark in _DRAWN]
    return group("marks", *drawn, at=at) if drawn else Markup("")


def draw_hop(start: Point, end: Point, rise: float) -> Markup:
    """Return the arrow of a move from one space to another, in an arc ``rise`` high."""
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2 - rise * 2)
    slope = (end.x - middle.x, end.y - middle.y)
    length = (slope[0] ** 2 + slope[1] ** 2) ** 0.5 or 1
    ahead = Point(slope[0] / length * 11, slope[1] / length * 11)
    aside = Point(-ahead.y * 0.55, ahead.x * 0.55)
    tip = format_path(
        *("M", *end, "L", end.x - ahead.x + aside.x, end.y - ahead.y + aside.y),
        *(end.x - ahead.x - aside.x, end.y - ahead.y - aside.y, "Z"),
    )
    return group(
        "hop",
        make_tag("path", d=format_path("M", *start, "Q", *middle, *end), class_="arc"),
        make_tag("path", d=tip, class_="tip"),
    )


def _draw_last(wide: float, high: float) -> Markup:
    """Return four corners."""
    x, y, arm = wide / 2 + 3, high / 2 + 3, min(wide, high) * 0.2
    corners = (
        format_path("M", side * x, end * (y - arm), "V", end * y, "H", side * (x - arm))
        for side in (-1, 1)
        for end in (-1, 1)
    )
    return make_tag("path", d=" ".join(corners), class_="last")


def _draw_left(wide: float, high: float) -> Markup:
    return make_tag("circle", r=min(wide, high) * 0.24, class_="left", stroke_dasharray="1 6")


def _draw_captured(wide: float, high: float) -> Markup:
    """Return a burst of eight rays around the space's middle."""
    inner, outer = min(wide, high) * 0.34, min(wide, high) * 0.52
    ray = format_path("M", 0, -inner, "V", -outer)
    turns = (
        make_tag("path", d=ray, class_="ray", transform=f"rotate({turn})" if turn else None)
        for turn in range(0, 360, 45)
    )
    return group("captured", *turns)


def _draw_reach(wide: float, high: float) -> Markup:
    gap = format_number(min(wide, high) * 0.09)
    corner, dashes = min(wide, high) * 0.16, f"{gap} {gap}"
    return draw_box(wide - 8, high - 8, rx=corner, stroke_dasharray=dashes, class_="reach")


def _draw_loose(wide: float, high: float) -> Markup:
    """Return a broken link at the space's lower edge."""
    y = high / 2 - 5
    part = wide * 0.2
    broken = format_path(
        "M", -wide * 0.3, y, "h", part, "l", 6, -6, "m", 2, 12, "l", 6, -6, "h", part
    )
    return make_tag("path", d=broken, class_="loose")


_DRAWN = {
    Mark.LAST: _draw_last,
    Mark.LEFT: _draw_left,
    Mark.CAPTURED: _draw_captured,
    Mark.REACH: _draw_reach,
    Mark.LOOSE: _draw_loose,
}
