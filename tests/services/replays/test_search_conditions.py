"""The small language of conditions: what it says, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import InvalidRequest
from services.replays.search import LONGEST, look_up, parse

STEP = {
    "players": [{"score": 4, "hand": [1, 2], "name": "x"}, {"score": 10, "hand": []}],
    "seat": 2,
    "over": False,
    "winner": None,
    "event": {"kind": "move-made", "data": {"cause": "player"}},
    "text": "P1 goes on and captures P2.",
    "to_act": 2,
}


@pytest.mark.parametrize(
    "condition",
    [
        "players.1.score >= 10",
        "players.0.score < 5",
        "players.*.score = 10",
        "seat = 2 and players.0.score = 4",
        "seat = 1 or players.0.score != 5",
        "seat = 1 and seat = 2 or to_act = 2",
        "not seat = 1",
        "not not seat = 2",
        "not (seat = 1 or seat = 3)",
        "count(players.1.hand) = 0",
        "count(players) == 2",
        "players.0.hand has 2",
        "text has 'CAPTURES p2'",
        "event.kind = move-made",
        'event.data.cause = "player"',
        "over = false",
        "winner = null",
        "players.0.score > -1",
        "(((seat=2)))",
    ],
)
def test_what_holds(condition: str) -> None:
    assert parse(condition).holds(STEP)


@pytest.mark.parametrize(
    "condition",
    [
        "players.1.score > 10",
        "players.2.score > 0",
        "nowhere != 1",
        "seat.deeper = 1",
        "seat = '2'",
        "over = 0",
        "players < 3",
        "text < 3",
        "seat has 2",
        "players.0.hand has 3",
        "count(seat) = 0",
        "seat = 1 or seat = 2 and to_act = 1",
        "not seat = 2 or to_act = 1",
    ],
)
def test_what_does_not_hold(condition: str) -> None:
    assert not parse(condition).holds(STEP)


@pytest.mark.parametrize(
    ("condition", "where"),
    [
        ("", "at its end"),
        ("seat", "at its end"),
        ("seat =", "at its end"),
        ("seat = 2 and", "at its end"),
        ("seat = 2 seat = 2", "at 'seat = 2'"),
        ("3 = seat", "at '3 = seat'"),
        ("(seat = 2", "at its end"),
        ("seat = 2)", "at ')'"),
        ("count(seat = 2", "at '= 2'"),
        ("seat & 2", "at '& 2'"),
        ("__import__('os').system('x')", "at"),
        ("seat = 'open", "at"),
        ("(" * 30 + "seat = 2" + ")" * 30, "brackets"),
        ("seat = 2 or " * 100 + "seat = 2", f"at most {LONGEST} characters"),
    ],
)
def test_what_cannot_be_read_says_where(condition: str, where: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse(condition)
    assert where in refused.value.detail


@given(st.text(max_size=80) | st.text("ab.*=<>!()'\" 019-", max_size=80))
def test_any_text_is_a_condition_or_a_refusal(text: str) -> None:
    try:
        condition = parse(text)
    except InvalidRequest:
        return
    assert condition.holds(STEP) in (True, False)


def test_a_condition_knows_its_paths() -> None:
    assert parse("not a.b = 1 and count(c.*) > 2").paths == ("a.b", "c.*")


def test_a_star_is_each_member_too() -> None:
    assert list(look_up({"a": {"x": 1, "y": 2}}, "a.*")) == [1, 2]
