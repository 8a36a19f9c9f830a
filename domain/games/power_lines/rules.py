"""The rules: which moves are legal, what each does, and the course of a match.

A move is carried out step by step, up to the choice or the draw that it leads to. Carrying out
judges nothing: a move comes in after ``check_move`` let it pass, or from the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from domain.game.game import Act, Draw, Over, Pass, Step
from domain.games.power_lines import plays
from domain.games.power_lines.cards import (
    Card,
    Spot,
    by_row,
    list_bordering,
    list_fallen,
    remove_cards,
)
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
    FIRST,
    FREE_DISCARD,
    FREE_DOMINATE,
    FREE_PLAY,
    HAND_SIZE,
    SHUFFLE,
    STALLED,
    TRASH,
    TURN_LIMIT,
    Due,
    Pending,
    Position,
    Side,
    find_winner,
    judge_bases,
)
from domain.i18n import say
from domain.json_types import Json
from domain.log.chance import pick, shuffle, toss_coin

AVENGER, WATCHER, RAIDER, CONQUEROR, LEADER = 2, 4, 5, 7, 9
SHUFFLE_COST: Final = 2
DISCARD: Final = "discard"

_CHOICES = {CONQUEROR: FREE_DOMINATE, LEADER: FREE_PLAY}


def apply_move(position: Position, move: Move) -> Position:
    """Return the position after a move of the seat to act, before its turn is looked at."""
    seat, free = position.actor, position.pending is not None
    if free:
        position = position._replace(pending=None)
    after = position
    match move:
        case Place():
            after = _place(position, seat, move)
        case DrawCard():
            side = plays.draw_cards(position.get_side(seat), 1)
            after = position.replace_side(seat, side).spend(1)
        case Shuffle():
            after = position._replace(due=Due(SHUFFLE, seat)).spend(SHUFFLE_COST)
        case Dominate(spot):
            after = _remove_card(position if free else position.spend(1), 3 - seat, spot, TRASH)
        case Play():
            after = _play(position if free else position.spend(1), seat, move)
        case Discard(spot):
            after = _remove_card(position, 3 - seat, spot, DISCARD)
        case Decline():
            pass
    return after


def _place(position: Position, seat: int, move: Place) -> Position:
    """Lay a card face down; behind the last one the first seat's turn begins."""
    side = position.get_side(seat)
    side = side._replace(
        hand=plays.remove_card(side.hand, move.card),
        cards={**side.cards, move.spot: Card(move.card, up=False)},
        placed=side.placed + 1,
    )
    position = position.replace_side(seat, side)._replace(seat=3 - seat)
    return position if position.setting_up else position._replace(actions=ACTIONS)


def _play(position: Position, seat: int, move: Play) -> Position:
    """Pay, lay the card, and let the cards around it and its own effect work, in order.

    A 5 takes nothing out of play, so no 0 can fall: its draw may come after that check.
    """
    before = position
    position = _lay_card(plays.pay(position, seat, move), seat, move)
    position = _let_watchers_draw(position, seat, move.spot)
    if move.card == RAIDER:
        other = position.get_side(3 - seat)
        raids = other.discard and list_bordering(other.cards, move.spot)
        return position._replace(due=Due(TRASH, 3 - seat)) if raids else position
    position = _trash_fallen(before, position)
    sacrifice = move.sacrifice
    if sacrifice is not None and before.get_side(seat).cards[sacrifice].shows(AVENGER):
        return plays.add_choice(position, Pending(FREE_DISCARD, 3 - seat, sacrifice))
    if move.card in _CHOICES:
        return plays.add_choice(position, Pending(_CHOICES[move.card], seat, move.spot))
    return position


def _lay_card(position: Position, seat: int, move: Play) -> Position:
    """Put the card on the field; of two cards on a position the newer one lies over."""
    side, other = position.get_side(seat), position.get_side(3 - seat)
    covered = other.cards.get(move.spot)
    if covered is not None:
        cards = {**other.cards, move.spot: covered._replace(over=False)}
        position = position.replace_side(3 - seat, other._replace(cards=cards))
    card = Card(move.card, over=covered is not None)
    return position.replace_side(seat, side._replace(cards={**side.cards, move.spot: card}))


def _let_watchers_draw(position: Position, seat: int, spot: Spot) -> Position:
    """Let the owner of every face-up enemy 4 around the new card draw."""
    other = position.get_side(3 - seat)
    watchers = sum(other.cards[at].shows(WATCHER) for at in list_bordering(other.cards, spot))
    if not watchers:
        return position
    return position.replace_side(3 - seat, plays.draw_cards(other, watchers))


def _remove_card(position: Position, owner: int, spot: Spot, pile: str) -> Position:
    """Move a card from play to its owner's ``pile``; see which 0s fall and what a 2 does."""
    before = position
    card = position.get_side(owner).cards[spot]
    position = _pile_cards(position, owner, [spot], pile)
    position = _trash_fallen(before, position)
    if card.shows(AVENGER):
        return plays.add_choice(position, Pending(FREE_DISCARD, 3 - owner, spot))
    return position


def _trash_fallen(before: Position, position: Position) -> Position:
    """Trash every face-up 0 that is worth less than ``before``."""
    for seat in (1, 2):
        spots = list_fallen(before.get_side(seat).cards, position.get_side(seat).cards)
        position = _pile_cards(position, seat, sorted(spots, key=by_row), TRASH)
    return position


def _pile_cards(position: Position, seat: int, spots: list[Spot], pile: str) -> Position:
    if not spots:
        return position
    side = position.get_side(seat)
    faces = tuple(side.cards[spot].face for spot in spots)
    cards = remove_cards(side.cards, spots)
    piled: Side = (
        side._replace(cards=cards, trash=side.trash + faces)
        if pile == TRASH
        else side._replace(cards=cards, discard=side.discard + faces)
    )
    return position.replace_side(seat, piled)


def can_act(position: Position, seat: int, actions: int) -> bool:
    """Say whether ``seat`` can do anything with so many actions; the cheap ones come first."""
    side = position.get_side(seat)
    if side.deck or (side.discard and actions >= SHUFFLE_COST):
        return True
    return plays.can_play(position, seat) or any(
        True for _ in plays.iter_dominations(position, seat)
    )


def iter_legal_moves(position: Position) -> Iterator[Move]:
    """Yield every legal move of the seat to act, in the order of the game's page."""
    if position.setting_up:
        yield from plays.iter_placements(position)
    elif position.pending is not None:
        yield from plays.iter_options(position, position.pending)
        yield Decline()
    else:
        yield from iter_cardless_actions(position)
        yield from plays.iter_plays(position, position.seat)


def check_move(position: Position, move: Move) -> str | None:
    """Say which rule forbids the move to the seat to act, or None."""
    if position.setting_up:
        if isinstance(move, Place):
            return plays.check_placement(position, move)
        return say("In the setup each seat only places cards face down.")
    if isinstance(move, Place):
        return say("Cards are placed face down in the setup only.")
    if position.pending is not None:
        return plays.check_choice(position, position.pending, move)
    return _check_action(position, move)


def iter_cardless_actions(position: Position) -> Iterator[Move]:
    """Yield what the seat to act can do in its turn but for playing a card."""
    side = position.get_side(position.seat)
    if side.deck:
        yield DrawCard()
    if side.discard and position.actions >= SHUFFLE_COST:
        yield Shuffle()
    yield from plays.iter_dominations(position, position.seat)


def _check_action(
    position: Position, move: DrawCard | Shuffle | Dominate | Play | Discard | Decline
) -> str | None:
    match move:
        case DrawCard():
            return None if position.get_side(position.seat).deck else say("Your deck is empty.")
        case Shuffle():
            return _check_shuffle(position)
        case Dominate():
            return plays.check_domination(position, position.seat, move)
        case Play():
            return plays.check_play(position, position.seat, move)
        case Discard():
            return say("There is no free discard to take now.")
        case Decline():
            return say("There is no choice to decline now.")


def _check_shuffle(position: Position) -> str | None:
    if not position.get_side(position.seat).discard:
        return say("Your discard pile is empty.")
    if position.actions < SHUFFLE_COST:
        return say(
            "A shuffle takes {shuffle_cost} actions, and you have {actions} left.",
            shuffle_cost=SHUFFLE_COST,
            actions=position.actions,
        )
    return None


def get_next_step(position: Position) -> Step:
    """Say who acts next, what chance has to decide, who is passed over, or how it ended."""
    if position.due is not None:
        return _make_draw(position, position.due)
    if position.ending:
        return Over(find_winner(position), position.ending)
    if position.pending is not None or position.setting_up:
        return Act(position.actor)
    if can_act(position, position.seat, position.actions):
        return Act(position.seat)
    hand = position.get_side(position.seat).hand
    return Pass(position.seat, shown={"hand": list(hand)})


def play(position: Position, move: Move) -> Position:
    """Return the position after a move of the seat to act."""
    return finish_step(apply_move(position, move))


def forfeit(position: Position) -> Position:
    """Return the position after a forced pass: the rest of the turn is gone."""
    return finish_step(position._replace(actions=0))


def draw(position: Position, purpose: str, seat: int | None, outcome: Json) -> Position:
    """Return the position after an outcome of chance."""
    if purpose == FIRST or seat is None:
        return position._replace(first=outcome, seat=outcome, due=Due(SHUFFLE, 1))
    side = position.get_side(seat)
    if purpose == SHUFFLE and position.setting_up:
        dealt = plays.draw_cards(side._replace(deck=tuple(outcome)), HAND_SIZE)
        due = Due(SHUFFLE, 2) if seat == 1 else None
        return position.replace_side(seat, dealt)._replace(due=due)
    if purpose == SHUFFLE:
        side = side._replace(deck=tuple(outcome), discard=())
    else:
        pile = side.discard
        side = side._replace(
            discard=pile[:outcome] + pile[outcome + 1 :], trash=(*side.trash, pile[outcome])
        )
    return finish_step(position.replace_side(seat, side)._replace(due=None))


def _make_draw(position: Position, due: Due) -> Draw:
    if due.seat is None:
        return Draw(due.purpose, toss_coin)
    side = position.get_side(due.seat)
    if due.purpose == SHUFFLE:
        return Draw(SHUFFLE, shuffle(side.deck + side.discard), due.seat, hidden=True)
    return Draw(due.purpose, pick(len(side.discard)), due.seat)


def finish_step(position: Position) -> Position:
    """Look at the end, then at the turn, once a step is complete."""
    if position.pending is not None or position.due is not None or position.setting_up:
        return position
    ending = judge_bases(position)
    if not (ending or can_act(position, 1, ACTIONS) or can_act(position, 2, ACTIONS)):
        ending = STALLED
    if ending:
        return position._replace(ending=ending)
    if position.actions:
        return position
    position = position._replace(turn=position.turn + 1)
    if position.turn >= position.limit:
        return position._replace(ending=TURN_LIMIT)
    return position._replace(seat=3 - position.seat, actions=ACTIONS)
