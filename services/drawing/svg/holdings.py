"""What seats hold beside the board: hands as fans or rows, piles as stacks, choices."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from domain.game.scene import Scene, Space, Token, Zone
from services.drawing.svg import cards, marks, markup
from services.drawing.svg.marks import Patterns
from services.drawing.svg.markup import Drawing, Point, Spot, draw_box, group, join, make_tag
from services.drawing.svg.tokens import draw_caption, draw_token, is_card

_WIDEST_FAN = 560
_TURN = 5.0
_WIDEST_TURN = 40.0
_TILE = 58
_SIZE = (cards.WIDTH, cards.HEIGHT)
_LAYERS = 3
_BUTTON = (150.0, 40.0)


def draw_hand(zone: Zone, _: Scene, patterns: Patterns) -> Drawing:
    """Draw cards as a fan, hidden ones as backs; anything else in a row."""
    held = [(space, token) for space in zone.spaces for token in space.tokens]
    if not held or any(is_card(token) for _, token in held):
        return _draw_fan(zone, held, patterns)
    tiles = []
    spots = {}
    for order, (space, token) in enumerate(held):
        at = Point(6 + (order + 0.5) * _TILE, 6 + _TILE / 2)
        tiles.append(draw_token(token, at, _TILE * 0.42, patterns))
        tiles.append(marks.draw_above(space.marks, at, (_TILE * 0.84, _TILE * 0.84)))
        spots[space.id] = (Spot(at, _TILE * 0.9, _TILE * 0.9),)
    return Drawing(max(len(held), 1) * _TILE + 12, _TILE + 12, join(*tiles), spots)


def draw_pile(zone: Zone, _: Scene, patterns: Patterns) -> Drawing:
    """Draw a pile: how many lie there, and the one on top."""
    tokens = [token for space in zone.spaces for token in space.tokens]
    count = len(tokens) + zone.hidden_count
    at = Point(cards.WIDTH / 2 + 8, cards.HEIGHT / 2 + 14)
    layers = [Point(at.x + 4 * n, at.y - 4 * n) for n in range(min(count, _LAYERS))]
    drawn = [cards.draw_back(zone.owner, layer, patterns) for layer in layers]
    if tokens:
        drawn[-1] = cards.draw_card(tokens[-1], layers[-1], patterns)
    body = join(*drawn or [_draw_outline(at)])
    middle = Point(at.x, cards.HEIGHT + 36)
    label = group("count", draw_caption(f"{count}", 20), at=middle)
    found = marks.draw_above({m for space in zone.spaces for m in space.marks}, at, _SIZE)
    spots = {space.id: (Spot(at, *_SIZE),) for space in zone.spaces[-1:]}
    return Drawing(cards.WIDTH + 28, cards.HEIGHT + 52, join(body, found, label), spots)


def draw_choices(zone: Zone, _: Scene, __: Patterns) -> Drawing:
    """Draw choices as the buttons that they are elsewhere."""
    wide, high = _BUTTON
    places = {
        space.id: Point(wide / 2 + 6, high / 2 + 6 + order * (high + 10))
        for order, space in enumerate(zone.spaces)
    }
    drawn = (_draw_button(space, places[space.id]) for space in zone.spaces)
    spots = {space: (Spot(at, *_BUTTON),) for space, at in places.items()}
    return Drawing(wide + 12, max(len(zone.spaces), 1) * (high + 10) + 2, join(*drawn), spots)


def _draw_button(space: Space, at: Point) -> Markup:
    wide, high = _BUTTON
    face = draw_box(wide, high, rx=high / 2, class_="place")
    name = make_tag("text", space.label, font_size=15, dy="0.35em", class_="text")
    return group(
        markup.classify_space(space),
        face,
        name,
        marks.draw_above(space.marks, Point(0, 0), _BUTTON),
        at=at,
    )


def _draw_fan(zone: Zone, held: Sequence[tuple[Space, Token]], patterns: Patterns) -> Drawing:
    count = len(held) + zone.hidden_count
    step = min(cards.WIDTH * 0.72, _WIDEST_FAN / max(count, 1))
    turn = min(_TURN, _WIDEST_TURN / max(count, 1))
    drawn = []
    spots: dict[str, tuple[Spot, ...]] = {}
    for order in range(count):
        off = order - (count - 1) / 2
        at = Point(
            cards.WIDTH * 0.75 + order * step, cards.HEIGHT * 0.64 + abs(off) ** 1.6 * turn * 0.22
        )
        if order < len(held):
            space, token = held[order]
            drawn.append(cards.draw_card(token, at, patterns, off * turn))
            drawn.append(marks.draw_above(space.marks, at, _SIZE))
            spot = _measure_spot(at, off * turn, step if order + 1 < count else cards.WIDTH)
            spots[space.id] = (*spots.get(space.id, ()), spot)
        else:
            drawn.append(cards.draw_back(zone.owner, at, patterns, off * turn))
    if not count:
        drawn.append(_draw_outline(Point(cards.WIDTH * 0.75, cards.HEIGHT * 0.64)))
    width = cards.WIDTH * 1.5 + step * max(count - 1, 0)
    drop = (max(count - 1, 0) / 2) ** 1.6 * turn * 0.22
    return Drawing(width, cards.HEIGHT * 1.28 + drop, join(*drawn), spots)


def _measure_spot(at: Point, turn: float, wide: float) -> Spot:
    """Return what of a card in a fan the next one leaves uncovered: its left part."""
    return Spot(Point(at.x - (cards.WIDTH - wide) / 2, at.y), wide - 4, cards.HEIGHT, turn)


def _draw_outline(at: Point) -> Markup:
    """Return the outline of a place where no card lies."""
    outline = draw_box(*_SIZE, rx=8, stroke_dasharray="5 5", class_="bare")
    return group("space", outline, at=at)
