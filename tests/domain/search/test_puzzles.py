"""Puzzles: one right move, proven; the line behind it; what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import cast

import pytest

from domain.game.game import Act, AnyGame, Move, Over, Position
from domain.game.options import fill
from domain.games.energy_capture import ENERGY_CAPTURE
from domain.games.energy_capture import rules as energy
from domain.games.energy_capture.setup import Cell
from domain.games.grid_power import GRID_POWER
from domain.games.path_capture import PATH_CAPTURE
from domain.games.path_capture.rules import Position as Path
from domain.games.power_line import POWER_LINE
from domain.games.power_lines import POWER_LINES
from domain.search.alpha_beta import search_position
from domain.search.ground import WON, Ground, SeededDice
from domain.search.puzzles import SAVE, WIN, Puzzle, PuzzleSearch
from tests.support.games import MARATHON
from tests.support.scenario import Table

GRID, PATHS, LINE, ENERGY = (
    cast("AnyGame", game) for game in (GRID_POWER, PATH_CAPTURE, POWER_LINE, ENERGY_CAPTURE)
)

VALUES = dict[tuple[str, Position, int], int]()


def looked(game: AnyGame, position: object, seat: int, budget: int = 40_000) -> Puzzle | None:
    return PuzzleSearch(game, fill(game.options, {}), budget).find_puzzle(
        cast("Position", position), seat
    )


def race(theirs: tuple[int, int]) -> energy.Position:
    """Seat 1 has 12 energy and stands beside a 3; seat 2, with as much, stands somewhere."""
    cells = (Cell(2, 3, 3),)
    own = energy.Marker(12, ((1, 1), (2, 1), (2, 2)))
    other = energy.Marker(12, ((5, 5), theirs))
    return energy.Position(energy.CAPTURED, cells, (own, other), 1)


def test_a_puzzle_with_two_winning_moves_is_refused() -> None:
    position = race((4, 5))._replace(cells=(Cell(2, 3, 3), Cell(3, 2, 3)))
    assert looked(ENERGY, position, 1) is None


def test_a_second_move_that_wins_later_makes_it_no_puzzle() -> None:
    """Over (1,2) and (1,3) seat 1 takes the same energy two moves later, and nobody hinders it."""
    wins_at_once, wins_later = energy.Go(2, 3), energy.Go(1, 2)
    position = race((5, 1))
    assert {wins_at_once, wins_later} <= {*energy.iter_legal_moves(position)}
    later = ENERGY.play(cast("Position", position), cast("Move", wins_later))
    verdict = search_position(Ground(ENERGY, SeededDice(1), 20_000), later, 2)
    assert verdict.proven
    assert verdict.value < -WON // 2
    assert looked(ENERGY, position, 1) is None


def test_a_second_move_that_comes_too_late_leaves_it_a_puzzle() -> None:
    found = looked(ENERGY, race((3, 3)), 1)
    assert found is not None
    assert (found.aim, found.seat) == (WIN, 1)
    assert [ENERGY.dump_move(move) for move in found.line] == [{"row": 2, "column": 3}]


def value(game: AnyGame, position: Position, who: int) -> int:
    """Return the result for ``who`` by plain minimax, as an independent judge."""
    known = VALUES.get((game.slug, position, who))
    if known is None:
        known = VALUES[game.slug, position, who] = minimax(game, position, who)
    return known


def minimax(game: AnyGame, position: Position, who: int) -> int:
    match game.get_next_step(position):
        case Over(winner):
            return 0 if winner is None else 1 if winner == who else -1
        case Act(seat):
            children = [
                value(game, game.play(position, move), who)
                for move in game.iter_legal_moves(position)
            ]
            return max(children) if seat == who else min(children)
        case _:
            return value(game, game.forfeit(position), who)


def forced(game: AnyGame, position: Position, seat: int, move: Move) -> int:
    return value(game, game.play(position, move), seat)


def small_positions() -> Iterator[tuple[AnyGame, Position, int]]:
    """Yield positions that plain minimax can judge: paths of every kind, the ends of grids."""
    for length in (5, 8, 9):
        for first in range(length):
            for second in range(length):
                for seat in (1, 2):
                    path = cast("Position", Path(length, (first, second), seat))
                    if PATHS.get_next_step(path) == Act(seat):
                        yield PATHS, path, seat
    random = Random(15)
    for moves in (6, 7) * 60:
        position = GRID.set_up({"komi": random.randrange(30)}, ({}, {}))
        for _ in range(moves):
            position = GRID.play(position, random.choice([*GRID.iter_legal_moves(position)]))
        yield GRID, position, 1 + moves % 2


def right_moves(game: AnyGame, position: Position, seat: int) -> tuple[int, list[Move]]:
    """Return the best result there is, and the moves that get it."""
    results = {move: forced(game, position, seat, move) for move in game.iter_legal_moves(position)}
    best = max(results.values())
    return best, [move for move, result in results.items() if result == best]


def test_one_move_alone_wins_or_saves_or_it_is_no_puzzle() -> None:
    aims = set()
    for game, position, seat in small_positions():
        best, right = right_moves(game, position, seat)
        found = looked(game, position, seat)
        wanted = best >= 0 and len(right) == 1 and len([*game.iter_legal_moves(position)]) > 1
        assert (found is not None) is wanted, position
        if found is not None:
            assert found.aim == (WIN if best else SAVE)
            assert found.line[0] == right[0]
            aims.add((game.slug, found.aim))
    assert aims == {("path-capture", WIN), ("grid-power", WIN), ("grid-power", SAVE)}


def test_along_the_line_each_move_is_the_only_one_and_no_reply_is_worse_than_others() -> None:
    longest = 0
    for game, start, seat in small_positions():
        position, found = start, looked(game, start, seat)
        for at, move in enumerate(found.line if found else ()):
            actor = seat if at % 2 == 0 else 3 - seat
            assert game.get_next_step(position) == Act(actor)
            best, right = right_moves(game, position, actor)
            assert move in right
            assert len(right) == 1 or actor != seat
            assert best >= 0 or actor != seat
            position = game.play(position, move)
        longest = max(longest, len(found.line) if found else 0)
        assert found is None or len(found.line) % 2 == 1
    assert longest >= 3


def test_the_reply_is_the_one_that_holds_out_longest() -> None:
    """From 15 nodes apart, 3 leaves a multiple of 4, and each reply another one: four times."""
    found = looked(PATHS, Path(16, (0, 15), 1), 1)
    assert found is not None
    assert len(found.line) == 7
    assert PATHS.dump_move(found.line[0]) == {"steps": 3}


def test_no_move_that_has_to_be_made_is_asked_for() -> None:
    """Where one move alone is legal there is nothing to find."""
    assert looked(PATHS, Path(9, (7, 8), 1), 1) is None


def test_what_takes_too_long_is_given_up_and_not_guessed() -> None:
    search = PuzzleSearch(LINE, fill(LINE.options, {}), 500)
    position = LINE.set_up(fill(LINE.options, {}), ({}, {}))
    assert search.find_puzzle(position, 1) is None
    assert search.unproven
    assert (
        looked(cast("AnyGame", MARATHON), MARATHON.set_up({"length": 3_000}, ({}, {})), 1) is None
    )


def test_where_something_is_hidden_nothing_is_looked_for() -> None:
    position = Table.started(POWER_LINES).match.started
    assert looked(cast("AnyGame", POWER_LINES), position, 1, 1) is None


@pytest.mark.parametrize(("nodes", "difficulty"), [((5, 6), 1), ((3, 8), 2)])
def test_more_moves_to_find_are_harder(nodes: tuple[int, int], difficulty: int) -> None:
    found = looked(PATHS, Path(11, nodes, 1), 1)
    assert found is not None
    assert found.difficulty == difficulty


def test_the_same_position_is_the_same_puzzle_each_time() -> None:
    position = Path(21, (3, 17), 1)
    assert looked(PATHS, position, 1) == looked(PATHS, position, 1)
