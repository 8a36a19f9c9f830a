"""Cards: a face with a band of its owner, or a back; and a face large enough for a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from markupsafe import Markup

from domain.game.scene import Mark, Sign, Token
from services.drawing.svg import markup
from services.drawing.svg.marks import Patterns
from services.drawing.svg.markup import NAMESPACE, Point, box, group, join, kept, number, path, tag
from services.drawing.svg.tokens import caption, draw_sign, draw_token, emblem, is_card

WIDTH = 68
HEIGHT = 94
_BAND = 22
_CORNER = 8
_UNKNOWN = ("", "?")
_LEAST = 26
"""The size of a text that can still be read where a field is drawn on a phone."""


@kept
def draw_card(token: Token, at: Point, patterns: Patterns, turn: float = 0) -> Markup:
    """Return a card centred on a point; of a thing that is no card, the thing."""
    if not is_card(token):
        return draw_token(token, at, WIDTH * 0.46, patterns)
    inside = _back(token, patterns) if token.face_down else _face(token, patterns)
    loose = _loose() if Mark.LOOSE in token.marks else Markup("")
    title = tag("title", token.label)
    return group(markup.of_token(token) + " card", title, inside, loose, at=at, turn=turn)


@kept
def draw_back(owner: int | None, at: Point, patterns: Patterns, turn: float = 0) -> Markup:
    """Return the back of a card that this viewer knows nothing about."""
    inside = _sheet(owner) + _woven(owner, patterns) + emblem(owner, 13, patterns)
    return group(f"token card face-down {markup.seat(owner)}", inside, at=at, turn=turn)


def _sheet(owner: int | None) -> Markup:
    corner = _CORNER if owner == 1 else _CORNER * 0.35
    return box(WIDTH, HEIGHT, rx=corner, class_="sheet")


def _face(token: Token, patterns: Patterns) -> Markup:
    corner = _CORNER * (0.75 if token.owner == 1 else 0.2)
    at = Point(0, _BAND / 2 - HEIGHT / 2 + 1)
    fill = patterns.hatch(token.owner)
    band = box(WIDTH - 4, _BAND - 2, at=at, rx=corner, class_="body", fill=fill)
    middle = (_BAND - 4) / 2
    if token.kind == "base":
        return join(_sheet(token.owner), band, _keep(middle), _worth(token))
    worth, effect = _worth(token), _effect(token, Point(-WIDTH / 2 + 15, HEIGHT / 2 - 16))
    plate = box(17 * len(token.price) + 4, 19, at=at, rx=4, class_="plate")
    return join(
        _sheet(token.owner),
        band,
        group("price", plate, *_price(token, at, 17)) if token.price else "",
        caption(token.text, 38, y=middle - (8 if worth or effect else 0), class_="print"),
        effect,
        worth,
    )


def _price(token: Token, at: Point, room: float) -> Iterator[Markup]:
    """Yield the signs of what a card costs, side by side around a point."""
    first = at.x - room * (len(token.price) - 1) / 2
    for number_, sign in enumerate(token.price):
        yield draw_sign(sign, Point(first + room * number_, at.y))


def _effect(token: Token, at: Point) -> Markup:
    if token.effect in (None, Sign.NONE):
        return Markup("")
    return group("effect", draw_sign(token.effect, at))


def _back(token: Token, patterns: Patterns) -> Markup:
    plate = (
        emblem(token.owner, 13, patterns)
        if token.text in _UNKNOWN
        else tag("circle", r=19, class_="plate") + caption(token.text, _LEAST)
    )
    return join(_sheet(token.owner), _woven(token.owner, patterns), plate, _worth(token))


def _woven(owner: int | None, patterns: Patterns) -> Markup:
    corner = _CORNER * (0.6 if owner == 1 else 0.1)
    return box(WIDTH - 10, HEIGHT - 10, rx=corner, fill=patterns.fill("back"), class_="woven")


def _worth(token: Token) -> Markup:
    """Return the card's present value in its lower corner, where its print says another."""
    if token.value is None or str(token.value) == token.text:
        return Markup("")
    return group(
        "worth",
        box(38, 28, rx=14, class_="badge"),
        caption(str(token.value), _LEAST),
        at=Point(WIDTH / 2 - 21, HEIGHT / 2 - 16),
    )


def _keep(middle: float) -> Markup:
    """Return a small castle."""
    wall = path(
        *("M", -20, 16, "V", -14, "H", -12, "V", -7, "H", -4, "V", -14, "H", 4, "V", -7),
        *("H", 12, "V", -14, "H", 20, "V", 16, "H", 6, "V", 6, "A", 6, 6, 0, 0, 0, -6, 6),
        *("V", 16, "Z"),
    )
    return group("keep", tag("path", d=wall, class_="wall"), at=Point(0, middle - 6))


def _loose() -> Markup:
    """Return a torn edge: this card hangs on nothing."""
    left, low = -WIDTH / 2, HEIGHT / 2
    torn: list[str | float] = ["M", left + 4, low - 8]
    for step in range(1, 7):
        torn += ["L", left + 4 + step * 10, low - (2 if step % 2 else 8)]
    return tag("path", d=path(*torn), class_="torn")


READABLE_WIDTH = 176
"""About the width of a playing card in the hand, in CSS pixels."""

_READABLE_BAND = 34
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
    height = _READABLE_BAND + _WORTH + _SIGN + _LINE * len(lines) + _SIDE
    patterns, middle = Patterns(prefix), READABLE_WIDTH / 2
    at, corner = Point(middle, height / 2), 14 if token.owner == 1 else 5
    sheet = box(READABLE_WIDTH - 2, height - 2, at=at, rx=corner, class_="sheet")
    return tag(
        "svg",
        group(
            f"{markup.of_token(token)} card readable",
            sheet,
            _band(token, patterns),
            group(
                "value",
                caption(token.text, 44, class_="numeral"),
                at=Point(middle, _READABLE_BAND + 28),
            ),
            _effect(token, Point(middle, _READABLE_BAND + _WORTH + 20)),
            _sentence(lines),
        ),
        xmlns=NAMESPACE,
        viewBox=f"0 0 {READABLE_WIDTH} {number(height)}",
        width=READABLE_WIDTH,
        height=height,
        class_="picture",
        role="img",
        aria_label=f"{token.text}. {token.told}",
    )


def _band(token: Token, patterns: Patterns) -> Markup:
    """Return the band of its owner, with the price on a plate that hides the hatching."""
    at = Point(READABLE_WIDTH / 2, _READABLE_BAND / 2 + 2)
    corner, fill = 10 if token.owner == 1 else 3, patterns.hatch(token.owner)
    size = (READABLE_WIDTH - 8, _READABLE_BAND - 4)
    band = box(*size, at=at, rx=corner, class_="body", fill=fill)
    if not token.price:
        return band
    plate = box(24 * len(token.price) + 6, 24, at=at, rx=5, class_="plate")
    return group("price", band, plate, *_price(token, at, 24))


def _sentence(lines: list[str]) -> Markup:
    first = _READABLE_BAND + _WORTH + _SIGN + _LINE
    written = (
        tag("tspan", line, x=_SIDE, y=first + _LINE * at - 4) for at, line in enumerate(lines)
    )
    return tag("text", *written, font_size=12.5, class_="sentence")
