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
    by_row,
    compute_value,
    format_spot,
    list_bordering,
    list_connected,
    list_neighbours,
    name_card,
    remove_cards,
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


def remove_card(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the hand without one ``card``."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def can_afford(side: Side, card: int) -> bool:
    """Say whether hand and deck can pay for ``card``; a sacrifice is not looked at."""
    price = PRICES[card]
    return len(side.hand) > price.discards and len(side.deck) >= price.draws


def check_payment(side: Side, move: Play, kept: Spot | None) -> str | None:
    """Say why ``side`` cannot pay for a play in this way, or None. Its hand has the card."""
    price, card = PRICES[move.card], name_card(move.card, begins=True)
    if len(move.discard) != price.discards:
        return say_many(
            "{card} costs {number} other card of your hand.",
            "{card} costs {number} other cards of your hand.",
            price.discards,
            card=card,
        )
    if Counter(move.discard) - Counter(remove_card(side.hand, move.card)):
        return say("You pay with other cards of your hand, and can discard only what you hold.")
    if len(side.deck) < price.draws:
        return say_many(
            "{card} makes you draw {draws}, and your deck has {number} card left.",
            "{card} makes you draw {draws}, and your deck has {number} cards left.",
            len(side.deck),
            card=card,
            draws=price.draws,
        )
    return _check_sacrifice(side, move.sacrifice, kept) if price.sacrifice else None


def pay(position: Position, seat: int, move: Play) -> Position:
    """Return the position after the price, the card played having left the hand."""
    side = position.get_side(seat)
    hand = list(side.hand)
    for card in (move.card, *move.discard):
        hand.remove(card)
    discard = side.discard + tuple(sorted(move.discard))
    side = draw_cards(side._replace(hand=tuple(hand), discard=discard), PRICES[move.card].draws)
    if move.sacrifice is not None:
        given = side.cards[move.sacrifice].face
        cards = remove_cards(side.cards, [move.sacrifice])
        side = side._replace(cards=cards, discard=(*side.discard, given))
    return position.replace_side(seat, side)


def draw_cards(side: Side, count: int) -> Side:
    """Return a side after it drew ``count`` cards, or as many as there are."""
    deck, cards, hand, discard, trash, placed = side
    hand = tuple(sorted(hand + deck[:count]))
    return Side(deck[count:], cards, hand, discard, trash, placed)


def _check_sacrifice(side: Side, spot: Spot | None, kept: Spot | None) -> str | None:
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


def list_ground(position: Position, seat: int) -> set[Spot]:
    """Return the free positions that border a connected friendly."""
    enemies = position.get_enemies(seat)
    return {at for at in _list_reach(position, seat) if at not in enemies}


def list_coverable(position: Position, seat: int) -> set[Spot]:
    """Return where enemies lie that a 6 may be played onto."""
    enemies = position.get_enemies(seat)
    return {
        at
        for at in _list_reach(position, seat)
        if at in enemies and compute_value(enemies, at) <= COVERER
    }


def iter_affordable(position: Position, seat: int) -> Iterator[int]:
    """Yield the cards that can be paid for, behind a 9 those that may follow it; lowest first."""
    side, near = position.get_side(seat), position.find_near(FREE_PLAY)
    for card in sorted(set(side.hand)):
        if near is not None and card > FREE_PLAY_HIGHEST:
            return
        if can_afford(side, card):
            yield card


def iter_plays(position: Position, seat: int) -> Iterator[Play]:
    """Yield every play of ``seat``: of a turn, or of its free play while one is pending."""
    near = position.find_near(FREE_PLAY)
    for card in iter_affordable(position, seat):
        if PRICES[card].sacrifice:
            yield from _iter_sacrifice_plays(position, seat, card, near)
        else:
            yield from _iter_plain_plays(position, seat, card, near)


def can_play(position: Position, seat: int) -> bool:
    """Say whether ``seat`` has a play in its turn, without making all of them to find one."""
    side, on_ground = position.get_side(seat), bool(list_ground(position, seat))
    for card in set(side.hand):
        if not can_afford(side, card):
            continue
        if PRICES[card].sacrifice:
            if any(True for _ in _iter_sacrifice_plays(position, seat, card)):
                return True
        elif on_ground or (card == COVERER and list_coverable(position, seat)):
            return True
    return False


def iter_placements(position: Position) -> Iterator[Place]:
    """Yield every placement of the seat to act."""
    spots = sorted(list_ground(position, position.seat), key=by_row)
    for card in sorted(set(position.get_side(position.seat).hand)):
        for spot in spots:
            yield Place(card, spot)


def check_play(position: Position, seat: int, move: Play) -> str | None:
    """Say which rule forbids a play, of a turn or a free one, or None."""
    near = position.find_near(FREE_PLAY)
    forbidden = _check_in_hand(position, seat, move.card)
    if forbidden is None and near is not None:
        forbidden = _check_free_play(move, near)
    if forbidden is None:
        forbidden = check_payment(position.get_side(seat), move, near)
    if forbidden is not None:
        return forbidden
    if move.sacrifice is not None:
        position = _remove_sacrifice(position, seat, move.sacrifice)
    return _check_spot(position, seat, move.spot, covers=move.card == COVERER)


def check_placement(position: Position, move: Place) -> str | None:
    """Say which rule forbids a placement, or None."""
    forbidden = _check_in_hand(position, position.seat, move.card)
    return forbidden or _check_spot(position, position.seat, move.spot, covers=False)


def _list_reach(position: Position, seat: int) -> set[Spot]:
    """Return the positions beside a connected friendly where no friendly lies."""
    own = position.get_side(seat).cards
    return {
        at
        for spot in position.list_connected(seat)
        for at in list_neighbours(spot)
        if at not in own
    }


def _remove_sacrifice(position: Position, seat: int, spot: Spot) -> Position:
    side = position.get_side(seat)
    return position.replace_side(seat, side._replace(cards=remove_cards(side.cards, [spot])))


def _iter_plain_plays(
    position: Position, seat: int, card: int, near: Spot | None
) -> Iterator[Play]:
    spots = list_ground(position, seat)
    if card == COVERER:
        spots |= list_coverable(position, seat)
    spots = spots if near is None else spots.intersection(list_neighbours(near))
    if not spots:
        return
    payable = remove_card(position.get_side(seat).hand, card)
    payings = sorted(set(combinations(payable, PRICES[card].discards)))
    for spot in sorted(spots, key=by_row):
        for paying in payings:
            yield Play(card, spot, paying)


def _iter_sacrifice_plays(
    position: Position, seat: int, card: int, near: Spot | None = None
) -> Iterator[Play]:
    """Yield the plays of a 3; where it may lie depends on what is sacrificed."""
    free: dict[Spot, list[Spot]] = {}
    cards = position.get_side(seat).cards
    for sacrifice in sorted(cards, key=by_row):
        if cards[sacrifice].face == BASE or sacrifice == near:
            continue
        spots = list_ground(_remove_sacrifice(position, seat, sacrifice), seat)
        for spot in spots if near is None else spots.intersection(list_neighbours(near)):
            free.setdefault(spot, []).append(sacrifice)
    for spot in sorted(free, key=by_row):
        for sacrifice in free[spot]:
            yield Play(card, spot, sacrifice=sacrifice)


def _check_in_hand(position: Position, seat: int, card: int) -> str | None:
    if not LOWEST <= card <= HIGHEST:
        return say("Cards are numbered {lowest} to {highest}.", lowest=LOWEST, highest=HIGHEST)
    if card not in position.get_side(seat).hand:
        return say("You have no {card} in your hand.", card=card)
    return None


def _check_free_play(move: Play, near: Spot) -> str | None:
    if move.card > FREE_PLAY_HIGHEST:
        return say(
            "A 9 lets a card of {free_play_highest} or less follow, not {card}.",
            free_play_highest=FREE_PLAY_HIGHEST,
            card=name_card(move.card),
        )
    if move.spot not in list_neighbours(near):
        return say(
            "The card that follows a 9 must lie beside it, next to {x},{y}.", x=near[0], y=near[1]
        )
    return None


def _check_spot(position: Position, seat: int, spot: Spot, *, covers: bool) -> str | None:
    """Say why no card of ``seat`` may be laid on ``spot``, the price being paid."""
    own, enemies = position.get_side(seat).cards, position.get_enemies(seat)
    at = format_spot(spot)
    if spot in own:
        return say("A card of yours lies on {at}.", at=at)
    if spot in enemies:
        if not covers:
            return say(
                "A card of your opponent lies on {at}; only a 6 may be played onto an enemy.", at=at
            )
        worth = compute_value(enemies, spot)
        if worth > COVERER:
            return say(
                "A 6 covers an enemy of value {coverer} or less; that on {at} has {worth}.",
                coverer=COVERER,
                at=at,
                worth=worth,
            )
    if list_connected(own, position.get_home(seat)).isdisjoint(list_neighbours(spot)):
        return say("No card beside {at} is connected to your base.", at=at)
    return None


MARGIN: Final = 2
"""By how much the cards around an enemy must exceed its value."""


def iter_dominations(position: Position, seat: int) -> Iterator[Dominate]:
    """Yield every domination of ``seat``: of a turn, or of its free one while pending."""
    near = position.find_near(FREE_DOMINATE)
    enemies = position.get_enemies(seat)
    connected = position.list_connected(seat)
    for spot in sorted(enemies if near is None else list_bordering(enemies, near), key=by_row):
        if compute_strength(position, seat, spot, connected) >= compute_needed(enemies, spot):
            yield Dominate(spot)


def compute_needed(enemies: Cards, spot: Spot) -> int:
    """Return the strength that it takes to dominate the card on ``spot``."""
    return compute_value(enemies, spot) + MARGIN


def compute_strength(
    position: Position, seat: int, spot: Spot, connected: AbstractSet[Spot]
) -> int:
    """Return what the ``connected`` cards of ``seat`` that border ``spot`` are worth together."""
    own = position.get_side(seat).cards
    return sum(compute_value(own, at) for at in list_bordering(own, spot) if at in connected)


def check_domination(position: Position, seat: int, move: Dominate) -> str | None:
    """Say which rule forbids a domination, of a turn or a free one, or None."""
    spot, near, enemies = move.spot, position.find_near(FREE_DOMINATE), position.get_enemies(seat)
    at = format_spot(spot)
    if spot not in enemies:
        return say("There is no card of your opponent on {at}.", at=at)
    if near is not None and spot not in (near, *list_neighbours(near)):
        return say(
            "The 7 on {x},{y} may dominate only an enemy that borders it.", x=near[0], y=near[1]
        )
    has = compute_strength(position, seat, spot, position.list_connected(seat))
    takes = compute_needed(enemies, spot)
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


def add_choice(position: Position, pending: Pending) -> Position:
    """Return the position with the choice pending, or without it if it has no option."""
    asked = position._replace(pending=pending)
    return asked if any(True for _ in iter_options(asked, pending)) else position


def iter_options(position: Position, pending: Pending) -> Iterator[Move]:
    """Yield what may be chosen, besides declining."""
    if pending.kind == FREE_DISCARD:
        enemies = position.get_enemies(pending.seat)
        return (Discard(spot) for spot in list_bordering(enemies, pending.spot))
    if pending.kind == FREE_DOMINATE:
        return iter_dominations(position, pending.seat)
    return iter_plays(position, pending.seat)


def check_choice(position: Position, pending: Pending, move: Move) -> str | None:
    """Say why a move does not settle the pending choice, or None."""
    match pending.kind, move:
        case _, Decline():
            return None
        case "free_discard", Discard(spot):
            if spot in list_bordering(position.get_enemies(pending.seat), pending.spot):
                return None
            x, y = pending.spot
            return say(
                "Discard one of your opponent's cards that border {x},{y} or lie on it.", x=x, y=y
            )
        case "free_dominate", Dominate():
            return check_domination(position, pending.seat, move)
        case "free_play", Play():
            return check_play(position, pending.seat, move)
        case kind, _:
            x, y = pending.spot
            return say(_WORDS[kind], x=x, y=y)
