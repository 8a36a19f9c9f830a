"""The course of a match: setup, actions, turns, forced passes, chance, and the end."""

from __future__ import annotations

from domain.game.game import Act, Draw, Over, Pass, Step
from domain.games.power_lines import endings
from domain.games.power_lines.legal import possible
from domain.games.power_lines.moves import Move
from domain.games.power_lines.payments import drawn
from domain.games.power_lines.position import (
    ACTIONS,
    FIRST,
    HAND_SIZE,
    SHUFFLE,
    Due,
    Position,
)
from domain.games.power_lines.steps import applied
from domain.json_types import Json
from domain.log.chance import coin, pick, shuffle


def next_step(position: Position) -> Step:
    """Say who acts next, what chance has to decide, who is passed over, or how it ended."""
    if position.due is not None:
        return _drawing(position, position.due)
    if position.ending:
        return Over(endings.winner(position), position.ending)
    if position.pending is not None or position.setting_up:
        return Act(position.actor)
    if possible(position, position.seat, position.actions):
        return Act(position.seat)
    hand = position.side(position.seat).hand
    return Pass(position.seat, shown={"hand": list(hand)})


def play(position: Position, move: Move) -> Position:
    """Return the position after a move of the seat to act."""
    return _settled(applied(position, move))


def forfeit(position: Position) -> Position:
    """Return the position after a forced pass: the rest of the turn is gone."""
    return _settled(position._replace(actions=0))


def draw(position: Position, purpose: str, seat: int | None, outcome: Json) -> Position:
    """Return the position after an outcome of chance."""
    if purpose == FIRST or seat is None:
        return position._replace(first=outcome, seat=outcome, due=Due(SHUFFLE, 1))
    side = position.side(seat)
    if purpose == SHUFFLE and position.setting_up:
        dealt = drawn(side._replace(deck=tuple(outcome)), HAND_SIZE)
        due = Due(SHUFFLE, 2) if seat == 1 else None
        return position.with_side(seat, dealt)._replace(due=due)
    if purpose == SHUFFLE:
        side = side._replace(deck=tuple(outcome), discard=())
    else:
        pile = side.discard
        side = side._replace(
            discard=pile[:outcome] + pile[outcome + 1 :], trash=(*side.trash, pile[outcome])
        )
    return _settled(position.with_side(seat, side)._replace(due=None))


def _drawing(position: Position, due: Due) -> Draw:
    if due.seat is None:
        return Draw(due.purpose, coin)
    side = position.side(due.seat)
    if due.purpose == SHUFFLE:
        return Draw(SHUFFLE, shuffle(side.deck + side.discard), due.seat, hidden=True)
    return Draw(due.purpose, pick(len(side.discard)), due.seat)


def _settled(position: Position) -> Position:
    """Look at the end, then at the turn, once a step is complete."""
    if position.pending is not None or position.due is not None or position.setting_up:
        return position
    ending = endings.base_lost(position) or _stalled(position)
    if ending:
        return position._replace(ending=ending)
    if position.actions:
        return position
    position = position._replace(turn=position.turn + 1)
    if position.turn >= position.limit:
        return position._replace(ending=endings.TURN_LIMIT)
    return position._replace(seat=3 - position.seat, actions=ACTIONS)


def _stalled(position: Position) -> str:
    """Return the reason if neither seat could do anything in a fresh turn, or nothing."""
    if possible(position, 1, ACTIONS) or possible(position, 2, ACTIONS):
        return ""
    return endings.STALLED
