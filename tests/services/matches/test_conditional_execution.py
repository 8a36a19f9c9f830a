"""Conditional moves are played with the move that they answer."""

from __future__ import annotations

import pytest

from domain.errors import YourTurn
from services.container import Services
from services.matches.conditional_moves.execution import OTHER_MOVE
from services.matches.conditional_moves.plans import shown_json
from services.matches.requests import ChangeRequest
from tests.services.conftest import Clock
from tests.services.matches.lines import (
    DRAW,
    ONE,
    THREE,
    TWO,
    keep,
    kept,
    labels,
    line,
    moves,
    past_setup,
    told,
)
from tests.services.people import Table, table


def test_the_answer_is_played_with_the_move_that_it_answers(long: Table) -> None:
    keep(long, 2, line(ONE, THREE), line(TWO, ONE))
    done = long.play(TWO)
    assert moves(long) == [(1, 2, "player"), (2, 1, "conditional")]
    assert [event["data"]["cause"] for event in done.events] == ["player", "conditional"]
    assert done.shown.view.to_act == 1
    assert done.shown.view.version == done.events[-1]["version"] == long.version
    assert len({event["at"] for event in done.events}) == 1
    assert told(long, 2) == [("lapsed", OTHER_MOVE), ("fired", None)]
    assert long.house.audits.verify(long.match).holds


def test_not_only_the_first_conditional_move_is_played(long: Table) -> None:
    """Named after the fault: of several lines in a row only the first is ever played."""
    third = [line(THREE, THREE)]
    keep(long, 2, line(ONE, ONE, following=[line(TWO, TWO, following=third)]))
    for steps in (ONE, TWO, THREE):
        long.play(steps)
    assert moves(long) == [
        (1, 1, "player"), (2, 1, "conditional"),
        (1, 2, "player"), (2, 2, "conditional"),
        (1, 3, "player"), (2, 3, "conditional"),
    ]  # fmt: skip
    assert labels(long, 2) == []
    assert told(long, 2) == [("fired", None)] * 3


def test_the_lines_of_both_seats_answer_each_other(long: Table) -> None:
    """One move by hand, and both seats go on by their lines, all of it in one transaction."""
    theirs = line(ONE, TWO, following=[line(THREE, ONE, following=[line(ONE, THREE)])])
    keep(long, 2, theirs)
    mine = line(TWO, THREE, following=[line(ONE, ONE, following=[line(TWO, ONE)])])
    keep(long, 1, mine, after=[ONE])
    done = long.play(ONE)
    assert moves(long) == [
        (1, 1, "player"), (2, 2, "conditional"), (1, 3, "conditional"),
        (2, 1, "conditional"), (1, 1, "conditional"), (2, 3, "conditional"),
    ]  # fmt: skip
    assert len(done.events) == 6
    assert told(long, 2) == [("fired", None)] * 3
    assert told(long, 1) == [("fired", None)] * 2 + [("lapsed", OTHER_MOVE)]
    assert long.house.audits.verify(long.match).holds


def test_lines_wait_behind_the_move_that_their_author_makes(long: Table) -> None:
    with pytest.raises(YourTurn):
        keep(long, 1, line(ONE, TWO))
    keep(long, 1, line(ONE, TWO), after=[TWO])
    assert shown_json(kept(long, 1))["after"] == [TWO]
    long.play(TWO)
    assert shown_json(kept(long, 1))["after"] == []
    assert len(long.play(ONE).events) == 2


def test_an_answer_takes_no_time(house: Services, clock: Clock) -> None:
    timed = table(house).start(pace={"days_per_move": 1})
    keep(timed, 2, line(ONE, TWO))
    clock.advance(hours=23)
    done = timed.play(ONE)
    assert done.shown.view.to_act == 1
    assert len({event["at"] for event in done.events}) == 1
    assert house.audits.verify(timed.match).holds


def test_a_line_that_plays_on_with_nobody_asked_leaves_the_rest_standing(long: Table) -> None:
    keep(long, 2, line(ONE, ONE, following=[line(ONE, TWO), line(TWO, TWO)]))
    long.play(ONE)
    assert [one["line"] for one in labels(long, 2)] == ["1", "2"]
    assert kept(long, 2).kept.version == 2
    assert kept(long, 2).kept.seen == long.version


def test_a_repeated_move_is_answered_as_it_was(long: Table) -> None:
    from services.matches.requests import AlreadyAnswered, CommandResult, Repeatable, StoredAnswer

    keep(long, 2, line(ONE, TWO))
    record: Repeatable[CommandResult] = Repeatable(
        "k", "f", lambda done: StoredAnswer(201, {}, str(len(done.events)).encode())
    )
    request = ChangeRequest(long.first, long.version, record=record)
    done = long.house.matches.play(request, long.match, ONE)
    assert done.answer is not None
    assert done.answer.body == b"2"
    with pytest.raises(AlreadyAnswered) as replayed:
        long.house.matches.play(request, long.match, ONE)
    assert replayed.value.answer.body == b"2"


def test_an_answer_that_ends_the_match_does_so_at_once(house: Services) -> None:
    short = table(house).start(options={"length": 5})
    keep(short, 2, line(ONE, THREE))
    done = short.play(ONE)
    assert [event["kind"] for event in done.events] == ["move-made", "move-made", "match-ended"]
    assert done.shown.view.result == {"winner": 2, "reason": "capture"}
    assert house.audits.verify(short.match).holds


def test_a_line_may_say_what_to_play_while_the_opponent_is_passed_over(house: Services) -> None:
    """On a path of 5 seat 1 goes to its end, and is passed over while seat 2 walks on."""
    short = table(house).start(options={"length": 5})
    short.play(THREE, TWO)
    assert short.shown().view.to_act == 1
    keep(short, 2, line(ONE, ONE, ONE))
    done = short.play(ONE)
    assert [event["kind"] for event in done.events if event["kind"] != "turn-passed"] == [
        "move-made", "move-made", "move-made", "match-ended",
    ]  # fmt: skip
    assert told(short, 2) == [("fired", None)] * 2
    assert house.audits.verify(short.match).holds


def test_a_turn_of_the_card_game_answers_a_turn(house: Services) -> None:
    """Three actions of the opponent, then three of the author's; all draws, so always legal."""
    cards = table(house).start("power-lines")
    first = past_setup(cards)
    last = line(DRAW, DRAW, DRAW, DRAW)
    turn = line(DRAW, following=[line(DRAW, following=[last])])
    keep(cards, 3 - first, turn)
    cards.play(DRAW, DRAW)
    assert labels(cards, 3 - first)[0]["then"] == [DRAW] * 3
    done = cards.play(DRAW)
    assert [event["data"]["cause"] for event in done.events] == ["player", *["conditional"] * 3]
    assert done.shown.view.to_act == first
    assert told(cards, 3 - first) == [("fired", None)] * 3
    assert house.audits.verify(cards.match).holds
