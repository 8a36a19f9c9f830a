"""Rows of moves at the edges of the rules, which random matches seldom reach."""

from __future__ import annotations

from domain.games.energy_capture import judging as energy_capture
from domain.games.energy_capture.rules import CAPTURED, OWN, Go, Marker
from domain.games.energy_capture.rules import Position as Grid
from domain.games.energy_capture.setup import GOAL, Cell
from domain.games.power_line import judging as power_line
from domain.games.power_line.rules import DUEL, LADDER, STRONGEST, Node, Side, Terms, Upgrade
from domain.games.power_line.rules import Position as Line

TERMS = Terms(5, 99, DUEL, LADDER)


def test_no_node_gets_stronger_than_the_strongest() -> None:
    for power, number in ((STRONGEST - 1, 1), (STRONGEST, 0)):
        line = Line(TERMS, (Node(1, power), None, None), (Side(99, 4), Side(99, 5)), 1)
        made, after = power_line.judge_all(line, [Upgrade(0)])
        assert made == number
        assert after.line[0] == Node(1, STRONGEST)


def test_a_row_ends_with_the_step_that_wins() -> None:
    cells = (Cell(1, 2, 1), Cell(3, 3, 1))
    for score, number in ((GOAL - 2, 2), (GOAL - 1, 1)):
        markers = Marker(score, ((1, 1),)), Marker(0, ((5, 5),))
        made, after = energy_capture.judge_all(
            Grid(CAPTURED, cells, markers, 1), [Go(1, 2), Go(5, 4)]
        )
        assert made == number
        assert after.markers[0].score == score + 1


def test_what_is_captured_in_a_row_is_closed_in_it() -> None:
    cells = (Cell(2, 3, 1), Cell(5, 1, 1))
    markers = Marker(0, ((2, 2),)), Marker(0, ((2, 5),))
    row = [Go(2, 3), Go(2, 4), Go(1, 3), Go(2, 3)]
    for closed, number in ((CAPTURED, 3), (OWN, 4)):
        assert energy_capture.judge_all(Grid(closed, cells, markers, 1), row)[0] == number
