"""Values of cards in play, computed when they are asked for.

A card's value depends on its own seat's cards only, so every function here takes one
seat's cards. What lies face down counts 5 and does nothing: a hidden face is never
looked at.
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.games.power_lines.cards import BASE, FACE_DOWN_VALUE
from domain.games.power_lines.field import Card, Cards, Spot, beside

FOLLOWER, GATHERER = 0, 8
STRENGTHENER = Card(1)
"""A face-up 1. (Only a 6 lies over an enemy, so that no other card equals one.)"""
FOLLOWS_BY = 2
"""How far a 0 stays behind the friendly that it follows."""


def value(cards: Cards, spot: Spot) -> int:
    """Return the value of the card on ``spot``."""
    near = [card for card in map(cards.get, beside(spot)) if card is not None]
    face, up, _ = cards[spot]
    if not up:
        base = FACE_DOWN_VALUE
    elif face == FOLLOWER:
        base = _followed(near)
    else:
        base = face + len(near) if face == GATHERER else face
    return base + near.count(STRENGTHENER)


def total(cards: Cards, spots: Iterable[Spot]) -> int:
    """Return the sum of the values of the cards on ``spots``."""
    return sum(value(cards, spot) for spot in spots)


def fallen(before: Cards, cards: Cards) -> list[Spot]:
    """Return the face-up 0s that are worth less than they were ``before``, in no order.

    A 0 that left play in the meantime is none of them, even if another card lies there now.
    """
    if cards is before:
        return []
    return [
        at
        for at, card in cards.items()
        if card.shows(FOLLOWER) and before.get(at) == card and value(cards, at) < value(before, at)
    ]


def _followed(near: Iterable[Card]) -> int:
    """Return the base value of a face-up 0; whole replays ask for thousands."""
    best = 0
    for face, up, _ in near:
        printed = face if up else FACE_DOWN_VALUE
        if printed > best and face != BASE:
            best = printed
    return max(0, best - FOLLOWS_BY)
