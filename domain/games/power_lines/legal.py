"""Legal moves: is there any, which are there, and why is this one none."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.power_lines.choices import choice_forbidden, options
from domain.games.power_lines.dominations import domination_forbidden, dominations
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
from domain.games.power_lines.plays import (
    placement_forbidden,
    placements,
    play_forbidden,
    playable,
    plays,
)
from domain.games.power_lines.position import Position
from domain.games.power_lines.steps import SHUFFLE_COST
from domain.i18n import say


def possible(position: Position, seat: int, actions: int) -> bool:
    """Say whether ``seat`` can do anything with so many actions; the cheap ones come first."""
    side = position.side(seat)
    if side.deck or (side.discard and actions >= SHUFFLE_COST):
        return True
    return playable(position, seat) or any(True for _ in dominations(position, seat))


def legal_moves(position: Position) -> Iterator[Move]:
    """Yield every legal move of the seat to act, in the order of the game's page."""
    if position.setting_up:
        yield from placements(position)
    elif position.pending is not None:
        yield from options(position, position.pending)
        yield Decline()
    else:
        yield from _actions(position)


def forbidden(position: Position, move: Move) -> str | None:
    """Say which rule forbids the move to the seat to act, or None."""
    if position.setting_up:
        if isinstance(move, Place):
            return placement_forbidden(position, move)
        return say("In the setup each seat only places cards face down.")
    if isinstance(move, Place):
        return say("Cards are placed face down in the setup only.")
    if position.pending is not None:
        return choice_forbidden(position, position.pending, move)
    return _action_forbidden(position, move)


def _actions(position: Position) -> Iterator[Move]:
    seat = position.seat
    side = position.side(seat)
    if side.deck:
        yield DrawCard()
    if side.discard and position.actions >= SHUFFLE_COST:
        yield Shuffle()
    yield from dominations(position, seat)
    yield from plays(position, seat)


def _action_forbidden(
    position: Position, move: DrawCard | Shuffle | Dominate | Play | Discard | Decline
) -> str | None:
    match move:
        case DrawCard():
            return None if position.side(position.seat).deck else say("Your deck is empty.")
        case Shuffle():
            return _shuffle_forbidden(position)
        case Dominate():
            return domination_forbidden(position, position.seat, move)
        case Play():
            return play_forbidden(position, position.seat, move)
        case Discard():
            return say("There is no free discard to take now.")
        case Decline():
            return say("There is no choice to decline now.")


def _shuffle_forbidden(position: Position) -> str | None:
    if not position.side(position.seat).discard:
        return say("Your discard pile is empty.")
    if position.actions < SHUFFLE_COST:
        return say(
            "A shuffle takes {shuffle_cost} actions, and you have {actions} left.",
            shuffle_cost=SHUFFLE_COST,
            actions=position.actions,
        )
    return None
