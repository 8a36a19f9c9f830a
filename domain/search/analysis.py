"""What a position of a finished match was worth, what was best, and what the move played cost.

Values are told on one scale for all games: the share of a win in per mille that seat 1 may expect.
Where it is proven who wins, that is told instead. Where something is hidden, a move is judged by
what its seat could know, and what was true stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from domain.game.game import AnyGame, Move, Over, Position, Sight
from domain.json_types import JsonObject
from domain.search import engine
from domain.search.comparison import DECIDED, ComparedMove, compare_moves
from domain.search.ground import WON, Exhausted, Ground, SearchNode, SeededDice
from domain.search.monte_carlo import weigh_moves
from domain.search.worlds import Breadth, follow_moves, iter_steps

ENGINE: Final = f"{engine.VERSION}.1"
"""The version of the engine, and of how it analyses: it rises with anything that may change one."""

MOST: Final = 3
"""So many of the best moves are told, if they are as good as that."""

BEST, GOOD, INACCURACY, MISTAKE = "best", "good", "inaccuracy", "mistake"
MARKS: Final = (BEST, GOOD, INACCURACY, MISTAKE)

INACCURACY_FROM: Final = 50
MISTAKE_FROM: Final = 150
"""What a move costs, in per mille of a win, from which on it is an inaccuracy, or a mistake."""

_EVEN: Final = 500
_KNOWABLE, _TRUE = Breadth(4, 8, 1), Breadth(1, 8, 1)
_TRUE_LINE: Final = 6


class Value(NamedTuple):
    """What a position is worth. ``per_mille``: the share of a win that seat 1 may expect.

    ``exact``: it is proven who wins (``winner``; None: nobody). ``margin``: by how many of the
    game's own points, where the game counts any and that is proven too. ``plies``: in how many
    moves, when both play on as the line says; None: the line is not known to the end.
    """

    per_mille: int
    exact: bool = False
    winner: int | None = None
    margin: int | None = None
    plies: int | None = None


class Variation(NamedTuple):
    """A move, the value of the position if it is made, and how it goes on, the move first."""

    move: Move
    value: Value
    moves: tuple[Move, ...]


class Finding(NamedTuple):
    """What was found: the value for the best move, the best moves, and what the played one cost.

    ``loss``: in per mille of a win. It and ``mark`` are None where no move was played.
    """

    value: Value
    best: tuple[Variation, ...]
    loss: int | None
    mark: str | None


class Analysis(NamedTuple):
    """``finding``: by what the seat to act could know. ``truth``: None where nothing is hidden."""

    finding: Finding
    truth: Finding | None = None


class Case(NamedTuple):
    """A position to be analysed: ``seat`` is to act there, saw ``sight``, and made ``played``.

    ``seed``: 64 bits from which all chance follows. ``budget``: how many positions are looked at.
    """

    position: Position
    seat: int
    sight: Sight
    options: JsonObject
    played: Move | None
    seed: int
    budget: int


def budget_of(game: AnyGame) -> int:
    """Return how many positions are looked at for each: as many as the strongest level does."""
    return game.levels[-1]


def judge_end(game: AnyGame, position: Position) -> Value | None:
    """Return the value of a position in which the game has ended; None: it goes on."""
    step = game.get_next_step(position)
    if not isinstance(step, Over):
        return None
    sign = -1 if step.winner == 2 else 1  # noqa: PLR2004 - a seat
    margin = None if game.evaluate is None else sign * game.evaluate(position)
    return Value(
        _get_end_share(step.winner), exact=True, winner=step.winner, margin=margin, plies=0
    )


def analyse(game: AnyGame, case: Case) -> Analysis:
    """Analyse a position in which a seat is to act. The same case has the same analysis."""
    if not game.secrets:
        return Analysis(_analyse_open(game, case))
    truth = _analyse_hidden(game, case, lambda: case.position, _TRUE)
    if game.complete is None:
        return Analysis(Finding(truth.value, (), None, None), truth)
    dice = SeededDice(case.seed + 1)
    world = partial(game.complete, case.sight, case.options, dice)
    return Analysis(_analyse_hidden(game, case, world, _KNOWABLE), truth)


def choose_mark(loss: int, *, best: bool) -> str:
    """Return the mark of a move that cost so much."""
    if best:
        return BEST
    return GOOD if loss < INACCURACY_FROM else INACCURACY if loss < MISTAKE_FROM else MISTAKE


def compute_share(game: AnyGame, value: int) -> int:
    """Return the share of a win that a value is worth to the seat that it is told for.

    It rises with the value; a lead of the game's ``lead`` is worth three of four wins.
    """
    if abs(value) >= DECIDED:
        return 999 if value > 0 else 1
    share = _EVEN * abs(value) // (abs(value) + game.lead)
    return _EVEN + (min(499, share) if value > 0 else -min(499, share))


def _analyse_open(game: AnyGame, case: Case) -> Finding:
    """Analyse where nothing is hidden: by proof or the game's points, else by playing it out."""
    dice, root = SeededDice(case.seed), SearchNode(case.position, case.seat)
    ground = Ground(game, dice, case.budget)
    points = game.evaluate is not None
    if not points:
        ground.left //= 2
    found = compare_moves(ground, root, case.played, MOST)
    if points or all(one.decided for one in found):
        lines = [(one.value, _make_variation(game, case.seat, one)) for one in found]
        return _make_finding(case, lines)
    return _play_out(game, case, lambda: case.position, case.budget // 2)


def _analyse_hidden(
    game: AnyGame, case: Case, world: Callable[[], Position], breadth: Breadth
) -> Finding:
    if game.evaluate is None:
        return _play_out(game, case, world, case.budget)
    ground = Ground(game, SeededDice(case.seed), case.budget)
    lines = []
    for move, values in follow_moves(ground, world, case.seat, breadth, case.played):
        share = sum(compute_share(game, one) for one in values) // len(values) if values else _EVEN
        moves = _play_on(game, case, move) if breadth is _TRUE else (move,)
        lines.append((share, Variation(move, Value(_convert_share(share, case.seat)), moves)))
    lines.sort(key=lambda one: -one[0])
    return _make_finding(case, lines)


def _play_on(game: AnyGame, case: Case, move: Move) -> tuple[Move, ...]:
    """Return a move and what both do then if they see all, until chance decides."""
    ground = Ground(game, SeededDice(case.seed), case.budget)
    moves = list[Move]()
    try:
        for one, _ in islice(
            iter_steps(ground, SearchNode(case.position, case.seat), move, _TRUE.turns), _TRUE_LINE
        ):
            if ground.drawn and moves:
                break
            moves.append(one)
    except Exhausted:
        pass
    return tuple(moves) or (move,)


def _play_out(game: AnyGame, case: Case, world: Callable[[], Position], budget: int) -> Finding:
    dice = SeededDice(case.seed)
    ground = Ground(game, dice, budget)
    found = weigh_moves(ground, world, case.seat, dice, case.played)
    lines = []
    for one in found:
        share = min(999, max(1, one.per_mille))
        value = Value(_convert_share(share, case.seat))
        lines.append((share, Variation(one.move, value, one.line)))
    return _make_finding(case, lines)


def _make_finding(case: Case, lines: Sequence[tuple[int, Variation]]) -> Finding:
    """Judge the move that was played beside the best one, which comes first.

    Each line comes with its worth to the seat to act: of two that win, one may win by more.
    """
    highest, top = lines[0]
    losses = [_compute_loss(case.seat, top, line) for _, line in lines]
    best = tuple(
        line
        for (_, line), loss in islice(zip(lines, losses, strict=True), MOST)
        if loss < INACCURACY_FROM
    )
    for (worth, line), loss in zip(lines, losses, strict=True):
        if line.move == case.played:
            return Finding(top.value, best, loss, choose_mark(loss, best=worth >= highest))
    return Finding(top.value, best, None, None)


def _compute_loss(seat: int, best: Variation, other: Variation) -> int:
    cost = best.value.per_mille - other.value.per_mille
    return max(0, cost if seat == 1 else -cost)


def _make_variation(game: AnyGame, seat: int, found: ComparedMove) -> Variation:
    """Return a line as seat 1 sees it."""
    if not found.decided:
        share = compute_share(game, found.value)
        return Variation(found.move, Value(_convert_share(share, seat)), found.line)
    value = found.value if seat == 1 else -found.value
    winner = (1 if value > 0 else 2) if abs(value) >= DECIDED else None
    margin = None
    if found.proven and game.evaluate is not None:
        margin = 0 if winner is None else abs(value) - WON
    plies = len(found.line) if found.ends else None
    exact = Value(_get_end_share(winner), exact=True, winner=winner, margin=margin, plies=plies)
    return Variation(found.move, exact, found.line)


def _get_end_share(winner: int | None) -> int:
    return {1: 1000, 2: 0, None: _EVEN}[winner]


def _convert_share(share: int, seat: int) -> int:
    """Return seat 1's share of a win from that of ``seat``."""
    return share if seat == 1 else 1000 - share
