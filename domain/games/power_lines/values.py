"""Values of cards in play, computed when they are asked for.

A card's value depends on its own seat's cards only, so every function here takes one
seat's cards. What lies face down counts 5 and does nothing: a hidden face is never
looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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
    if up and face in (FOLLOWER, GATHERER):
        return _base_value(face, near) + near.count(STRENGTHENER)
    return (face if up else FACE_DOWN_VALUE) + near.count(STRENGTHENER)


def total(cards: Cards, spots: Iterable[Spot]) -> int:
    """Return the sum of the values of the cards on ``spots``."""
    return sum(value(cards, spot) for spot in spots)


def followers(cards: Cards) -> dict[Spot, int]:
    """Return the value of every face-up 0."""
    return {
        spot: value(cards, spot) for spot, (face, up, _) in cards.items() if face == FOLLOWER and up
    }


def fallen(before: Mapping[Spot, int], cards: Cards) -> list[Spot]:
    """Return the face-up 0s that are worth less than ``before``.

    A 0 that left play in the meantime is none of them, even if another card lies there now.
    """
    now = followers(cards)
    return [spot for spot, worth in before.items() if spot in now and now[spot] < worth]


def _base_value(face: int, near: Sequence[Card]) -> int:
    """Return the base value of a face-up 0 or 8."""
    if face == GATHERER:
        return GATHERER + len(near)
    best = max((one.printed for one in near if one.face != BASE), default=0)
    return max(0, best - FOLLOWS_BY)
