"""What a search needs to know of the cards: whole positions, what is promising, who is ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from domain.games.power_lines.cards import (
    HIDDEN,
    HIGHEST,
    PRICES,
    SUGGESTED,
    Cards,
    Spot,
    beside,
    bordering,
    by_row,
    value,
)
from domain.games.power_lines.moves import Decline, DrawCard, Move, Play, Shuffle
from domain.games.power_lines.plays import (
    COVERER,
    coverable,
    dominations,
    ground,
    in_question,
    needed,
    options,
    others,
    placements,
    plays,
)
from domain.games.power_lines.position import FREE_PLAY, Position, Side
from domain.games.power_lines.rules import SHUFFLE_COST
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
    return side._replace(deck=deck, cards=cards, hand=hand)


NEARER, CARD, STOCK, WORTH = 30, 12, 4, 5
"""What a step towards the enemy base, a card of the hand, a card that can still be drawn, and a
point of connected value are worth."""
THREAT, PREY = 40, 4
"""What a point of strength at the enemy base, and of value that could be dominated, are worth."""


def evaluate(position: Position) -> int:
    """Return by how much seat 1 is ahead: ground, cards in play and in hand, threats."""
    return _standing(position, 1) - _standing(position, 2)


def _standing(position: Position, seat: int) -> int:
    side, enemies, values = position.side(seat), position.enemies(seat), _values(position, seat)
    to_x, to_y = base = position.home(3 - seat)
    nearest = min((abs(x - to_x) + abs(y - to_y) for x, y in values), default=2 * to_x)
    prey = at_base = 0
    for spot in _bordered(values, enemies):
        strong = sum(values[at] for at in bordering(values, spot))
        takes = needed(enemies, spot)
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


def _values(position: Position, seat: int) -> Mapping[Spot, int]:
    """Return what the connected cards of a seat are worth, by where they lie."""
    cards = position.side(seat).cards
    return {at: value(cards, at) for at in position.connected(seat)}


def _bordered(values: Mapping[Spot, int], enemies: Cards) -> set[Spot]:
    """Return where enemies lie that border one of the connected cards."""
    return {at for spot in values for at in (spot, *beside(spot)) if at in enemies}


def promising(position: Position) -> Iterator[Move]:
    """Yield the legal moves worth a look: of payments the cheapest, of ground what leads on.

    A play is paid with the cards of the hand that are missed least. Cards are laid beside an
    enemy, or where they come nearest to the enemy base.
    """
    if position.setting_up:
        leading = _leading(position, position.seat)
        return (move for move in placements(position) if move.spot in leading)
    pending = position.pending
    if pending is None:
        return chain(_without_cards(position), _plays(position, position.seat))
    if pending.kind == FREE_PLAY:
        return chain(_plays(position, pending.seat), (Decline(),))
    return chain(options(position, pending), (Decline(),))


def _without_cards(position: Position) -> Iterator[Move]:
    side = position.side(position.seat)
    if side.deck:
        yield DrawCard()
    if side.discard and position.actions >= SHUFFLE_COST:
        yield Shuffle()
    yield from dominations(position, position.seat)


MISSED_LEAST: Final = (2, 3, 1, 0, 9, 10, 4, 8, 7, 5, 6)
"""The cards in the order in which they are given up to pay."""


def _plays(position: Position, seat: int) -> Iterator[Play]:
    side, leading = position.side(seat), _leading(position, seat)
    over = coverable(position, seat)
    for card in in_question(position, seat):
        if PRICES[card].sacrifice:
            yield from _replacing(position, seat, card, leading)
            continue
        payable = sorted(others(side.hand, card), key=MISSED_LEAST.index)
        paying = tuple(sorted(payable[: PRICES[card].discards]))
        spots = leading | over if card == COVERER else leading
        for spot in sorted(spots, key=by_row):
            yield Play(card, spot, paying)


def _replacing(position: Position, seat: int, card: int, leading: set[Spot]) -> Iterator[Play]:
    """Yield for each leading position the play that gives up what is worth least."""
    side, best = position.side(seat), dict[Spot, Play]()
    alone = position.with_side(seat, side._replace(hand=(card,)))
    for move in plays(alone, seat):
        known = best.get(move.spot)
        if move.spot in leading and (
            known is None or _given(side.cards, move) < _given(side.cards, known)
        ):
            best[move.spot] = move
    return iter(best.values())


def _given(cards: Cards, move: Play) -> int:
    return value(cards, move.sacrifice) if move.sacrifice is not None else 0


def _leading(position: Position, seat: int) -> set[Spot]:
    """Return the free positions beside an enemy, and those nearest to the enemy base."""
    free, enemies, near = ground(position, seat), position.enemies(seat), position.near(FREE_PLAY)
    if near is not None:
        return free.intersection(beside(near))
    to_x, to_y = position.home(3 - seat)
    far = {at: abs(at[0] - to_x) + abs(at[1] - to_y) for at in free}
    nearest = min(far.values(), default=0) + 1
    return {at for at in free if far[at] <= nearest or any(b in enemies for b in beside(at))}
