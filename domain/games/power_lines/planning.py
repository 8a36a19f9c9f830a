"""What a search needs to know of the cards: a whole position that fits a view, and who is ahead."""

from __future__ import annotations

from collections import Counter

from domain.games.power_lines.cards import (
    HIDDEN,
    HIGHEST,
    SUGGESTED,
    Laid,
    value,
)
from domain.games.power_lines.plays import needed, strength
from domain.games.power_lines.position import Position, Side
from domain.games.power_lines.views import View
from domain.json_types import JsonObject
from domain.log.chance import Dice


def complete(view: View, _: JsonObject, dice: Dice) -> Position:
    """Return a position that agrees with what a seat sees; what it does not see is drawn.

    Both seats are taken to play the suggested deck, as far as what is seen allows it.
    """
    first, second = (_completed(side, dice) for side in view.seen.sides)
    return view.seen._replace(sides=(first, second))


def _completed(side: Side, dice: Dice) -> Side:
    laid = [card.face for card in side.cards.values()]
    seen = Counter((*side.hand, *laid, *side.deck, *side.discard, *side.trash))
    hidden = seen[HIDDEN]
    unseen = dice.shuffle(sorted((Counter(SUGGESTED) - seen).elements()))
    unseen += [dice.below(HIGHEST + 1) for _ in range(hidden - len(unseen))]
    hand = tuple(sorted(unseen.pop() if face == HIDDEN else face for face in side.hand))
    cards = {
        spot: card._replace(face=unseen.pop()) if card.face == HIDDEN else card
        for spot, card in side.cards.items()
    }
    deck = tuple(unseen.pop() if face == HIDDEN else face for face in side.deck)
    return side._replace(deck=deck, cards=Laid(cards), hand=hand)


NEARER, CARD, THREAT, WORTH = 30, 12, 40, 5
"""What a step towards the enemy base, a card of the hand, a base that could be dominated, and a
point of connected value are worth."""


def evaluate(position: Position) -> int:
    """Return by how much seat 1 is ahead: ground, cards in play and in hand, threats to bases."""
    return _standing(position, 1) - _standing(position, 2)


def _standing(position: Position, seat: int) -> int:
    side, other = position.side(seat), position.side(3 - seat)
    connected = position.connected(seat)
    worth = sum(value(side.cards, spot) for spot in connected)
    base = position.home(3 - seat)
    at_base = 0
    if base in other.cards:
        at_base = min(strength(position, seat, base, connected), needed(other.cards, base))
    to_x, to_y = base
    nearest = min((abs(x - to_x) + abs(y - to_y) for x, y in connected), default=2 * to_x)
    return WORTH * worth + CARD * len(side.hand) - NEARER * nearest + THREAT * at_base
