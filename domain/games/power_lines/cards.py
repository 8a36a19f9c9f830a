"""Cards, the field they lie on, and what they are worth there.

A card has a face, which says what it costs and does. One seat's cards in play are a mapping
from positions to cards, because a seat has at most one card on a position. Cards border each
other orthogonally or, of two seats, on the same position.

A card's value depends on its own seat's cards only, so every function about values takes one
seat's cards. What lies face down counts 5 and does nothing: a hidden face is never looked at.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from domain.game.scene import Sign
from domain.i18n import join_with_and, say
from domain.json_types import Json

LOWEST: Final = 0
HIGHEST: Final = 10
BASE: Final = 12
"""The face of a base, which is its printed value as well. No other card has it."""
HIDDEN: Final = -1
"""The face that a viewer gets in the place of one that is hidden from them."""
FACE_DOWN_VALUE: Final = 5
"""The printed value of a card that lies face down, whatever it is."""

DECK_SIZE: Final = 26

SUGGESTED: Final = (
    *(0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5),
    *(5, 5, 6, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10),
)


class Price(NamedTuple):
    """What playing a card costs: other cards of the hand, draws, a card in play."""

    discards: int = 0
    draws: int = 0
    sacrifice: bool = False


FREE: Final = Price()

PRICES: Final = {
    0: FREE,
    1: Price(draws=1),
    2: Price(draws=2),
    3: Price(draws=1, sacrifice=True),
    4: FREE,
    5: FREE,
    6: FREE,
    7: Price(discards=1),
    8: Price(discards=1),
    9: Price(discards=2),
    10: Price(discards=2),
}

BLANK: Final = 10
"""The card without an effect."""

EFFECTS: Final = {
    0: say("worth 2 less than the best non-base friendly beside it; trashed when its value falls"),
    1: say("each friendly beside it is worth 1 more"),
    2: say("when it leaves play face up, the opponent may discard a card beside it"),
    3: say("costs one of your other cards in play"),
    4: say("when an enemy is played beside it, its owner draws"),
    5: say("played beside an enemy, it trashes a random card of the opponent's discard pile"),
    6: say("may be played onto an enemy of value 6 or less"),
    7: say("when played, may dominate an enemy beside it for no action"),
    8: say("worth 1 more for each friendly beside it"),
    9: say("when played, a card of 5 or less may follow beside it for no action"),
    BLANK: say("no effect"),
    BASE: say("its owner loses when it leaves play"),
}


EFFECT_SIGNS: Final = {
    0: Sign.FOLLOWS,
    1: Sign.STRENGTHENS,
    2: Sign.BREAKS,
    3: Sign.NONE,
    4: Sign.FEEDS,
    5: Sign.TRASHES,
    6: Sign.COVERS,
    7: Sign.STRIKES,
    8: Sign.GROWS,
    9: Sign.MORE,
    10: Sign.NONE,
}


def list_price_signs(face: int) -> tuple[Sign, ...]:
    """Say by signs what a card costs.

    >>> [sign.value for sign in list_price_signs(3)]
    ['draw', 'give']
    """
    price = PRICES[face]
    signs = (Sign.DISCARD,) * price.discards + (Sign.DRAW,) * price.draws
    return (*signs, Sign.GIVE) if price.sacrifice else signs


def tell_price(face: int) -> str:
    """Say what a card costs, in a few words.

    >>> tell_price(3)
    'draw 1 and discard one of your cards in play'
    """
    price = PRICES[face]
    parts = []
    if price.discards:
        parts.append(say("discard {number}", number=price.discards))
    if price.draws:
        parts.append(say("draw {number}", number=price.draws))
    if price.sacrifice:
        parts.append(say("discard one of your cards in play"))
    return join_with_and(parts) if parts else say("free")


def name_card(face: int, *, begins: bool = False) -> str:
    """Name a card in a sentence, which it ``begins`` or not.

    >>> name_card(8), name_card(9), name_card(BASE), name_card(8, begins=True)
    ('an 8', 'a 9', 'a base', 'An 8')
    """
    if face == BASE:
        return say("a base")
    if face == 8:  # noqa: PLR2004 - an eight, as it is said
        return say("An {card}", card=face) if begins else say("an {card}", card=face)
    return say("A {card}", card=face) if begins else say("a {card}", card=face)


def check_deck(value: Json) -> str | None:
    """Say what is wrong with a deck that a seat brings, or None."""
    if type(value) is not list:
        return say("deck must be a list of 26 whole numbers from 0 to 10.")
    for card in value:
        if type(card) is not int:
            return say("deck may hold whole numbers only: each is a card from 0 to 10.")
        if not LOWEST <= card <= HIGHEST:
            return say("deck may hold the cards 0 to 10 only; there is no card {card}.", card=card)
    if len(value) != DECK_SIZE:
        return say(
            "deck must have exactly {most} cards; this one has {count}.",
            most=DECK_SIZE,
            count=len(value),
        )
    return None


Spot: TypeAlias = tuple[int, int]
"""A position (x, y)."""


class Card(NamedTuple):
    """A card in play.

    ``face``: 0 to 10, ``BASE``, or ``HIDDEN`` in a view. ``up``: its face shows, and
    its effect works. ``over``: it was played onto the enemy card on its position.
    """

    face: int
    up: bool = True
    over: bool = False

    def shows(self, face: int) -> bool:
        """Say whether it lies face up with this face."""
        return self.up and self.face == face


Cards: TypeAlias = Mapping[Spot, Card]
"""One seat's cards in play."""


def format_spot(spot: Spot) -> str:
    """Write a position as people read and type it."""
    return f"{spot[0]},{spot[1]}"


def by_row(spot: Spot) -> Spot:
    """Sort key of the game's page: by y, then x."""
    return spot[1], spot[0]


def get_home(seat: int, gap: int) -> Spot:
    """Return where the base of ``seat`` lies."""
    return (0, 0) if seat == 1 else (gap + 1, 0)


def list_neighbours(spot: Spot) -> tuple[Spot, Spot, Spot, Spot]:
    """Return the four orthogonal neighbours, by y, then x."""
    x, y = spot
    return (x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)


def list_bordering(cards: Container[Spot], spot: Spot) -> list[Spot]:
    """Return where ``cards`` lie that border ``spot`` or lie on it, by y, then x.

    Of the other seat's card there, these are the enemies that border it.
    """
    above, left, right, below = list_neighbours(spot)
    return [at for at in (above, left, spot, right, below) if at in cards]


def list_connected(cards: Cards, base: Spot) -> set[Spot]:
    """Return where ``cards`` are joined to their base by friendlies; empty without it."""
    if base not in cards:
        return set()
    apart, edge = cards.keys() - {base}, [base]
    while edge:
        for at in list_neighbours(edge.pop()):
            if at in apart:
                apart.remove(at)
                edge.append(at)
    return cards.keys() - apart


def remove_cards(cards: Cards, spots: Iterable[Spot]) -> Cards:
    """Return a copy without the cards on ``spots``."""
    left = dict(cards)
    for spot in spots:
        del left[spot]
    return left


FOLLOWER, GATHERER = 0, 8
STRENGTHENER = Card(1)
"""A face-up 1. (Only a 6 lies over an enemy, so that no other card equals one.)"""
FOLLOWS_BY = 2
"""How far a 0 stays behind the friendly that it follows."""


def compute_value(cards: Cards, spot: Spot) -> int:
    """Return the value of the card on ``spot``."""
    near = [card for card in map(cards.get, list_neighbours(spot)) if card is not None]
    face, up, _ = cards[spot]
    if not up:
        base = FACE_DOWN_VALUE
    elif face == FOLLOWER:
        base = _compute_follower(near)
    else:
        base = face + len(near) if face == GATHERER else face
    return base + near.count(STRENGTHENER)


def list_fallen(before: Cards, cards: Cards) -> list[Spot]:
    """Return the face-up 0s that are worth less than they were ``before``, in no order.

    A 0 that left play in the meantime is none of them, even if another card lies there now.
    """
    if cards is before:
        return []
    return [
        at
        for at, card in cards.items()
        if card.shows(FOLLOWER)
        and before.get(at) == card
        and compute_value(cards, at) < compute_value(before, at)
    ]


def _compute_follower(near: Iterable[Card]) -> int:
    """Return the base value of a face-up 0; whole replays ask for thousands."""
    best = 0
    for face, up, _ in near:
        printed = face if up else FACE_DOWN_VALUE
        if printed > best and face != BASE:
            best = printed
    return max(0, best - FOLLOWS_BY)
