"""Signs: what a card costs and does, as small line drawings around the origin, 16 units wide."""

from __future__ import annotations

from markupsafe import Markup

from domain.game.scene import Sign
from services.drawing.svg.markup import Point, group, tag

_SHAPES = {
    Sign.DISCARD: "M -5 -8 H 5 V 2 H -5 Z M 0 3 V 8 M -3 5 L 0 8 L 3 5",
    Sign.DRAW: "M -5 -2 H 5 V 8 H -5 Z M 0 -3 V -8 M -3 -5 L 0 -8 L 3 -5",
    Sign.GIVE: "M -5 -7 H 5 V 7 H -5 Z M -5 -7 L 5 7",
    Sign.FOLLOWS: "M -7 -5 L -2 0 L -7 5 M 0 -5 L 5 0 L 0 5",
    Sign.STRENGTHENS: "M 0 -7 V 7 M -7 0 H 7",
    Sign.BREAKS: "M -7 -7 L -2 -2 M 7 -7 L 2 -2 M -7 7 L -2 2 M 7 7 L 2 2",
    Sign.FEEDS: "M -7 -5 H -1 V 5 H -7 Z M 2 0 H 8 M 5 -3 L 8 0 L 5 3",
    Sign.TRASHES: "M -6 -5 H 6 M -4 -5 L -3 7 H 3 L 4 -5 M -2 -8 H 2",
    Sign.COVERS: "M -7 -3 H 2 V 8 H -7 Z M -3 -3 V -8 H 6 V 3 H 2",
    Sign.STRIKES: "M -7 7 L 6 -6 M -1 -6 H 6 V 1",
    Sign.GROWS: "M -6 7 V 2 M 0 7 V -2 M 6 7 V -7",
    Sign.MORE: "M -8 -5 H -2 V 5 H -8 Z M 1 0 H 8 M 4.5 -3.5 V 3.5",
}


def draw_sign(sign: Sign, at: Point) -> Markup:
    """Return a sign centred on a point."""
    return group(f"sign-of {sign.value}", tag("path", d=_SHAPES[sign], class_="sign-line"), at=at)
