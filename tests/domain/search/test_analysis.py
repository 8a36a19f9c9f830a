"""What a position was worth, what was best there, and what the move played cost."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import cast

import pytest

from domain.game.game import AnyGame, Move, Viewer
from domain.game.game import Position as Whole
from domain.games.energy_capture import ENERGY_CAPTURE
from domain.games.grid_power import GRID_POWER
from domain.games.path_capture import PATH_CAPTURE
from domain.games.path_capture.rules import Position as Path
from domain.games.power_line import POWER_LINE
from domain.games.power_lines import POWER_LINES
from domain.match.state import Match
from domain.search.alpha_beta import search_position
from domain.search.analysis import (
    BEST,
    GOOD,
    INACCURACY,
    INACCURACY_FROM,
    MARKS,
    MISTAKE,
    MISTAKE_FROM,
    Analysis,
    Value,
    analyse,
    choose_mark,
    compute_share,
    judge_end,
)
from domain.search.analysis import Case as Position
from domain.search.comparison import compare_moves
from domain.search.ground import WON, Ground, SearchNode, SeededDice
from tests.domain.games.power_lines.test_twin_matches import decks, other_truth
from tests.domain.playouts import Case, playout
from tests.domain.twins import step, twins
from tests.support.games import MARATHON, marathon, test_games
from tests.support.scenario import Table


def asked(match: Match, played: str | None, budget: int = 3_000) -> Position:
    """Return the present position of a match, with a move in notation."""
    seat, game = match.to_act, match.game
    assert seat is not None
    sight = game.view(match.started, Viewer.from_seat(seat), False)  # noqa: FBT003 - as Game has it
    move = None if played is None else game.parse_move(game.notation.read(played))
    return Position(match.started, seat, sight, match.options, move, 5, budget)


def of(match: Match, played: str | None, budget: int = 3_000) -> Analysis:
    return analyse(match.game, asked(match, played, budget))


@pytest.mark.parametrize(
    "game", [*test_games().iter_versions()], ids=lambda game: f"{game.slug}-{game.rules_version}"
)
def test_every_position_of_every_game_is_analysed_and_again_in_the_same_way(game: AnyGame) -> None:
    acting = [one for one in playout(Case(game.slug, game.rules_version, 0)).moments if one.to_act]
    for moment in acting[:: max(1, len(acting) // 3)]:
        moves = [*game.iter_legal_moves(moment.started)]
        case = asked(moment, None, 400)._replace(played=moves[-1])
        found = analyse(game, case)
        assert found == analyse(game, case)
        assert (found.truth is None) != game.secrets
        judged = found.finding if game.complete or not game.secrets else found.truth
        assert judged is not None
        assert judged.mark in MARKS
        assert judged.loss is not None
        assert 0 <= judged.loss <= 1000
        assert judged.best
        assert all(line.move in moves and line.moves[0] == line.move for line in judged.best)


def path(length: int, *steps: str) -> Match:
    table = Table.started(PATH_CAPTURE, options={"length": length})
    for stride in steps:
        table.play({"steps": int(stride)})
    return table.match


def test_a_won_position_says_who_wins_and_in_how_many_moves() -> None:
    finding, truth = of(path(8), "3")
    assert truth is None
    assert finding.value == Value(1000, exact=True, winner=1, margin=None, plies=3)
    assert finding.loss == 0
    assert finding.mark == BEST
    line = finding.best[0].moves
    table = Table.started(PATH_CAPTURE, options={"length": 8})
    for move in line:
        table.play(table.game.dump_move(move))
    assert table.match.winner == 1


def test_a_move_that_throws_a_win_away_costs_all_of_it() -> None:
    finding, _ = of(path(8), "1")
    assert finding.value.winner == 1
    assert (finding.loss, finding.mark) == (1000, MISTAKE)
    assert [line.move for line in finding.best] == [line.move for line in of(path(8), None)[0].best]


def test_the_last_moves_are_told_by_how_much_they_win() -> None:
    acting = [one for one in playout(Case("grid-power", 1, 0)).moments if one.to_act]
    for moment in acting[-4:]:
        finding, _ = of(moment, None, 20_000)
        value = finding.value
        assert value.exact
        assert value.margin is not None
        assert value.plies == len(finding.best[0].moves) == len(acting) - acting.index(moment)
        position, game = moment.started, moment.game
        for move in finding.best[0].moves:
            position = game.play(position, move)
        end = judge_end(game, position)
        assert end is not None
        assert end._replace(plies=value.plies) == value


def test_what_is_not_proven_is_an_estimate_as_seat_1_sees_it() -> None:
    for game in (ENERGY_CAPTURE, POWER_LINE, GRID_POWER):
        match = Table.started(game).match
        finding, _ = of(match, None, 300)
        assert not finding.value.exact
        assert 0 < finding.value.per_mille < 1000
        assert all(line.value.per_mille <= finding.value.per_mille for line in finding.best)


def test_what_is_told_as_proven_is_so_however_little_was_looked_at() -> None:
    game = cast("AnyGame", replace(PATH_CAPTURE, evaluate=lambda _: 0))
    values = set()
    for nodes, budget in product(product(range(4), range(5, 10)), (20, 40, 80, 160, 320)):
        root = SearchNode(cast("Whole", Path(12, nodes, 1)), 1)
        for one in compare_moves(Ground(game, SeededDice(0), budget), root, None, 3):
            ground = Ground(game, SeededDice(0), 100_000)
            behind = ground.play(root.position, one.move)
            if one.proven and behind.seat:
                solved = search_position(ground, behind.position, behind.seat).value
                assert one.value == (solved if behind.seat == 1 else -solved)
                values.add(one.value)
    assert values == {WON, -WON}


def test_a_second_seat_is_judged_from_its_side() -> None:
    table = Table.started(POWER_LINE)
    table.play({"action": "place", "position": 3, "power": 3})
    finding, _ = of(table.match, None, 500)
    assert table.match.to_act == 2
    assert all(line.value.per_mille >= finding.value.per_mille for line in finding.best)


def test_the_scale_rises_with_the_points_and_is_the_same_from_both_sides() -> None:
    game = cast("AnyGame", POWER_LINE)
    points = [-WON, -1000, -60, -1, 0, 1, 60, 1000, WON]
    shares = [compute_share(game, one) for one in points]
    assert shares == sorted(shares)
    assert compute_share(game, 0) == 500
    assert compute_share(game, game.lead) == 750
    assert [1000 - one for one in reversed(shares)] == shares
    assert all(0 < one < 1000 for one in shares)


def test_marks_follow_from_what_a_move_costs() -> None:
    assert choose_mark(0, best=True) == BEST
    assert choose_mark(0, best=False) == choose_mark(INACCURACY_FROM - 1, best=False) == GOOD
    assert choose_mark(INACCURACY_FROM, best=False) == INACCURACY
    assert choose_mark(MISTAKE_FROM - 1, best=False) == INACCURACY
    assert choose_mark(MISTAKE_FROM, best=False) == MISTAKE


def test_a_game_that_offers_nothing_but_its_rules_is_tried_out() -> None:
    table = Table.started(MARATHON, options={"length": 100})
    finding, _ = of(table.match, "1", 6_000)
    assert not finding.value.exact
    assert finding.mark in MARKS
    near = Table.started(MARATHON, options={"length": 4})
    finding, _ = of(near.match, "1", 6_000)
    assert finding.value.exact
    assert finding.value.winner is None
    assert finding.mark == MISTAKE


def further(position: marathon.Position) -> int:
    first, second = position.run
    return first - second


def test_a_win_by_less_is_good_and_a_win_by_more_is_best() -> None:
    game = replace(MARATHON, evaluate=further)
    position = marathon.Position(6, 4, (6, 2))
    case = Position(position, 1, position, {}, marathon.Stride(3), 5, 500)  # type: ignore[arg-type]
    for strides, mark in ((3, BEST), (2, GOOD), (1, GOOD)):
        played = cast("Move", marathon.Stride(strides))
        finding, _ = analyse(cast("AnyGame", game), case._replace(played=played))
        assert finding.value == Value(1000, exact=True, winner=1, margin=4, plies=2)
        assert (finding.loss, finding.mark) == (0, mark)


def test_what_was_knowable_does_not_follow_from_what_was_hidden() -> None:
    compared = 0
    for number in range(4):
        viewer, random = Viewer.from_seat(1 + number % 2), Random(number)
        pair = twins(
            POWER_LINES, POWER_LINES, viewer, number, settings=decks, other_truth=other_truth
        )
        for at in range(24):
            if at % 2 and pair.differ and pair.first.match.to_act == viewer.seat:
                found = [of(table.match, None, 1_000) for table in (pair.first, pair.second)]
                assert found[0].finding == found[1].finding
                assert all(each.truth is not None for each in found)
                compared += 1
            if not step(pair, random):
                break
    assert compared > 10
