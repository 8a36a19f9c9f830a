"""Cards: a face with a band of its owner, or a back; and a face large enough for a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from markupsafe import Markup

from domain.game.scene import Mark, Sign, Token
from services.drawing.svg import markup
from services.drawing.svg.marks import Patterns
from services.drawing.svg.markup import (
    NAMESPACE,
    Point,
    draw_box,
    format_number,
    format_path,
    group,
    join,
    kept,
    make_tag,
)
from services.drawing.svg.tokens import draw_caption, draw_emblem, draw_sign, draw_token, is_card

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
    inside = _draw_known_back(token, patterns) if token.face_down else _draw_face(token, patterns)
    loose = _draw_tear() if Mark.LOOSE in token.marks else Markup("")
    title = make_tag("title", token.label)
    return group(markup.classify_token(token) + " card", title, inside, loose, at=at, turn=turn)


@kept
def draw_back(owner: int | None, at: Point, patterns: Patterns, turn: float = 0) -> Markup:
    """Return the back of a card that this viewer knows nothing about."""
    inside = _draw_sheet(owner) + _draw_weave(owner, patterns) + draw_emblem(owner, 13, patterns)
    return group(f"token card face-down {markup.classify_seat(owner)}", inside, at=at, turn=turn)


def _draw_sheet(owner: int | None) -> Markup:
    corner = _CORNER if owner == 1 else _CORNER * 0.35
    return draw_box(WIDTH, HEIGHT, rx=corner, class_="sheet")


def _draw_face(token: Token, patterns: Patterns) -> Markup:
    corner = _CORNER * (0.75 if token.owner == 1 else 0.2)
    at = Point(0, _BAND / 2 - HEIGHT / 2 + 1)
    fill = patterns.hatch(token.owner)
    band = draw_box(WIDTH - 4, _BAND - 2, at=at, rx=corner, class_="body", fill=fill)
    middle = (_BAND - 4) / 2
    if token.kind == "base":
        return join(_draw_sheet(token.owner), band, _draw_castle(middle), _draw_worth(token))
    worth, effect = _draw_worth(token), _draw_effect(token, Point(-WIDTH / 2 + 15, HEIGHT / 2 - 16))
    plate = draw_box(17 * len(token.price) + 4, 19, at=at, rx=4, class_="plate")
    return join(
        _draw_sheet(token.owner),
        band,
        group("price", plate, *_draw_price(token, at, 17)) if token.price else "",
        draw_caption(token.text, 38, y=middle - (8 if worth or effect else 0), class_="print"),
        effect,
        worth,
    )


def _draw_price(token: Token, at: Point, room: float) -> Iterator[Markup]:
    """Yield the signs of what a card costs, side by side around a point."""
    first = at.x - room * (len(token.price) - 1) / 2
    for number, sign in enumerate(token.price):
        yield draw_sign(sign, Point(first + room * number, at.y))


def _draw_effect(token: Token, at: Point) -> Markup:
    if token.effect in (None, Sign.NONE):
        return Markup("")
    return group("effect", draw_sign(token.effect, at))


def _draw_known_back(token: Token, patterns: Patterns) -> Markup:
    plate = (
        draw_emblem(token.owner, 13, patterns)
        if token.text in _UNKNOWN
        else make_tag("circle", r=19, class_="plate") + draw_caption(token.text, _LEAST)
    )
    return join(
        _draw_sheet(token.owner), _draw_weave(token.owner, patterns), plate, _draw_worth(token)
    )


def _draw_weave(owner: int | None, patterns: Patterns) -> Markup:
    corner = _CORNER * (0.6 if owner == 1 else 0.1)
    return draw_box(
        WIDTH - 10, HEIGHT - 10, rx=corner, fill=patterns.format_fill("back"), class_="woven"
    )


def _draw_worth(token: Token) -> Markup:
    """Return the card's present value in its lower corner, where its print says another."""
    if token.value is None or str(token.value) == token.text:
        return Markup("")
    return group(
        "worth",
        draw_box(38, 28, rx=14, class_="badge"),
        draw_caption(str(token.value), _LEAST),
        at=Point(WIDTH / 2 - 21, HEIGHT / 2 - 16),
    )


def _draw_castle(middle: float) -> Markup:
    wall = format_path(
        *("M", -20, 16, "V", -14, "H", -12, "V", -7, "H", -4, "V", -14, "H", 4, "V", -7),
        *("H", 12, "V", -14, "H", 20, "V", 16, "H", 6, "V", 6, "A", 6, 6, 0, 0, 0, -6, 6),
        *("V", 16, "Z"),
    )
    return group("keep", make_tag("path", d=wall, class_="wall"), at=Point(0, middle - 6))


def _draw_tear() -> Markup:
    """Return a torn edge: this card hangs on nothing."""
    left, low = -WIDTH / 2, HEIGHT / 2
    torn: list[str | float] = ["M", left + 4, low - 8]
    for step in range(1, 7):
        torn += ["L", left + 4 + step * 10, low - (2 if step % 2 else 8)]
    return make_tag("path", d=format_path(*torn), class_="torn")


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
    sheet = draw_box(READABLE_WIDTH - 2, height - 2, at=at, rx=corner, class_="sheet")
    return make_tag(
        "svg",
        group(
            f"{markup.classify_token(token)} card readable",
            sheet,
            _draw_band(token, patterns),
            group(
                "value",
                draw_caption(token.text, 44, class_="numeral"),
                at=Point(middle, _READABLE_BAND + 28),
            ),
            _draw_effect(token, Point(middle, _READABLE_BAND + _WORTH + 20)),
            _draw_sentence(lines),
        ),
        xmlns=NAMESPACE,
        viewBox=f"0 0 {READABLE_WIDTH} {format_number(height)}",
        width=READABLE_WIDTH,
        height=height,
        class_="picture",
        role="img",
        aria_label=f"{token.text}. {token.told}",
    )


def _draw_band(token: Token, patterns: Patterns) -> Markup:
    """Return the band of its owner, with the price on a plate that hides the hatching."""
    at = Point(READABLE_WIDTH / 2, _READABLE_BAND / 2 + 2)
    corner, fill = 10 if token.owner == 1 else 3, patterns.hatch(token.owner)
    size = (READABLE_WIDTH - 8, _READABLE_BAND - 4)
    band = draw_box(*size, at=at, rx=corner, class_="body", fill=fill)
    if not token.price:
        return band
    plate = draw_box(24 * len(token.price) + 6, 24, at=at, rx=5, class_="plate")
    return group("price", band, plate, *_draw_price(token, at, 24))


def _draw_sentence(lines: list[str]) -> Markup:
    first = _READABLE_BAND + _WORTH + _SIGN + _LINE
    written = (
        make_tag("tspan", line, x=_SIDE, y=first + _LINE * at - 4) for at, line in enumerate(lines)
    )
    return make_tag("text", *written, font_size=12.5, class_="sentence")
