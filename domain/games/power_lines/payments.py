"""Payments: what it takes to play a card, and taking it.

Order: discards from the hand (ascending), draws, the sacrifice. A payment is made of
other cards than the one played, and before that one lies on the field.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from domain.games.power_lines.cards import BASE, PRICES, article
from domain.games.power_lines.field import Spot, by_row, without
from domain.games.power_lines.moves import Play
from domain.games.power_lines.position import Position, Side
from domain.i18n import say, say_many


def others(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the hand without one ``card``."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def affordable(side: Side, card: int) -> bool:
    """Say whether hand and deck can pay for ``card``; a sacrifice is not looked at."""
    price = PRICES[card]
    return len(side.hand) > price.discards and len(side.deck) >= price.draws


def discards(side: Side, card: int) -> list[tuple[int, ...]]:
    """Return every choice of cards from the hand that pays for ``card``, in order."""
    return sorted(set(combinations(others(side.hand, card), PRICES[card].discards)))


def sacrifices(side: Side, kept: Spot | None) -> list[Spot]:
    """Return where cards lie that may be sacrificed, by y, then x; ``kept`` may not be."""
    spots = (at for at, card in side.cards.items() if card.face != BASE and at != kept)
    return sorted(spots, key=by_row)


def fault(side: Side, move: Play, kept: Spot | None) -> str | None:
    """Say why ``side`` cannot pay for a play in this way, or None. Its hand has the card."""
    price, card = PRICES[move.card], article(move.card, begins=True)
    if len(move.discard) != price.discards:
        return say_many(
            "{card} costs {number} other card of your hand.",
            "{card} costs {number} other cards of your hand.",
            price.discards,
            card=card,
        )
    if Counter(move.discard) - Counter(others(side.hand, move.card)):
        return say("You pay with other cards of your hand, and can discard only what you hold.")
    if len(side.deck) < price.draws:
        return say_many(
            "{card} makes you draw {draws}, and your deck has {number} card left.",
            "{card} makes you draw {draws}, and your deck has {number} cards left.",
            len(side.deck),
            card=card,
            draws=price.draws,
        )
    return _sacrifice_fault(side, move.sacrifice, kept) if price.sacrifice else None


def pay(position: Position, seat: int, move: Play) -> Position:
    """Return the position after the price, the card played having left the hand."""
    side = position.side(seat)
    hand = list(side.hand)
    for card in (move.card, *move.discard):
        hand.remove(card)
    discard = side.discard + tuple(sorted(move.discard))
    side = drawn(side._replace(hand=tuple(hand), discard=discard), PRICES[move.card].draws)
    if move.sacrifice is not None:
        given = side.cards[move.sacrifice].face
        cards = without(side.cards, [move.sacrifice])
        side = side._replace(cards=cards, discard=(*side.discard, given))
    return position.with_side(seat, side)


def drawn(side: Side, count: int) -> Side:
    """Return a side after it drew ``count`` cards, or as many as there are."""
    deck, cards, hand, discard, trash, placed = side
    hand = tuple(sorted(hand + deck[:count]))
    return Side(deck[count:], cards, hand, discard, trash, placed)


def _sacrifice_fault(side: Side, spot: Spot | None, kept: Spot | None) -> str | None:
    card = None if spot is None else side.cards.get(spot)
    if card is None:
        return say("A 3 costs one of your other cards in play: name a position where one lies.")
    if card.face == BASE:
        return say("A base cannot be discarded for a 3.")
    if spot == kept:
        return say("The 9 that allows this play must stay in play.")
    return None
