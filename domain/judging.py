"""Moves judged in a row: how many of them the rules allow, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game.game import Act, AnyGame, Move, Position


def judged(game: AnyGame, position: Position, moves: Sequence[Move]) -> tuple[int, Position]:
    """Play moves of both seats in turn, beginning with that to act, as long as each is allowed.

    Returns how many were played, and the position behind them. It stops behind a move after which
    the other seat is not to act, and may stop behind any, but not before the first forbidden one.
    """
    if game.judge_all is not None:
        return game.judge_all(position, moves)
    return one_by_one(game, position, moves)


def one_by_one(game: AnyGame, position: Position, moves: Sequence[Move]) -> tuple[int, Position]:
    """Do the same as ``judged`` by what every game has."""
    step = game.next(position)
    for number, move in enumerate(moves):
        if type(step) is not Act or game.forbidden(position, move) is not None:
            return number, position
        position = game.play(position, move)
        before, step = step.seat, game.next(position)
        if type(step) is not Act or step.seat == before:
            return number + 1, position
    return len(moves), position
