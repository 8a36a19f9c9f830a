"""What each move does, step by step, up to the choice or the draw that it leads to.

Nothing is judged here: a move comes in after ``legal.forbidden`` let it pass, or from
the log.
"""

from __future__ import annotations

from typing import Final

from domain.games.power_lines import payments
from domain.games.power_lines.choices import arisen
from domain.games.power_lines.field import Card, Laid, Spot, bordering, by_row, without
from domain.games.power_lines.moves import (
    Decline,
    Discard,
    Dominate,
    DrawCard,
    Move,
    Place,
    Play,
    Shuffle,
)
from domain.games.power_lines.position import (
    ACTIONS,
    FREE_DISCARD,
    FREE_DOMINATE,
    FREE_PLAY,
    SHUFFLE,
    TRASH,
    Due,
    Pending,
    Position,
    Side,
)
from domain.games.power_lines.values import fallen

AVENGER, WATCHER, RAIDER, CONQUEROR, LEADER = 2, 4, 5, 7, 9
SHUFFLE_COST: Final = 2
DISCARD: Final = "discard"

_CHOICES = {CONQUEROR: FREE_DOMINATE, LEADER: FREE_PLAY}


def applied(position: Position, move: Move) -> Position:
    """Return the position after a move of the seat to act, before its turn is looked at."""
    seat, free = position.actor, position.pending is not None
    if free:
        position = position._replace(pending=None)
    after = position
    match move:
        case Place():
            after = _place(position, seat, move)
        case DrawCard():
            side = payments.drawn(position.side(seat), 1)
            after = position.with_side(seat, side).spent(1)
        case Shuffle():
            after = position._replace(due=Due(SHUFFLE, seat)).spent(SHUFFLE_COST)
        case Dominate(spot):
            after = _removed(position if free else position.spent(1), 3 - seat, spot, TRASH)
        case Play():
            after = _play(position if free else position.spent(1), seat, move)
        case Discard(spot):
            after = _removed(position, 3 - seat, spot, DISCARD)
        case Decline():
            pass
    return after


def _place(position: Position, seat: int, move: Place) -> Position:
    """Lay a card face down; behind the last one the first seat's turn begins."""
    side = position.side(seat)
    side = side._replace(
        hand=payments.others(side.hand, move.card),
        cards=Laid({**side.cards, move.spot: Card(move.card, up=False)}),
        placed=side.placed + 1,
    )
    position = position.with_side(seat, side)._replace(seat=3 - seat)
    return position if position.setting_up else position._replace(actions=ACTIONS)


def _play(position: Position, seat: int, move: Play) -> Position:
    """Pay, lay the card, and let the cards around it and its own effect work, in order.

    A 5 takes nothing out of play, so no 0 can fall: its draw may come after that check.
    """
    before = position
    position = _laid(payments.pay(position, seat, move), seat, move)
    position = _watched(position, seat, move.spot)
    if move.card == RAIDER:
        return _raided(position, seat, move.spot)
    position = _without_fallen(before, position)
    sacrifice = move.sacrifice
    if sacrifice is not None and before.side(seat).cards[sacrifice].shows(AVENGER):
        return arisen(position, Pending(FREE_DISCARD, 3 - seat, sacrifice))
    if move.card in _CHOICES:
        return arisen(position, Pending(_CHOICES[move.card], seat, move.spot))
    return position


def _laid(position: Position, seat: int, move: Play) -> Position:
    """Put the card on the field; of two cards on a position the newer one lies over."""
    side, other = position.side(seat), position.side(3 - seat)
    covered = other.cards.get(move.spot)
    if covered is not None:
        cards = Laid({**other.cards, move.spot: covered._replace(over=False)})
        position = position.with_side(3 - seat, other._replace(cards=cards))
    card = Card(move.card, over=covered is not None)
    return position.with_side(seat, side._replace(cards=Laid({**side.cards, move.spot: card})))


def _watched(position: Position, seat: int, spot: Spot) -> Position:
    """Let the owner of every face-up enemy 4 around the new card draw."""
    other = position.side(3 - seat)
    watchers = sum(other.cards[at].shows(WATCHER) for at in bordering(other.cards, spot))
    if not watchers:
        return position
    return position.with_side(3 - seat, payments.drawn(other, watchers))


def _raided(position: Position, seat: int, spot: Spot) -> Position:
    other = position.side(3 - seat)
    if other.discard and bordering(other.cards, spot):
        return position._replace(due=Due(TRASH, 3 - seat))
    return position


def _removed(position: Position, owner: int, spot: Spot, pile: str) -> Position:
    """Move a card from play to its owner's ``pile``; see which 0s fall and what a 2 does."""
    before = position
    card = position.side(owner).cards[spot]
    position = _piled(position, owner, [spot], pile)
    position = _without_fallen(before, position)
    if card.shows(AVENGER):
        return arisen(position, Pending(FREE_DISCARD, 3 - owner, spot))
    return position


def _without_fallen(before: Position, position: Position) -> Position:
    """Trash every face-up 0 that is worth less than ``before``."""
    for seat in (1, 2):
        spots = fallen(before.side(seat).cards, position.side(seat).cards)
        position = _piled(position, seat, sorted(spots, key=by_row), TRASH)
    return position


def _piled(position: Position, seat: int, spots: list[Spot], pile: str) -> Position:
    if not spots:
        return position
    side = position.side(seat)
    faces = tuple(side.cards[spot].face for spot in spots)
    cards = without(side.cards, spots)
    piled: Side = (
        side._replace(cards=cards, trash=side.trash + faces)
        if pile == TRASH
        else side._replace(cards=cards, discard=side.discard + faces)
    )
    return position.with_side(seat, piled)
