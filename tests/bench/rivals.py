"""Whom the house players meet besides each other: chance, a greedy player, open-spiel's search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Final, cast

from domain.game.game import AnyGame, Move, Position
from domain.games.power_lines.cards import compute_value
from domain.games.power_lines.position import Position as Cards
from domain.games.power_lines.position import measure_distance
from domain.search.engine import Choice, Question, consider
from domain.search.ground import WON, Ground, SearchNode, SeededDice

SIMULATIONS: Final = 400
"""How many matches open-spiel plays out for a move, and how many positions the house looks at."""

CURIOSITY: Final = 1.4
"""What open-spiel's examples give for the weight of what was rarely tried: about the root of 2."""

STEP, CARD = 10, 3
"""What the greedy player takes a step towards the enemy base, and a card of the hand, to be worth
in points of value."""

_ENDLESS: Final = 1 << 60


def chance(game: AnyGame, question: Question, seed: int) -> Choice:
    """Choose at random."""
    moves = [*game.iter_legal_moves(_whole(game, question, seed))]
    return Choice(moves[seed % len(moves)], proven=False)


def greedy(game: AnyGame, question: Question, seed: int) -> Choice:
    """Choose the action of the card game with the best immediate result, all of them looked at.

    That is a win, else the lead in value in play, in steps to the other base and in cards in hand.
    """
    ground = Ground(game, SeededDice(seed), _ENDLESS)
    position = _whole(game, question, seed)

    def result(move: Move) -> int:
        decision = ground.play(position, move)
        if decision.seat:
            return _lead(cast("Cards", decision.position), question.seat)
        return decision.final if question.seat == 1 else -decision.final

    return Choice(max(game.iter_legal_moves(position), key=result), proven=False)


def _lead(position: Cards, seat: int) -> int:
    return _standing(position, seat) - _standing(position, 3 - seat)


def _standing(position: Cards, seat: int) -> int:
    side = position.get_side(seat)
    in_play = sum(compute_value(side.cards, spot) for spot in side.cards)
    return in_play + CARD * len(side.hand) - STEP * measure_distance(position, seat)


def equal(game: AnyGame, question: Question, seed: int) -> Choice:
    """Choose as the strongest level would with ``SIMULATIONS`` positions to look at."""
    return consider(replace(game, levels=(SIMULATIONS,)), question, 1, seed)


def open_spiel_is_there() -> bool:
    """Whether open-spiel can be imported: it is no part of the locks for tests."""
    return find_spec("pyspiel") is not None


def open_spiel(game: AnyGame, question: Question, seed: int) -> Choice:
    """Choose by open-spiel's Monte Carlo tree search, playing out ``SIMULATIONS`` matches."""
    mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    numpy: Any = import_module("numpy")
    chance_of = numpy.random.RandomState(seed % 2**32)
    evaluator = mcts.RandomRolloutEvaluator(1, chance_of)
    bot = mcts.MCTSBot(_described(), CURIOSITY, SIMULATIONS, evaluator, random_state=chance_of)
    ground = Ground(game, SeededDice(seed), _ENDLESS)
    state = _State(ground, SearchNode(_whole(game, question, seed), question.seat))
    return Choice(state.moves[bot.step(state)], proven=False)


def _described() -> object:
    """Return what open-spiel asks of a game: turns, and a result between -1 and 1 at the end."""
    spiel: Any = import_module("pyspiel")
    kind = SimpleNamespace(
        reward_model=spiel.GameType.RewardModel.TERMINAL,
        dynamics=spiel.GameType.Dynamics.SEQUENTIAL,
    )
    return SimpleNamespace(get_type=lambda: kind, max_utility=lambda: 1.0)


class _State:
    """A position as open-spiel walks it: an action is the place of a move among the legal ones."""

    def __init__(self, ground: Ground, decision: SearchNode) -> None:
        self._ground, self._decision = ground, decision
        self._moves: Sequence[Move] | None = None

    @property
    def moves(self) -> Sequence[Move]:
        if self._moves is None:
            self._moves = [*self._ground.game.iter_legal_moves(self._decision.position)]
        return self._moves

    def clone(self) -> _State:
        twin = _State(self._ground, self._decision)
        twin._moves = self._moves
        return twin

    def is_terminal(self) -> bool:
        return not self._decision.seat

    def is_chance_node(self) -> bool:
        return False

    def current_player(self) -> int:
        return self._decision.seat - 1

    def legal_actions(self, _player: int | None = None) -> list[int]:
        return [*range(len(self.moves))]

    def apply_action(self, action: int) -> None:
        move = self.moves[int(action)]
        self._decision, self._moves = self._ground.play(self._decision.position, move), None

    def returns(self) -> list[float]:
        final = self._decision.final
        first = 1.0 if final > WON // 2 else -1.0 if final < -WON // 2 else 0.0
        return [first, -first]


def _whole(game: AnyGame, question: Question, seed: int) -> Position:
    """Return a position that agrees with what the seat sees."""
    if game.complete is None:
        return cast("Position", question.view)
    return game.complete(question.view, question.options, SeededDice(seed))
