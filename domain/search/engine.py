"""The engine of the house players: how a level chooses its move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, cast

from domain.game.game import AnyGame, Move, Position, Sight
from domain.json_types import JsonObject
from domain.log.chance import Dice
from domain.search.alpha_beta import search_position
from domain.search.ground import Ground, SeededDice
from domain.search.monte_carlo import try_moves
from domain.search.plans import Scope, plan_move

VERSION: Final = "2"
"""Told beside each move of a house player; it rises with anything that may change a move."""


class Question(NamedTuple):
    """What a house player knows: what its seat, which is to act, sees of the match."""

    view: Sight
    seat: int
    options: JsonObject


class _Manner(NamedTuple):
    """How a level plays.

    ``careless``: how many of 1,000 moves are left to chance. ``scope``: for hidden things.
    """

    careless: int
    scope: Scope


_MANNERS: Final = (
    _Manner(0, Scope(3, 6, 6)),
    _Manner(50, Scope(1, 4, 4)),
    _Manner(130, Scope(1, 2, 0)),
    _Manner(250, Scope(1, 0, 0)),
    _Manner(300, Scope(1, 0, 0)),
)
"""The strongest level's manner, which leaves nothing to chance, then those of the levels below."""


def count_levels(game: AnyGame) -> int:
    """Return how many levels of a house player the game carries, 1 to 5.

    None where something is hidden and the game cannot complete what a seat sees.
    """
    return 0 if game.secrets and game.complete is None else len(game.levels)


class Choice(NamedTuple):
    """A move, and whether it is proven that none is better."""

    move: Move
    proven: bool


def choose(game: AnyGame, question: Question, level: int, seed: int) -> Move:
    """Return the move that a house player of ``level`` makes.

    The same arguments give the same move on every machine. ``seed``: 64 bits.
    """
    return consider(game, question, level, seed).move


def consider(game: AnyGame, question: Question, level: int, seed: int) -> Choice:
    """Return the move of ``choose``, and what is known of it."""
    dice = SeededDice(seed)
    manner = _MANNERS[len(game.levels) - level]

    def world() -> Position:
        if game.complete is None:
            return cast("Position", question.view)
        return game.complete(question.view, question.options, dice)

    position = world()
    moves = [*game.iter_legal_moves(position)]
    if len(moves) == 1:
        return Choice(moves[0], proven=True)
    if manner.careless and dice.draw_below(1000) < manner.careless:
        return Choice(moves[dice.draw_below(len(moves))], proven=False)
    by_heart = game.find_opening(position) if level == len(game.levels) else None
    if by_heart is not None:
        return Choice(by_heart, proven=True)
    ground = Ground(game, dice, game.levels[level - 1])
    if game.evaluate is None:
        return _prove_or_try(ground, world, question.seat, dice)
    if game.secrets:
        return Choice(plan_move(ground, world, question.seat, manner.scope), proven=False)
    verdict = search_position(ground, position, question.seat)
    return Choice(verdict.move, verdict.proven)


def _prove_or_try(ground: Ground, world: Callable[[], Position], seat: int, dice: Dice) -> Choice:
    """Prove the best move with a quarter of the budget where nothing is hidden; else try moves."""
    if not ground.game.secrets:
        quarter = Ground(ground.game, dice, ground.left // 4)
        verdict = search_position(quarter, world(), seat)
        if verdict.proven:
            return Choice(verdict.move, proven=True)
        ground.left -= ground.left // 4
    return Choice(try_moves(ground, world, seat, dice), proven=False)
