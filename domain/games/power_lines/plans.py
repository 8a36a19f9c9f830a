"""What a seat can plan without knowing what it will draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.games.power_lines.moves import Move, Place, Play
from domain.games.power_lines.views import View
from domain.i18n import say


def unsure(view: View, moves: Sequence[Move]) -> str | None:
    """Say why a seat does not know that it will hold what these moves of its own take, or None.

    A hand only grows but by what its owner plays and pays, so what is in it now will be there.
    """
    hand = Counter(view.seen.side(view.seat).hand) if view.seat else Counter()
    for move in moves:
        for card in _cards(move):
            hand[card] -= 1
            if hand[card] < 0:
                return say(
                    "You cannot know that you will have this {card} in your hand.", card=card
                )
    return None


def _cards(move: Move) -> tuple[int, ...]:
    match move:
        case Place(card=card):
            return (card,)
        case Play(card=card, discard=discard):
            return (card, *discard)
        case _:
            return ()
