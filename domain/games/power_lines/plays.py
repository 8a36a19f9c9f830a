"""What a seat can do with its cards: play, pay, dominate, and settle what is pending.

Payments are made in this order: discards from the hand (ascending), draws, the sacrifice. A
payment is made of other cards than the one played, and before that one lies on the field.
Domination is strength around an enemy card, which takes it out of the game.

Free discards, free dominations and free plays are pending choices. One arises only if there is
something to choose, and at most one is pending at a time: nothing else is done before it is
settled, and settling it is what may lead to the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import Final

from domain.games.power_lines.cards import (
    BASE,
    HIGHEST,
    LOWEST,
    PRICES,
    Cards,
    Spot,
    article,
    beside,
    bordering,
    by_row,
    connected,
    value,
    without,
)
from domain.games.power_lines.moves import Decline, Discard, Dominate, Move, Place, Play
from domain.games.power_lines.position import (
    FREE_DISCARD,
    FREE_DOMINATE,
    FREE_PLAY,
    Pending,
    Position,
    Side,
)
from domain.i18n import N_, say, say_many


def others(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the hand without one ``card``."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def affordable(side: Side, card: int) -> bool:
    """Say whether hand and deck can pay for ``card``; a sacrifice is not looked at."""
    price = PRICES[card]
    return len(side.hand) > price.discards and len(side.deck) >= price.draws


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


COVERER: Final = 6
"""The card that may lie on an enemy, and the highest value of that enemy."""
FREE_PLAY_HIGHEST: Final = 5
"""The highest printed value of a card that may follow a 9."""


def ground(position: Position, seat: int) -> set[Spot]:
    """Return the free positions that border a connected friendly."""
    enemies = position.enemies(seat)
    return {at for at in _reach(position, seat) if at not in enemies}


def coverable(position: Position, seat: int) -> set[Spot]:
    """Return where enemies lie that a 6 may be played onto."""
    enemies = position.enemies(seat)
    return {at for at in _reach(position, seat) if at in enemies and value(enemies, at) <= COVERER}


def in_question(position: Position, seat: int) -> Iterator[int]:
    """Yield the cards that can be paid for, behind a 9 those that may follow it; lowest first."""
    side, near = position.side(seat), position.near(FREE_PLAY)
    for card in sorted(set(side.hand)):
        if near is not None and card > FREE_PLAY_HIGHEST:
            return
        if affordable(side, card):
            yield card


def plays(position: Position, seat: int) -> Iterator[Play]:
    """Yield every play of ``seat``: of a turn, or of its free play while one is pending."""
    near = position.near(FREE_PLAY)
    for card in in_question(position, seat):
        if PRICES[card].sacrifice:
            yield from _plays_with_sacrifice(position, seat, card, near)
        else:
            yield from _plays_of(position, seat, card, near)


def playable(position: Position, seat: int) -> bool:
    """Say whether ``seat`` has a play in its turn, without making all of them to find one."""
    side, on_ground = position.side(seat), bool(ground(position, seat))
    for card in set(side.hand):
        if not affordable(side, card):
            continue
        if PRICES[card].sacrifice:
            if any(True for _ in _plays_with_sacrifice(position, seat, card)):
                return True
        elif on_ground or (card == COVERER and coverable(position, seat)):
            return True
    return False


def placements(position: Position) -> Iterator[Place]:
    """Yield every placement of the seat to act."""
    spots = sorted(ground(position, position.seat), key=by_row)
    for card in sorted(set(position.side(position.seat).hand)):
        for spot in spots:
            yield Place(card, spot)


def play_forbidden(position: Position, seat: int, move: Play) -> str | None:
    """Say which rule forbids a play, of a turn or a free one, or None."""
    near = position.near(FREE_PLAY)
    forbidden = _not_in_hand(position, seat, move.card)
    if forbidden is None and near is not None:
        forbidden = _free_play_forbidden(move, near)
    if forbidden is None:
        forbidden = fault(position.side(seat), move, near)
    if forbidden is not None:
        return forbidden
    if move.sacrifice is not None:
        position = _sacrificed(position, seat, move.sacrifice)
    return _lying_forbidden(position, seat, move.spot, covers=move.card == COVERER)


def placement_forbidden(position: Position, move: Place) -> str | None:
    """Say which rule forbids a placement, or None."""
    forbidden = _not_in_hand(position, position.seat, move.card)
    return forbidden or _lying_forbidden(position, position.seat, move.spot, covers=False)


def _reach(position: Position, seat: int) -> set[Spot]:
    """Return the positions beside a connected friendly where no friendly lies."""
    own = position.side(seat).cards
    return {at for spot in position.connected(seat) for at in beside(spot) if at not in own}


def _sacrificed(position: Position, seat: int, spot: Spot) -> Position:
    side = position.side(seat)
    return position.with_side(seat, side._replace(cards=without(side.cards, [spot])))


def _plays_of(position: Position, seat: int, card: int, near: Spot | None) -> Iterator[Play]:
    spots = ground(position, seat)
    if card == COVERER:
        spots |= coverable(position, seat)
    spots = spots if near is None else spots.intersection(beside(near))
    if not spots:
        return
    payable = others(position.side(seat).hand, card)
    payings = sorted(set(combinations(payable, PRICES[card].discards)))
    for spot in sorted(spots, key=by_row):
        for paying in payings:
            yield Play(card, spot, paying)


def _plays_with_sacrifice(
    position: Position, seat: int, card: int, near: Spot | None = None
) -> Iterator[Play]:
    """Yield the plays of a 3; where it may lie depends on what is sacrificed."""
    free: dict[Spot, list[Spot]] = {}
    cards = position.side(seat).cards
    for sacrifice in sorted(cards, key=by_row):
        if cards[sacrifice].face == BASE or sacrifice == near:
            continue
        spots = ground(_sacrificed(position, seat, sacrifice), seat)
        for spot in spots if near is None else spots.intersection(beside(near)):
            free.setdefault(spot, []).append(sacrifice)
    for spot in sorted(free, key=by_row):
        for sacrifice in free[spot]:
            yield Play(card, spot, sacrifice=sacrifice)


def _not_in_hand(position: Position, seat: int, card: int) -> str | None:
    if not LOWEST <= card <= HIGHEST:
        return say("Cards are numbered {lowest} to {highest}.", lowest=LOWEST, highest=HIGHEST)
    if card not in position.side(seat).hand:
        return say("You have no {card} in your hand.", card=card)
    return None


def _free_play_forbidden(move: Play, near: Spot) -> str | None:
    if move.card > FREE_PLAY_HIGHEST:
        return say(
            "A 9 lets a card of {free_play_highest} or less follow, not {card}.",
            free_play_highest=FREE_PLAY_HIGHEST,
            card=article(move.card),
        )
    if move.spot not in beside(near):
        return say(
            "The card that follows a 9 must lie beside it, next to {x},{y}.", x=near[0], y=near[1]
        )
    return None


def _lying_forbidden(position: Position, seat: int, spot: Spot, *, covers: bool) -> str | None:
    """Say why no card of ``seat`` may be laid on ``spot``, the price being paid."""
    own, enemies = position.side(seat).cards, position.enemies(seat)
    at = f"{spot[0]},{spot[1]}"
    if spot in own:
        return say("A card of yours lies on {at}.", at=at)
    if spot in enemies:
        if not covers:
            return say(
                "A card of your opponent lies on {at}; only a 6 may be played onto an enemy.", at=at
            )
        worth = value(enemies, spot)
        if worth > COVERER:
            return say(
                "A 6 covers an enemy of value {coverer} or less; that on {at} has {worth}.",
                coverer=COVERER,
                at=at,
                worth=worth,
            )
    if connected(own, position.home(seat)).isdisjoint(beside(spot)):
        return say("No card beside {at} is connected to your base.", at=at)
    return None


MARGIN: Final = 2
"""By how much the cards around an enemy must exceed its value."""


def dominations(position: Position, seat: int) -> Iterator[Dominate]:
    """Yield every domination of ``seat``: of a turn, or of its free one while pending."""
    near = position.near(FREE_DOMINATE)
    enemies = position.enemies(seat)
    connected = position.connected(seat)
    for spot in sorted(enemies if near is None else bordering(enemies, near), key=by_row):
        if strength(position, seat, spot, connected) >= needed(enemies, spot):
            yield Dominate(spot)


def needed(enemies: Cards, spot: Spot) -> int:
    """Return the strength that it takes to dominate the card on ``spot``."""
    return value(enemies, spot) + MARGIN


def strength(position: Position, seat: int, spot: Spot, connected: AbstractSet[Spot]) -> int:
    """Return what the ``connected`` cards of ``seat`` that border ``spot`` are worth together."""
    own = position.side(seat).cards
    return sum(value(own, at) for at in bordering(own, spot) if at in connected)


def domination_forbidden(position: Position, seat: int, move: Dominate) -> str | None:
    """Say which rule forbids a domination, of a turn or a free one, or None."""
    spot, near, enemies = move.spot, position.near(FREE_DOMINATE), position.enemies(seat)
    at = f"{spot[0]},{spot[1]}"
    if spot not in enemies:
        return say("There is no card of your opponent on {at}.", at=at)
    if near is not None and spot not in (near, *beside(near)):
        return say(
            "The 7 on {x},{y} may dominate only an enemy that borders it.", x=near[0], y=near[1]
        )
    has, takes = strength(position, seat, spot, position.connected(seat)), needed(enemies, spot)
    if has < takes:
        return say(
            "To dominate the card on {at} takes {takes}; your connected cards bordering it "
            "are worth {has}.",
            at=at,
            takes=takes,
            has=has,
        )
    return None


_WORDS = {
    FREE_DISCARD: N_(
        "Settle the free discard first: name a card that borders {x},{y}, or decline."
    ),
    FREE_DOMINATE: N_("Settle the free domination of the 7 on {x},{y} first, or decline."),
    FREE_PLAY: N_("Settle the free play beside the 9 on {x},{y} first, or decline."),
}


def arisen(position: Position, pending: Pending) -> Position:
    """Return the position with the choice pending, or without it if it has no option."""
    asked = position._replace(pending=pending)
    return asked if any(True for _ in options(asked, pending)) else position


def options(position: Position, pending: Pending) -> Iterator[Move]:
    """Yield what may be chosen, besides declining."""
    if pending.kind == FREE_DISCARD:
        enemies = position.enemies(pending.seat)
        return (Discard(spot) for spot in bordering(enemies, pending.spot))
    if pending.kind == FREE_DOMINATE:
        return dominations(position, pending.seat)
    return plays(position, pending.seat)


def choice_forbidden(position: Position, pending: Pending, move: Move) -> str | None:
    """Say why a move does not settle the pending choice, or None."""
    match pending.kind, move:
        case _, Decline():
            return None
        case "free_discard", Discard(spot):
            if spot in bordering(position.enemies(pending.seat), pending.spot):
                return None
            x, y = pending.spot
            return say(
                "Discard one of your opponent's cards that border {x},{y} or lie on it.", x=x, y=y
            )
        case "free_dominate", Dominate():
            return domination_forbidden(position, pending.seat, move)
        case "free_play", Play():
            return play_forbidden(position, pending.seat, move)
        case kind, _:
            x, y = pending.spot
            return say(_WORDS[kind], x=x, y=y)
