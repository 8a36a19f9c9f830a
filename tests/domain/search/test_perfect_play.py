"""Where the strongest level is perfect, it is so by full solving."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, cast

import pytest

from domain.game.game import Act, AnyGame, Move, Over, Pass, Position
from domain.game.options import fill
from domain.games import load_games
from domain.games.grid_power import rules as grid_power
from domain.games.grid_power.opening_book import BEST, find_opening
from domain.games.path_capture.rules import Position as Path
from domain.search.alpha_beta import search_position
from domain.search.engine import Question, choose, count_levels
from domain.search.ground import Ground, SeededDice

GRID_POWER = load_games().get("grid-power")
PATH_CAPTURE = load_games().get("path-capture")


def top_move(game: AnyGame, position: Position, seat: int) -> Move:
    view = cast("Any", position)
    return choose(game, Question(view, seat, fill(game.options, {})), count_levels(game), seed=1)


@cache
def path_value(position: Path) -> int:
    """Return by full solving who wins: 1 for seat 1, -1 for seat 2, 0 for nobody."""
    game, whole = PATH_CAPTURE, cast("Position", position)
    match game.get_next_step(whole):
        case Over(winner):
            return {1: 1, 2: -1, None: 0}[winner]
        case Pass():
            return path_value(cast("Path", game.forfeit(whole)))
        case Act(seat):
            values = (
                path_value(cast("Path", game.play(whole, m))) for m in game.iter_legal_moves(whole)
            )
            return max(values) if seat == 1 else min(values)
        case _:
            pytest.fail("nothing is drawn here")


def path_positions(length: int, stride: int) -> Iterator[Path]:
    """Yield positions in which somebody acts: every one of a short path."""
    for first, second in product(range(0, length, stride), range(length - 1, 0, -stride)):
        for seat in (1, 2):
            position = Path(length, (first, second), seat)
            if PATH_CAPTURE.get_next_step(cast("Position", position)) == Act(seat):
                yield position


@pytest.mark.parametrize(("length", "stride"), [(5, 1), (11, 1), (12, 1), (41, 13)])
def test_path_capture_is_played_perfectly_from_every_position(length: int, stride: int) -> None:
    for position in path_positions(length, stride):
        whole = cast("Position", position)
        after = PATH_CAPTURE.play(whole, top_move(PATH_CAPTURE, whole, position.seat))
        assert path_value(cast("Path", after)) == path_value(position)


def positions_of_grid(free: int, count: int) -> Iterator[grid_power.Position]:
    """Yield positions behind random placements with so many free cells."""
    for number in range(count):
        position, random = grid_power.set_up({"komi": 0}, ({}, {})), Random(number)
        for _ in range(9 - free):
            position = grid_power.play(
                position, random.choice([*grid_power.iter_legal_moves(position)])
            )
        yield position


def grid_margin(
    position: grid_power.Position,
    moves: Callable[[grid_power.Position], Iterable[grid_power.Placement]],
) -> int:
    """Return by how much seat 1 ends ahead when both choose the best of ``moves``."""
    if None not in position.grid:
        return grid_power.evaluate(position)
    values = (grid_margin(grid_power.play(position, move), moves) for move in moves(position))
    return max(values) if position.seat == 1 else min(values)


@pytest.mark.parametrize("free", [1, 2, 3])
def test_in_grid_power_the_highest_units_are_as_good_as_all(free: int) -> None:
    for position in positions_of_grid(free, 6):
        highest = grid_margin(position, grid_power.iter_promising)
        assert highest == grid_margin(position, grid_power.iter_legal_moves)


@pytest.mark.parametrize("free", [7, 6, 5, 4])
def test_grid_power_is_proven_by_the_strongest_level(free: int) -> None:
    for position in positions_of_grid(free, 3):
        ground = Ground(GRID_POWER, SeededDice(0), GRID_POWER.levels[-1])
        verdict = search_position(ground, cast("Position", position), position.seat)
        assert verdict.proven
        if free < 5:
            value = grid_margin(position, grid_power.iter_promising)
            after = grid_power.play(position, cast("grid_power.Placement", verdict.move))
            assert grid_margin(after, grid_power.iter_promising) == value


def grid_played_out(number: int | None) -> int:
    """Let the strongest level begin on the empty grid; return by how much it ends ahead.

    Against itself, or, with a ``number``, against random placements.
    """
    position, random = grid_power.set_up({"komi": 0}, ({}, {})), Random(number)
    while None in position.grid:
        if position.seat == 1 or number is None:
            best = top_move(GRID_POWER, cast("Position", position), position.seat)
            move = cast("grid_power.Placement", best)
        else:
            move = random.choice([*grid_power.iter_legal_moves(position)])
        position = grid_power.play(position, move)
    return grid_power.evaluate(position)


def test_from_the_empty_grid_the_first_seat_keeps_what_is_proven() -> None:
    assert grid_played_out(None) == 32
    assert all(grid_played_out(number) >= 32 for number in range(4))


def test_an_opening_that_is_turned_or_mirrored_is_known_as_well() -> None:
    start = grid_power.set_up({"komi": 25}, ({}, {}))
    assert len(BEST) == 28
    margins: dict[int, set[int]] = {}
    for first in grid_power.iter_legal_moves(start):
        position = grid_power.play(start, first)
        answer = find_opening(position)
        assert answer is not None
        assert grid_power.check_move(position, answer) is None
        cells = sum(abs(place - 2) for place in first[1:])
        after = grid_power.play(position, answer)
        margins.setdefault(10 * first.unit + cells, set()).add(grid_power.evaluate(after))
        assert find_opening(after) is None
    assert all(len(alike) == 1 for alike in margins.values())
