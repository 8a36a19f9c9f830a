"""What a search needs to know of the cards: whole positions, what is promising, who is ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Final

from domain.games.power_lines.cards import (
    HIDDEN,
    HIGHEST,
    PRICES,
    SUGGESTED,
    Cards,
    Spot,
    by_row,
    compute_value,
    list_bordering,
    list_neighbours,
)
from domain.games.power_lines.moves import Decline, Move, Play
from domain.games.power_lines.plays import (
    COVERER,
    compute_needed,
    iter_affordable,
    iter_options,
    iter_placements,
    iter_plays,
    list_coverable,
    list_ground,
    remove_card,
)
from domain.games.power_lines.position import FREE_PLAY, Position, Side
from domain.games.power_lines.rules import iter_cardless_actions
from domain.games.power_lines.views import View
from domain.json_types import JsonObject
from domain.log.chance import Dice


def complete(view: View, _: JsonObject, dice: Dice) -> Position:
    """Return a position that agrees with what a seat sees; what it does not see is drawn.

    Both seats are taken to play the suggested deck, as far as what is seen allows it.
    """
    first, second = (_complete_side(side, dice) for side in view.seen.sides)
    return view.seen._replace(sides=(first, second))


def _complete_side(side: Side, dice: Dice) -> Side:
    laid = [card.face for card in side.cards.values()]
    seen = Counter((*side.hand, *laid, *side.deck, *side.discard, *side.trash))
    hidden = seen[HIDDEN]
    unseen = dice.shuffle(sorted((Counter(SUGGESTED) - seen).elements()))
    unseen += [dice.draw_below(HIGHEST + 1) for _ in range(hidden - len(unseen))]
    hand = tuple(sorted(unseen.pop() if face == HIDDEN else face for face in side.hand))
    cards = {
        spot: card._replace(face=unseen.pop()) if card.face == HIDDEN else card
        for spot, card in side.cards.items()
    }
    deck = tuple(unseen.pop() if face == HIDDEN else face for face in side.deck)
    return side._replace(deck=deck, cards=cards, hand=hand)


NEARER, CARD, STOCK, WORTH = 30, 12, 4, 5
"""What a step towards the enemy base, a card of the hand, a card that can still be drawn, and a
point of connected value are worth."""
THREAT, PREY = 40, 4
"""What a point of strength at the enemy base, and of value that could be dominated, are worth."""


def evaluate(position: Position) -> int:
    """Return by how much seat 1 is ahead: ground, cards in play and in hand, threats."""
    return _compute_standing(position, 1) - _compute_standing(position, 2)


def _compute_standing(position: Position, seat: int) -> int:
    side, enemies = position.get_side(seat), position.get_enemies(seat)
    values = {at: compute_value(side.cards, at) for at in position.list_connected(seat)}
    bordering = {at for spot in values for at in (spot, *list_neighbours(spot)) if at in enemies}
    to_x, to_y = base = position.get_home(3 - seat)
    nearest = min((abs(x - to_x) + abs(y - to_y) for x, y in values), default=2 * to_x)
    prey = at_base = 0
    for spot in bordering:
        strong = sum(values[at] for at in list_bordering(values, spot))
        takes = compute_needed(enemies, spot)
        if spot == base:
            at_base = min(strong, takes)
        elif strong >= takes:
            prey += takes
    return (
        WORTH * sum(values.values())
        + CARD * len(side.hand)
        + STOCK * (len(side.deck) + len(side.discard))
        - NEARER * nearest
        + THREAT * at_base
        + PREY * prey
    )


def iter_promising(position: Position) -> Iterator[Move]:
    """Yield the legal moves worth a look: of payments the cheapest, of ground what leads on.

    A play is paid with the cards of the hand that are missed least. Cards are laid beside an
    enemy, or where they come nearest to the enemy base.
    """
    if position.setting_up:
        leading = _list_leading(position, position.seat)
        return (move for move in iter_placements(position) if move.spot in leading)
    pending = position.pending
    if pending is None:
        plays = _iter_promising_plays(position, position.seat)
        return chain(iter_cardless_actions(position), plays)
    if pending.kind == FREE_PLAY:
        return chain(_iter_promising_plays(position, pending.seat), (Decline(),))
    return chain(iter_options(position, pending), (Decline(),))


MISSED_LEAST: Final = (2, 3, 1, 0, 9, 10, 4, 8, 7, 5, 6)
"""The cards in the order in which they are given up to pay."""


def _iter_promising_plays(position: Position, seat: int) -> Iterator[Play]:
    side, leading = position.get_side(seat), _list_leading(position, seat)
    over = list_coverable(position, seat)
    for card in iter_affordable(position, seat):
        if PRICES[card].sacrifice:
            yield from _iter_cheapest_sacrifices(position, seat, card, leading)
            continue
        payable = sorted(remove_card(side.hand, card), key=MISSED_LEAST.index)
        paying = tuple(sorted(payable[: PRICES[card].discards]))
        spots = leading | over if card == COVERER else leading
        for spot in sorted(spots, key=by_row):
            yield Play(card, spot, paying)


def _iter_cheapest_sacrifices(
    position: Position, seat: int, card: int, leading: set[Spot]
) -> Iterator[Play]:
    """Yield for each leading position the play that gives up what is worth least."""
    side, best = position.get_side(seat), dict[Spot, Play]()
    alone = position.replace_side(seat, side._replace(hand=(card,)))
    for move in iter_plays(alone, seat):
        known = best.get(move.spot)
        if move.spot in leading and (
            known is None or _compute_given(side.cards, move) < _compute_given(side.cards, known)
        ):
            best[move.spot] = move
    return iter(best.values())


def _compute_given(cards: Cards, move: Play) -> int:
    return compute_value(cards, move.sacrifice) if move.sacrifice is not None else 0


def _list_leading(position: Position, seat: int) -> set[Spot]:
    """Return the free positions beside an enemy, and those nearest to the enemy base."""
    free, enemies = list_ground(position, seat), position.get_enemies(seat)
    near = position.find_near(FREE_PLAY)
    if near is not None:
        return free.intersection(list_neighbours(near))
    to_x, to_y = position.get_home(3 - seat)
    far = {at: abs(at[0] - to_x) + abs(at[1] - to_y) for at in free}
    nearest = min(far.values(), default=0) + 1
    return {
        at for at in free if far[at] <= nearest or any(b in enemies for b in list_neighbours(at))
    }
