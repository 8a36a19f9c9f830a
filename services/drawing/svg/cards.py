"""Cards: a face with a band of its owner, or a back; and a face large enough to be read.

Cards on a board and in a fan are too small for a sentence. The large face has worth, price, and
effect as a sign and in a sentence.
"""

from __future__ import annotations

from textwrap import wrap

from markupsafe import Markup

from domain.game.scene import Mark, Sign, Token
from services.drawing.svg import markup, tokens
from services.drawing.svg.marks import Patterns
from services.drawing.svg.markup import NAMESPACE, Point, group, join, kept, number, path, tag
from services.drawing.svg.tokens import caption, draw_sign, draw_token, emblem, is_card

WIDTH = 68
HEIGHT = 94
_BAND = 22
_CORNER = 8
_UNKNOWN = ("", "?")


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
    return tag(
        "rect",
        x=-WIDTH / 2,
        y=-HEIGHT / 2,
        width=WIDTH,
        height=HEIGHT,
        rx=corner,
        class_="sheet",
    )


def _face(token: Token, patterns: Patterns) -> Markup:
    top = -HEIGHT / 2
    band = tag(
        "rect",
        x=-WIDTH / 2 + 2,
        y=top + 2,
        width=WIDTH - 4,
        height=_BAND - 2,
        rx=_CORNER * (0.75 if token.owner == 1 else 0.2),
        class_="body",
        fill=patterns.hatch(token.owner),
    )
    middle = (_BAND - 4) / 2
    if token.kind == "base":
        return join(_sheet(token.owner), band, _keep(middle), _worth(token))
    low = _worth(token) or _effect(token)
    return join(
        _sheet(token.owner),
        band,
        *_price(token),
        caption(token.text, 38, y=middle - (8 if low else 0), class_="print"),
        _effect(token),
        _worth(token),
    )


def _price(token: Token) -> list[Markup]:
    """Return what the card costs, in its band, on a plate that hides the hatching."""
    if not token.price:
        return []
    room = 17
    wide = room * len(token.price) + 4
    y = _BAND / 2 - HEIGHT / 2 + 1
    plate = tag("rect", x=-wide / 2, y=y - 9.5, width=wide, height=19, rx=4, class_="plate")
    first = -room * (len(token.price) - 1) / 2
    signs = (
        tokens.draw_sign(sign, Point(first + room * at, y)) for at, sign in enumerate(token.price)
    )
    return [group("price", plate, *signs)]


def _effect(token: Token) -> Markup:
    if token.effect in (None, Sign.NONE):
        return Markup("")
    at = Point(-WIDTH / 2 + 15, HEIGHT / 2 - 16)
    return group("effect", tokens.draw_sign(token.effect, at))


def _back(token: Token, patterns: Patterns) -> Markup:
    known = token.text not in _UNKNOWN
    plate = (
        join(tag("circle", r=19, class_="plate"), caption(token.text, 22))
        if known
        else join(emblem(token.owner, 13, patterns))
    )
    return join(_sheet(token.owner), _woven(token.owner, patterns), plate, _worth(token))


def _woven(owner: int | None, patterns: Patterns) -> Markup:
    return tag(
        "rect",
        x=-WIDTH / 2 + 5,
        y=-HEIGHT / 2 + 5,
        width=WIDTH - 10,
        height=HEIGHT - 10,
        rx=_CORNER * (0.6 if owner == 1 else 0.1),
        fill=patterns.fill("back"),
        class_="woven",
    )


def _worth(token: Token) -> Markup:
    """Return the card's present value in its lower corner, where its print says another."""
    if token.value is None or str(token.value) == token.text:
        return Markup("")
    return group(
        "worth",
        tag("rect", x=-19, y=-14, width=38, height=28, rx=14, class_="badge"),
        caption(str(token.value), 22),
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
    patterns = Patterns(prefix)
    return tag(
        "svg",
        group(
            f"{markup.of_token(token)} card readable",
            _readable_sheet(token, height),
            _band(token, patterns),
            group(
                "value",
                caption(token.text, 44, class_="numeral"),
                at=Point(READABLE_WIDTH / 2, _READABLE_BAND + 28),
            ),
            _readable_effect(token),
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


def _readable_sheet(token: Token, height: float) -> Markup:
    corner = 14 if token.owner == 1 else 5
    return tag(
        "rect", x=1, y=1, width=READABLE_WIDTH - 2, height=height - 2, rx=corner, class_="sheet"
    )


def _band(token: Token, patterns: Patterns) -> Markup:
    """Return the band of its owner, with the price on a plate that hides the hatching."""
    band = tag(
        "rect",
        x=4,
        y=4,
        width=READABLE_WIDTH - 8,
        height=_READABLE_BAND - 4,
        rx=10 if token.owner == 1 else 3,
        class_="body",
        fill=patterns.hatch(token.owner),
    )
    if not token.price:
        return band
    room = 24
    wide = room * len(token.price) + 6
    middle, y = READABLE_WIDTH / 2, _READABLE_BAND / 2 + 2
    plate = tag("rect", x=middle - wide / 2, y=y - 12, width=wide, height=24, rx=5, class_="plate")
    first = middle - room * (len(token.price) - 1) / 2
    signs = (draw_sign(sign, Point(first + room * at, y)) for at, sign in enumerate(token.price))
    return group("price", band, plate, *signs)


def _readable_effect(token: Token) -> Markup:
    if token.effect in (None, Sign.NONE):
        return Markup("")
    return group(
        "effect", draw_sign(token.effect, Point(READABLE_WIDTH / 2, _READABLE_BAND + _WORTH + 20))
    )


def _sentence(lines: list[str]) -> Markup:
    first = _READABLE_BAND + _WORTH + _SIGN + _LINE
    written = (
        tag("tspan", line, x=_SIDE, y=first + _LINE * at - 4) for at, line in enumerate(lines)
    )
    return tag("text", *written, font_size=12.5, class_="sentence")
