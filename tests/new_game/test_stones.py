"""Stones: what its page says, and every broken rule."""

from __future__ import annotations

from domain.game.scene import Mark
from tests.domain.games.support import (
    drawn,
    ended,
    invalid,
    listed,
    marked,
    refusal,
    state,
    told,
    typed,
)
from tests.new_game.stones import STONES


def test_whoever_takes_the_last_stone_wins() -> None:
    assert ended(typed(STONES, "3 3 3 2")) == (2, "last-stone")
    assert ended(typed(STONES, "3 3 3 1 1")) == (1, "last-stone")


def test_no_more_stones_are_taken_than_there_are() -> None:
    table = typed(STONES, "3 3 3")
    assert state(table) == {"left": 2}
    assert listed(table) == ["1", "2"]
    assert refusal(table, {"number": 3}) == "There are not so many stones left."


def test_a_move_takes_one_two_or_three() -> None:
    assert listed(typed(STONES, "")) == ["1", "2", "3"]
    for number in (0, 4):
        assert refusal(typed(STONES, ""), {"number": number}) == "A move takes 1, 2 or 3 stones."


def test_there_are_as_many_stones_as_the_option_says() -> None:
    assert state(typed(STONES, "1", stones=5)) == {"left": 4}
    assert invalid(STONES, stones=4) == "stones must be from 5 to 40."


def test_what_a_move_did_is_told_and_seen() -> None:
    table = typed(STONES, "1")
    assert told(table, "2") == "P2 takes 2 stones; 8 left."
    scene = drawn(table)
    assert marked(scene, Mark.LAST) == ["stone:8", "stone:9"]
    assert marked(scene, Mark.REACH) == ["stone:5", "stone:6", "stone:7"]
