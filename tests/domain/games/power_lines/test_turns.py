"""What a seat can enter of its turn before it is sent: what it knows, and nothing else."""

from __future__ import annotations

from itertools import islice
from typing import cast

import pytest

from domain.game.game import Draw, Viewer
from domain.games.power_lines import POWER_LINES, rules, views
from domain.games.power_lines.cards import HIDDEN, PRICES
from domain.games.power_lines.moves import Decline, Discard, Dominate, DrawCard, Move, Play, Shuffle
from domain.games.power_lines.position import ACTIONS, Position
from domain.games.power_lines.views import View
from domain.search.ground import SeededDice
from tests.domain.playouts import Case, cases, playout

PLAYED = [case for case in cases() if case.slug == POWER_LINES.slug][:6]
MOVES = 40


def _acting(case: Case) -> list[Position]:
    return [cast("Position", moment.started) for moment in playout(case).acting]


def _view(position: Position, seat: int) -> View:
    return views.view(position, Viewer.from_seat(seat), over=False)


def _after(position: Position, move: Move, dice: SeededDice) -> Position:
    """Make a move and whatever chance has to decide behind it."""
    position = rules.play(position, move)
    while isinstance(step := rules.get_next_step(position), Draw):
        position = rules.draw(position, step.purpose, step.seat, step.sample(dice))
    return position


def _tells(before: View, move: Move) -> bool:
    """Say whether a seat sees something new by its move."""
    if isinstance(move, Dominate | Discard):
        return not before.seen.get_enemies(before.seen.actor)[move.spot].up
    if isinstance(move, Play):
        return PRICES[move.card].draws > 0 or move.card == rules.RAIDER
    return isinstance(move, DrawCard | Shuffle)


@pytest.mark.parametrize("case", PLAYED, ids=lambda one: f"{one.number}")
def test_what_follows_in_a_turn_is_what_will_follow(case: Case) -> None:
    """Behind a move that shows nothing new stands what will stand there, with the same moves."""
    planned = 0
    for position in _acting(case):
        seat = position.actor
        before = _view(position, seat)
        for move in islice(rules.iter_legal_moves(position), MOVES):
            found = None if _tells(before, move) else views.find_sequel(before, move)
            if found is None:
                continue
            seen, moves = found
            truth = rules.play(position, move)
            assert seen == _view(truth, seat)
            assert list(moves) == list(rules.iter_legal_moves(truth))
            planned += 1
    assert planned


@pytest.mark.parametrize("case", PLAYED, ids=lambda one: f"{one.number}")
def test_what_is_planned_behind_a_draw_needs_nothing_that_it_may_bring(case: Case) -> None:
    """The moves behind one that shows something new can be made, whatever it showed."""
    planned, dice = 0, SeededDice(case.number)
    for position in _acting(case):
        seat = position.actor
        before = _view(position, seat)
        for move in islice(rules.iter_legal_moves(position), MOVES):
            found = views.find_sequel(before, move) if _tells(before, move) else None
            if found is None:
                continue
            seen, moves = found
            assert set(views.iter_revealed(seen)) <= set(views.iter_revealed(before))
            truth = _after(position, move, dice)
            legal = set(rules.iter_legal_moves(truth))
            assert legal.issuperset(moves)
            assert truth.actions == seen.seen.actions
            planned += 1
    assert planned


def test_a_turn_of_draws_is_planned_to_its_last_action() -> None:
    begins = next(
        position
        for case in PLAYED
        for position in _acting(case)
        if position.actions == ACTIONS
        and all(side.discard and side.deck for side in position.sides)
    )
    seat = begins.seat
    deck = (HIDDEN,) * ACTIONS
    begins = begins.replace_side(seat, begins.get_side(seat)._replace(deck=deck))
    seen, move = _view(begins, seat), DrawCard()
    for left in (2, 1):
        found = views.find_sequel(seen, move)
        assert found is not None
        seen, moves = found
        assert seen.seen.actions == left
        assert move in moves
    assert views.find_sequel(seen, move) is None


@pytest.mark.parametrize("case", PLAYED, ids=lambda one: f"{one.number}")
def test_what_a_move_would_lead_to_shows_no_hidden_face(case: Case) -> None:
    for position in _acting(case):
        seat = position.actor
        before = _view(position, seat)
        for move in islice(rules.iter_legal_moves(position), MOVES):
            after = views.foresee(before, move)
            if after is None:
                assert isinstance(move, DrawCard | Shuffle | Decline)
                continue
            own = after.seen.get_side(seat)
            assert HIDDEN not in own.hand
            for side in after.seen.sides:
                assert HIDDEN not in (*side.discard, *side.trash)
            assert set(views.iter_revealed(after)) <= set(views.iter_revealed(before))
            POWER_LINES.build_scene(after, None)
