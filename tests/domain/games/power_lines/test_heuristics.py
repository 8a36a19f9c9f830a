"""What a search looks at of the cards: some of the legal moves, and of each kind one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import pytest

from domain.games.power_lines.cards import Card
from domain.games.power_lines.heuristics import evaluate, iter_promising
from domain.games.power_lines.moves import Dominate, Move, Play
from domain.games.power_lines.position import Position
from domain.games.power_lines.rules import iter_legal_moves
from tests.domain.playouts import Case, playout


def acting(number: int) -> list[Position]:
    """Return some positions of a random match in which a seat is to act."""
    moments = playout(Case("power-lines", 1, number)).acting
    return [cast("Position", moment.started) for moment in moments if moment.to_act]


@pytest.mark.parametrize("number", range(8))
def test_promising_moves_are_legal_and_there_is_one_wherever_a_seat_acts(number: int) -> None:
    for position in acting(number):
        legal, looked_at = [*iter_legal_moves(position)], [*iter_promising(position)]
        assert looked_at
        assert len({*looked_at}) == len(looked_at)
        assert {*looked_at} <= {*legal}
        assert {one for one in legal if isinstance(one, Dominate)} <= {*looked_at}


def test_of_payments_the_one_that_is_missed_least_is_looked_at() -> None:
    position = _with_hand(_start(), (2, 3, 6, 9))
    paid = _payments(iter_promising(position), 9)
    assert paid == {(2, 3)}
    assert _payments(iter_legal_moves(position), 9) == {(2, 3), (2, 6), (3, 6)}


def test_ground_that_leads_nowhere_is_not_looked_at() -> None:
    position = _with_hand(_start(), (6,))
    looked_at = {move.spot for move in iter_promising(position) if isinstance(move, Play)}
    every = {move.spot for move in iter_legal_moves(position) if isinstance(move, Play)}
    assert (2, 0) in looked_at
    assert (-1, 0) in every - looked_at


def test_a_base_about_to_fall_and_a_nearer_card_count() -> None:
    position = _start()
    near = _with_cards(position, {(0, 0): Card(12), (1, 0): Card(5), (2, 0): Card(5)})
    assert evaluate(near) > evaluate(position)
    row = {(at, 0): Card(5) for at in range(1, 12)}
    before = _with_cards(position, {(0, 0): Card(12), **row})
    beside_base = _with_cards(
        position, {(0, 0): Card(12), **row, (11, 1): Card(5), (12, 1): Card(9)}
    )
    elsewhere = _with_cards(position, {(0, 0): Card(12), **row, (1, 1): Card(5), (0, 1): Card(9)})
    assert evaluate(beside_base) > evaluate(elsewhere) > evaluate(before)


def _payments(moves: Iterable[Move], card: int) -> set[tuple[int, ...]]:
    return {move.discard for move in moves if isinstance(move, Play) and move.card == card}


def _start() -> Position:
    """Return a position of a turn of seat 1, which has one card beside its base."""
    position = next(position for position in acting(0) if not position.setting_up)
    position = position._replace(seat=1, actions=3, pending=None, due=None)
    away = position.get_side(2)._replace(cards={position.get_home(2): Card(12)})
    return _with_cards(position.replace_side(2, away), {(0, 0): Card(12), (1, 0): Card(5)})


def _with_cards(position: Position, cards: dict[tuple[int, int], Card]) -> Position:
    return position.replace_side(1, position.get_side(1)._replace(cards=cards))


def _with_hand(position: Position, hand: tuple[int, ...]) -> Position:
    return position.replace_side(1, position.get_side(1)._replace(hand=hand))
