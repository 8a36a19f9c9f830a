"""Pieces, tiles and glowing things: how one token looks, whatever it lies on.

Seats differ by outline and filling as well as by colour: seat 1 is round and plain,
seat 2 square and hatched, what belongs to nobody is six-sided or a glow. Signs say what a card
costs and does, as small line drawings around the origin, 16 units wide.
"""

from __future__ import annotations

from markupsafe import Markup

from domain.game.scene import Sign, Token
from services.drawing.svg import markup
from services.drawing.svg.marks import GLOW, Patterns
from services.drawing.svg.markup import Point, draw_box, format_path, group, kept, make_tag

CARD_KINDS = frozenset({"base", "card"})
_FULL = 5
"""The value from which on a glow grows no further."""
_LEAST = 18
"""The size of a text that can still be read where a grid is drawn on a phone."""


def is_card(token: Token) -> bool:
    """Whether a token is a card: a thing with a face and a back."""
    return token.face_down or token.kind in CARD_KINDS


@kept
def draw_token(token: Token, at: Point, radius: float, patterns: Patterns) -> Markup:
    """Return a token that is no card, within ``radius`` of a point."""
    if token.owner is None and token.value is not None:
        body = _draw_glow(token, radius, patterns)
    elif token.owner is None:
        body = draw_emblem(None, radius, patterns) + draw_caption(token.text, radius * 0.8)
    elif token.value is not None:
        body = _draw_tile(token, radius, patterns)
    else:
        body = _draw_piece(token, radius, patterns)
    return group(
        markup.classify_token(token), make_tag("title", token.label), body, at=at, token=token.id
    )


def draw_emblem(owner: int | None, radius: float, patterns: Patterns) -> Markup:
    """Return the sign of a seat around the origin: a disc, a hatched square, a hexagon."""
    if owner == 1:
        return make_tag("circle", r=radius, class_="body")
    if owner is None:
        wide, high = radius * 0.87, radius / 2
        hexagon = format_path(
            *("M", 0, -radius, "L", wide, -high, wide, high, 0, radius),
            *(-wide, high, -wide, -high, "Z"),
        )
        return make_tag("path", d=hexagon, class_="body")
    side, corner = radius * 1.8, radius * 0.22
    return draw_box(side, side, rx=corner, class_="body", fill=patterns.hatch(owner))


def draw_caption(text: str, size: float, *, y: float = 0, class_: str = "text") -> Markup:
    """Return a token's few characters, centred; long ones are set smaller."""
    fitted = size * min(1, 2.4 / max(len(text), 1) ** 0.85)
    return make_tag("text", text, y=y, font_size=fitted, dy="0.35em", class_=class_)


def _draw_piece(token: Token, radius: float, patterns: Patterns) -> Markup:
    inner = radius * 0.72
    plate = (
        make_tag("circle", r=inner, class_="plate")
        if token.owner == 1
        else draw_box(inner * 1.8, inner * 1.8, rx=inner * 0.2, class_="plate")
    )
    written = draw_caption(token.text, max(radius * 0.78, _LEAST))
    return draw_emblem(token.owner, radius, patterns) + plate + written


def _draw_tile(token: Token, radius: float, patterns: Patterns) -> Markup:
    """Return a tile that fills its cell, its corners as round as its seat."""
    corner = radius * (0.42 if token.owner == 1 else 0.06)
    side, inner = radius * 2, radius * 1.52
    total = _draw_total(token, radius)
    return (
        draw_box(side, side, rx=corner, class_="body", fill=patterns.hatch(token.owner))
        + draw_box(inner, inner, rx=corner * 0.8, class_="plate")
        + draw_caption(token.text, radius * 0.95, y=-radius * 0.14 if total else 0)
        + total
    )


def _draw_total(token: Token, radius: float) -> Markup:
    """Return what the tile counts by now, where that is more than is written on it."""
    if token.value is None or str(token.value) == token.text:
        return Markup("")
    plate = draw_box(42, 21, rx=10, class_="badge")
    return group(
        "total", plate, draw_caption(f"={token.value}", _LEAST), at=Point(0, radius * 0.62)
    )


def _draw_glow(token: Token, radius: float, patterns: Patterns) -> Markup:
    strength = min(max(token.value or 0, 0), _FULL) / _FULL
    core = radius * (0.5 + 0.14 * strength)
    return (
        make_tag(
            "circle",
            r=radius * (0.8 + 0.45 * strength),
            fill=patterns.format_fill(GLOW),
            class_="halo",
        )
        + make_tag("circle", r=core, class_="core")
        + draw_caption(token.text, max(radius * 0.62, _LEAST))
    )


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
    return group(
        f"sign-of {sign.value}", make_tag("path", d=_SHAPES[sign], class_="sign-line"), at=at
    )
