"""A card large enough to be read: worth, price, and effect as a sign and in a sentence.

Cards on a board and in a fan are too small for a sentence; this is the same face as print.
"""

from __future__ import annotations

from textwrap import wrap

from markupsafe import Markup

from domain.game.scene import Sign, Token
from services.drawing.svg import classes
from services.drawing.svg.keeping import kept
from services.drawing.svg.markup import NAMESPACE, Point, group, number, tag
from services.drawing.svg.patterns import Patterns
from services.drawing.svg.signs import draw_sign
from services.drawing.svg.tokens import caption

WIDTH = 176
"""About the width of a playing card in the hand, in CSS pixels."""

_BAND = 34
_WORTH = 46
_LINE = 16
_ACROSS = 22
"""So many letters of a sentence fit side by side at the size of a line."""
_SIDE = 12
_SIGN = 36


@kept
def draw_readable(token: Token, prefix: str) -> Markup:
    """Return one card as an ``svg`` element, as high as its sentence is long.

    It stands beside the picture whose ids begin with ``prefix``, and is hatched by its patterns.
    """
    lines = wrap(token.told, _ACROSS)
    height = _BAND + _WORTH + _SIGN + _LINE * len(lines) + _SIDE
    patterns = Patterns(prefix)
    return tag(
        "svg",
        group(
            f"{classes.of_token(token)} card readable",
            _sheet(token, height),
            _band(token, patterns),
            group(
                "value", caption(token.text, 44, class_="numeral"), at=Point(WIDTH / 2, _BAND + 28)
            ),
            _effect(token),
            _sentence(lines),
        ),
        xmlns=NAMESPACE,
        viewBox=f"0 0 {WIDTH} {number(height)}",
        width=WIDTH,
        height=height,
        class_="picture",
        role="img",
        aria_label=f"{token.text}. {token.told}",
    )


def _sheet(token: Token, height: float) -> Markup:
    corner = 14 if token.owner == 1 else 5
    return tag("rect", x=1, y=1, width=WIDTH - 2, height=height - 2, rx=corner, class_="sheet")


def _band(token: Token, patterns: Patterns) -> Markup:
    """Return the band of its owner, with the price on a plate that hides the hatching."""
    band = tag(
        "rect",
        x=4,
        y=4,
        width=WIDTH - 8,
        height=_BAND - 4,
        rx=10 if token.owner == 1 else 3,
        class_="body",
        fill=patterns.hatch(token.owner),
    )
    if not token.price:
        return band
    room = 24
    wide = room * len(token.price) + 6
    middle, y = WIDTH / 2, _BAND / 2 + 2
    plate = tag("rect", x=middle - wide / 2, y=y - 12, width=wide, height=24, rx=5, class_="plate")
    first = middle - room * (len(token.price) - 1) / 2
    signs = (draw_sign(sign, Point(first + room * at, y)) for at, sign in enumerate(token.price))
    return group("price", band, plate, *signs)


def _effect(token: Token) -> Markup:
    if token.effect in (None, Sign.NONE):
        return Markup("")
    return group("effect", draw_sign(token.effect, Point(WIDTH / 2, _BAND + _WORTH + 20)))


def _sentence(lines: list[str]) -> Markup:
    first = _BAND + _WORTH + _SIGN + _LINE
    written = (
        tag("tspan", line, x=_SIDE, y=first + _LINE * at - 4) for at, line in enumerate(lines)
    )
    return tag("text", *written, font_size=12.5, class_="sentence")
