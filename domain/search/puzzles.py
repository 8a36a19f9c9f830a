"""Puzzles: positions in which exactly one move wins, or, where none does, exactly one saves a draw.

Both are proven, never estimated: every move is followed to the end of the match, whatever the other
seat answers, with a table of what was proven before. Of two moves that win, one sooner and one
later, neither is the only one. Where something is hidden, or chance decides on the way, there is no
proof and so no puzzle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from typing_extensions import override

from domain.game.game import AnyGame, Move, Position, Viewer
from domain.json_types import JsonObject
from domain.log.chance import Dice
from domain.search.engine import Question, choose
from domain.search.ground import WON, Exhausted, Ground, SearchNode

WIN, SAVE = "win", "save"
"""What there is to find: the only move that wins, or the only one that does not lose."""

BUDGET: Final = 40_000
"""How many positions the proof of one puzzle may look at."""

DEEPEST: Final = 200
"""How many moves deep a proof may go."""

EASIEST, HARDEST = 1, 5

_Lines: TypeAlias = dict[Position, tuple[Move, ...]]

_GOALS = {WIN: 1, SAVE: 0}
_MANY: Final = 12
"""With more legal moves than this a puzzle is harder."""
_SEED: Final = 0
"""Weak house players try a puzzle with this one, so that its difficulty repeats."""


class Puzzle(NamedTuple):
    """What ``seat``, which is to act, has to find.

    ``line``: the only move, the reply that holds out longest, the only move again, and so on, as
    long as there is exactly one; it ends with a move of ``seat``.
    """

    seat: int
    aim: str
    line: tuple[Move, ...]
    difficulty: int


class PuzzleSearch:
    """Looks for puzzles in one match: what is proven of one position serves the others.

    ``unproven``: whether the last position was given up, since its proof took too long.
    """

    def __init__(self, game: AnyGame, options: JsonObject, budget: int = BUDGET) -> None:
        self._game, self._options, self._budget = game, options, budget
        self._ground = Ground(game, _NoDice(), budget)
        self._known: dict[tuple[Position, int, int, int], bool] = {}
        self.unproven = False

    def find_puzzle(self, position: Position, seat: int) -> Puzzle | None:
        """Return the puzzle that a position is to ``seat``, which is to act; None: it is none."""
        self._ground.left, self.unproven = self._budget, False
        if self._game.secrets:
            return None
        try:
            found = self._find_only(position, seat)
        except Exhausted:
            self.unproven = True
            return None
        if found is None:
            return None
        aim, move = found
        line = self._build_line(position, seat, _GOALS[aim], move)
        return Puzzle(seat, aim, line, self._measure_difficulty(position, seat, line))

    def _find_only(self, position: Position, seat: int) -> tuple[str, Move] | None:
        """Return the only right move among several, and what it is good for."""
        for aim, goal in _GOALS.items():
            right = self._list_right(position, seat, goal)
            if right:
                alone = len(right) == 1 and len(self._list_moves(position)) > 1
                return (aim, right[0]) if alone else None
        return None

    def _list_right(self, position: Position, seat: int, goal: int) -> list[Move]:
        """Return the moves that get ``seat`` so much; two of them are enough to know."""
        right: list[Move] = []
        for move in self._list_moves(position):
            if self._gets(self._ground.play(position, move), seat, goal):
                right.append(move)
                if len(right) > 1:
                    break
        return right

    def _gets(self, decision: SearchNode, who: int, goal: int, depth: int = DEEPEST) -> bool:
        """Whether ``who`` can get a win (1) or a draw (0) at least, whatever the other does."""
        if not decision.seat:
            return _judge_end(decision.final, who) >= goal
        key = (decision.position, decision.seat, who, goal)
        known = self._known.get(key)
        if known is not None:
            return known
        own = decision.seat == who
        if not depth:
            raise Exhausted
        found = not own
        for child in self._list_children(decision):
            if self._gets(child, who, goal, depth - 1) == own:
                found = own
                break
        self._known[key] = found
        return found

    def _list_children(self, decision: SearchNode) -> list[SearchNode]:
        """Return what may follow, that which looks best to the seat to act first."""
        position, ground = decision.position, self._ground
        children = [ground.play(position, move) for move in ground.game.iter_legal_moves(position)]
        sign = -1 if decision.seat == 1 else 1
        children.sort(key=lambda one: sign * (one.final or ground.count_points(one.position)))
        return children

    def _list_moves(self, position: Position) -> list[Move]:
        return [*self._game.iter_legal_moves(position)]

    def _build_line(self, position: Position, seat: int, goal: int, only: Move) -> tuple[Move, ...]:
        """Return the line from the only move on, as far as the budget reaches."""
        try:
            return (only, *self._find_longest(position, seat, goal, only, {}))
        except Exhausted:
            return (only,)

    def _find_longest(
        self, position: Position, seat: int, goal: int, move: Move, lines: _Lines
    ) -> tuple[Move, ...]:
        """Return the longest line behind a right move, over all replies that are no worse.

        It goes on where both seats act in turn, and the next move is the only one again. At its end
        stands a move that was to be found, among several.
        """
        other = self._ground.play(position, move)
        if other.seat != 3 - seat:
            return ()
        known = lines.get(other.position)
        if known is not None:
            return known
        longest: tuple[Move, ...] = ()
        for reply in self._list_moves(other.position):
            own = self._ground.play(other.position, reply)
            if own.seat != seat or (goal == 0 and self._gets(own, seat, 1)):
                continue
            right = self._list_right(own.position, seat, goal)
            if len(right) != 1:
                continue
            rest = self._find_longest(own.position, seat, goal, right[0], lines)
            if not rest and len(self._list_moves(own.position)) == 1:
                continue
            if len(rest) + 2 > len(longest):
                longest = (reply, right[0], *rest)
        lines[other.position] = longest
        return longest

    def _measure_difficulty(self, position: Position, seat: int, line: Sequence[Move]) -> int:
        """Say how hard a puzzle is, 1 to 5.

        It is harder for the second move that has to be found and for the third, with more than 12
        legal moves, and where house players of level 1 and of level 2 (but not the strongest there
        is) do not find its first move.
        """
        asked = (len(line) + 1) // 2
        sight = self._game.view(position, Viewer.from_seat(seat), False)  # noqa: FBT003 - as in Game
        question = Question(sight, seat, self._options)
        weak = range(1, min(2, len(self._game.levels) - 1) + 1)
        missed = sum(choose(self._game, question, level, _SEED) != line[0] for level in weak)
        many = len(self._list_moves(position)) > _MANY
        return min(HARDEST, EASIEST + min(2, asked - 1) + many + missed)


def _judge_end(final: int, who: int) -> int:
    """Return what an end is worth to a seat: 1, 0 or -1."""
    if abs(final) < WON // 2:
        return 0
    return 1 if (final > 0) == (who == 1) else -1


class _NoDice(Dice):
    """No chance: what follows on it cannot be proven."""

    def __init__(self) -> None:
        """Draw from nothing."""

    @override
    def _draw_word(self) -> int:
        raise Exhausted
