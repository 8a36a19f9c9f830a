"""What a seat can enter of its turn before it is sent: what it knows, and nothing else."""

from __future__ import annotations

from itertools import islice
from typing import cast

import pytest

from domain.game.game import Viewer
from domain.games.power_lines import POWER_LINES, rules, views
from domain.games.power_lines.cards import HIDDEN
from domain.games.power_lines.moves import Decline, Discard, Dominate, DrawCard, Shuffle
from domain.games.power_lines.position import Position
from domain.games.power_lines.views import View
from tests.domain.playouts import Case, cases, playout

PLAYED = [case for case in cases() if case.slug == POWER_LINES.slug][:6]
MOVES = 40


def _acting(case: Case) -> list[Position]:
    return [cast("Position", moment.started) for moment in playout(case).acting]


def _view(position: Position, seat: int) -> View:
    return views.view(position, Viewer.of_seat(seat), over=False)


@pytest.mark.parametrize("case", PLAYED, ids=lambda one: f"{one.number}")
def test_what_follows_in_a_turn_is_what_will_follow(case: Case) -> None:
    """The view after a planned move is the view after the move, with the same moves to go on."""
    planned = 0
    for position in _acting(case):
        seat = position.actor
        for move in islice(rules.legal_moves(position), MOVES):
            found = views.sequel(_view(position, seat), move)
            if found is None:
                continue
            seen, moves = found
            truth = rules.play(position, move)
            assert seen == _view(truth, seat)
            assert list(moves) == list(rules.legal_moves(truth))
            planned += 1
    assert planned


@pytest.mark.parametrize("case", PLAYED, ids=lambda one: f"{one.number}")
def test_nothing_is_planned_behind_what_shows_something_new(case: Case) -> None:
    for position in _acting(case):
        seat = position.actor
        before = _view(position, seat)
        hidden = {at for at, card in before.seen.enemies(seat).items() if not card.up}
        for move in islice(rules.legal_moves(position), MOVES):
            turns_over = isinstance(move, Dominate | Discard) and move.spot in hidden
            if turns_over or isinstance(move, DrawCard | Shuffle):
                assert views.sequel(before, move) is None


@pytest.mark.parametrize("case", PLAYED, ids=lambda one: f"{one.number}")
def test_what_a_move_would_lead_to_shows_no_hidden_face(case: Case) -> None:
    for position in _acting(case):
        seat = position.actor
        before = _view(position, seat)
        for move in islice(rules.legal_moves(position), MOVES):
            after = views.foresee(before, move)
            if after is None:
                assert isinstance(move, DrawCard | Shuffle | Decline)
                continue
            own = after.seen.side(seat)
            assert HIDDEN not in own.hand
            for side in after.seen.sides:
                assert HIDDEN not in (*side.discard, *side.trash)
            assert set(views.revealed(after)) <= set(views.revealed(before))
            POWER_LINES.scene(after, None)
