"""Playing and placing: where a card may lie, and which plays there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from domain.games.power_lines import payments
from domain.games.power_lines.cards import HIGHEST, LOWEST, PRICES, article
from domain.games.power_lines.field import Cards, Spot, beside, by_row, connected, without
from domain.games.power_lines.moves import Place, Play
from domain.games.power_lines.position import FREE_PLAY, Position
from domain.games.power_lines.values import value
from domain.i18n import say

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


def plays(position: Position, seat: int) -> Iterator[Play]:
    """Yield every play of ``seat``: of a turn, or of its free play while one is pending."""
    side = position.side(seat)
    near = position.near(FREE_PLAY)
    for card in sorted(set(side.hand)):
        if near is not None and card > FREE_PLAY_HIGHEST:
            return
        if not payments.affordable(side, card):
            continue
        if PRICES[card].sacrifice:
            yield from _plays_with_sacrifice(position, seat, card, near)
        else:
            yield from _plays_of(position, seat, card, near)


def playable(position: Position, seat: int) -> bool:
    """Say whether ``seat`` has a play in its turn, without making all of them to find one."""
    side, on_ground = position.side(seat), _has_ground(position, seat)
    for card in set(side.hand):
        if not payments.affordable(side, card):
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
        forbidden = payments.fault(position.side(seat), move, near)
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


def _has_ground(position: Position, seat: int) -> bool:
    own, enemies = position.side(seat).cards, position.enemies(seat)
    return any(
        at not in own and at not in enemies
        for spot in position.connected(seat)
        for at in beside(spot)
    )


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
    payings = payments.discards(position.side(seat), card)
    for spot in sorted(spots, key=by_row):
        for paying in payings:
            yield Play(card, spot, paying)


def _plays_with_sacrifice(
    position: Position, seat: int, card: int, near: Spot | None = None
) -> Iterator[Play]:
    """Yield the plays of a 3; where it may lie depends on what is sacrificed."""
    free: dict[Spot, list[Spot]] = {}
    for sacrifice in payments.sacrifices(position.side(seat), near):
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
    if _cut_off(own, position.home(seat), spot):
        return say("No card beside {at} is connected to your base.", at=at)
    return None


def _cut_off(own: Cards, base: Spot, spot: Spot) -> bool:
    return connected(own, base).isdisjoint(beside(spot))
