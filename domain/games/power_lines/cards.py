"""The cards: what each costs and does, and which of them make a deck."""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.game.scene import Sign
from domain.i18n import listed, say
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
    10: say("no effect"),
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


def price_signs(face: int) -> tuple[Sign, ...]:
    """Say by signs what a card costs.

    >>> [sign.value for sign in price_signs(3)]
    ['draw', 'give']
    """
    price = PRICES[face]
    signs = (Sign.DISCARD,) * price.discards + (Sign.DRAW,) * price.draws
    return (*signs, Sign.GIVE) if price.sacrifice else signs


def price_text(face: int) -> str:
    """Say what a card costs, in a few words.

    >>> price_text(3)
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
    return listed(parts) if parts else say("free")


def article(face: int, *, begins: bool = False) -> str:
    """Name a card in a sentence, which it ``begins`` or not.

    >>> article(8), article(9), article(BASE), article(8, begins=True)
    ('an 8', 'a 9', 'a base', 'An 8')
    """
    if face == BASE:
        return say("a base")
    if face == 8:  # noqa: PLR2004 - an eight, as it is said
        return say("An {card}", card=face) if begins else say("an {card}", card=face)
    return say("A {card}", card=face) if begins else say("a {card}", card=face)


def deck_fault(value: Json) -> str | None:
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
