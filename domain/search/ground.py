"""What every search stands on: the way from one decision to the next, its budget, its chance.

Nothing here knows a game, a clock or a random generator. Integers alone decide, and nothing
depends on the order of a set, so that the same question has the same answer on every machine.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from typing_extensions import override

from domain.game.game import Act, AnyGame, Draw, Move, Over, Pass, Position
from domain.log.chance import WORD_SPAN, Dice

WON: Final = 1 << 40
"""What a won match is worth to its winner, beside which the game's own points are small."""


class SeededDice(Dice):
    """Chance as a search imagines it: SplitMix64 from a seed, and nothing of the match's secret.

    Source of the constants: Steele, Lea, Flood, "Fast splittable pseudorandom number
    generators", 2014.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed % WORD_SPAN

    @override
    def _draw_word(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) % WORD_SPAN
        word = self._state
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD_SPAN
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD_SPAN
        return word ^ (word >> 31)


class Exhausted(Exception):
    """As many positions have been looked at as there may be."""


class SearchNode(NamedTuple):
    """A position in which somebody acts (``seat``) or nobody does any more (``seat`` 0).

    ``final``: what an ended match is worth to seat 1, in points with ``WON`` for a win.
    """

    position: Position
    seat: int
    final: int = 0


class Ground:
    """A game as a search walks it; each step forward costs one position of the budget."""

    def __init__(self, game: AnyGame, dice: Dice, budget: int) -> None:
        self.game = game
        self._dice = dice
        self.left = budget
        self.drawn = False
        """Whether chance has decided anything: what follows then is no proof."""
        self._evaluate, self._next = game.evaluate, game.get_next_step
        self.moves = game.iter_promising or game.iter_legal_moves

    def play(self, position: Position, move: Move) -> SearchNode:
        """Return the next decision behind a move. Raises ``Exhausted``."""
        if not self.left:
            raise Exhausted
        self.left -= 1
        return self.settle(self.game.play(position, move))

    def settle(self, position: Position) -> SearchNode:
        """Let chance and forced passes happen until somebody is to act, or nobody is."""
        while True:
            step = self._next(position)
            if isinstance(step, Act):  # Nearly always, so that it is asked first.
                return SearchNode(position, step.seat, 0)
            match step:
                case Draw(purpose, sample, seat):
                    self.drawn = True
                    position = self.game.draw(position, purpose, seat, sample(self._dice))
                case Pass():
                    position = self.game.forfeit(position)
                case Over(winner):
                    points = self.count_points(position)
                    won = WON if winner == 1 else -WON if winner == 2 else 0  # noqa: PLR2004
                    return SearchNode(position, 0, won + points)

    def count_points(self, position: Position) -> int:
        """Return by how many points seat 1 is ahead, as the game counts them; 0 if it does not."""
        return self._evaluate(position) if self._evaluate is not None else 0

    def compute_worth(self, decision: SearchNode, seat: int) -> int:
        """Return what a position is worth to ``seat``: how it ended, or its points."""
        points = self.count_points(decision.position) if decision.seat else decision.final
        return points if seat == 1 else -points
