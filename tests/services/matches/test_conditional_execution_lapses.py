"""Conditional moves lapse, and their author is told why."""

from __future__ import annotations

import pytest

from domain.errors import MatchNotActive, TimeIsUp
from domain.match.conditional_moves import Line
from services.container import Services
from services.matches.conditional_moves.execution import (
    FORBIDDEN,
    MISSED,
    NOT_TO_ACT,
    OFFER,
    OVER,
    OWN_MOVE,
    TAKEBACK,
)
from services.store import conditional_moves as conditional
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.matches.lines import DRAW, ONE, THREE, TWO, keep, labels, line, past_setup, told
from tests.services.people import Table, table


@ON_SQLITE_ALONE
def test_another_move_than_the_one_that_lines_wait_for_lets_them_lapse(long: Table) -> None:
    keep(long, 1, line(ONE, TWO), after=[TWO])
    long.play(THREE)
    assert labels(long, 1) == []
    assert told(long, 1) == [("lapsed", OWN_MOVE)]
    assert len(long.play(ONE).events) == 1


@ON_SQLITE_ALONE
def test_an_answer_waits_for_no_draw_that_it_would_turn_down(long: Table) -> None:
    keep(long, 2, line(ONE, TWO))
    long.act(1, "offer_draw")
    done = long.play(ONE)
    assert len(done.events) == 1
    assert told(long, 2) == [("lapsed", OFFER)]
    assert done.shown.view.to_act == 2


@ON_SQLITE_ALONE
def test_a_premove_does_not_survive_a_takeback(long: Table) -> None:
    """Named after the fault: a line of a position that was taken back is played in another."""
    start = long.version
    keep(long, 2, line(ONE, TWO, following=[line(ONE, THREE)]))
    long.play(ONE)
    assert len(labels(long, 2)) == 1
    long.act(1, "offer_takeback", to_version=start)
    assert len(labels(long, 2)) == 1
    long.act(2, "accept_takeback")
    assert labels(long, 2) == []
    assert told(long, 2) == [("fired", None), ("lapsed", TAKEBACK)]
    assert len(long.play(ONE).events) == 1
    assert long.house.audits.verify(long.match).holds


def test_time_that_is_up_clears_lines(house: Services, clock: Clock) -> None:
    timed = table(house).start(pace={"days_per_move": 1})
    keep(timed, 2, line(ONE, TWO))
    clock.advance(days=2)
    with pytest.raises(TimeIsUp):
        timed.play(ONE)
    assert told(timed, 2) == [("lapsed", OVER)]
    assert timed.shown().view.result == {"winner": 2, "reason": "timeout"}


@ON_SQLITE_ALONE
def test_an_unexpected_move_lets_all_lines_lapse(long: Table) -> None:
    keep(long, 2, line(ONE, ONE), line(TWO, ONE))
    done = long.play(THREE)
    assert len(done.events) == 1
    assert done.shown.view.to_act == 2
    assert labels(long, 2) == []
    page = long.house.conditional_moves.list_happenings(long.second, long.match, None, 10)
    (lapse,) = page.listed
    assert lapse.detail["text"] == "Your opponent played +3, which these lines do not answer."
    assert [one["if"] for one in lapse.detail["lines"]] == [ONE, TWO]
    assert lapse.version == long.version


@ON_SQLITE_ALONE
def test_lines_of_an_older_position_are_never_played(long: Table) -> None:
    """As they would be, had anything ever been appended past them."""
    lines = conditional.StoredConditionalMoves(
        long.match, 2, 1, long.version - 1, (Line(ONE, (TWO,)),), "2026-11-27"
    )
    with long.house.database.write() as connection:
        conditional.save(connection, lines)
        conditional.flag(connection, long.match)
    assert len(long.play(ONE).events) == 1
    assert told(long, 2) == [("lapsed", MISSED)]


@ON_SQLITE_ALONE
def test_the_end_of_the_match_clears_lines(long: Table) -> None:
    keep(long, 2, line(ONE, TWO))
    long.act(1, "resign")
    assert labels(long, 2) == []
    assert told(long, 2) == [("lapsed", OVER)]
    with pytest.raises(MatchNotActive):
        keep(long, 2, line(ONE, TWO))


def test_happenings_come_in_pages(long: Table) -> None:
    for steps in (ONE, TWO, THREE):
        keep(long, 2, line(steps, ONE))
        long.play(steps)
    conditionals = long.house.conditional_moves
    first = conditionals.list_happenings(long.second, long.match, None, 2)
    assert [one.number for one in first.listed] == [3, 2]
    rest = conditionals.list_happenings(long.second, long.match, first.next_cursor, 2)
    assert [one.number for one in rest.listed] == [1]
    assert rest.next_cursor is None


def test_an_account_with_lines_in_many_matches_can_be_closed(house: Services) -> None:
    at = table(house)
    for _ in range(7):
        at.start(options={"length": 41})
        keep(at, 2, line(ONE, TWO))
        house.notes.write(at.second, at.match, 0, "Mine alone")
    house.closing.close("brook")
    assert house.notes.list_by_match(at.second, at.match) == []
    assert told(at, 2) == [("lapsed", OVER)]
    assert at.shown().view.status == "finished"


@ON_SQLITE_ALONE
def test_an_answer_of_the_card_game_that_is_forbidden_lapses_with_the_rule(house: Services) -> None:
    cards = table(house).start("power-lines")
    first = past_setup(cards)
    far = {"action": "dominate", "x": 9, "y": 9}
    keep(cards, 3 - first, line(DRAW, following=[line(DRAW, following=[line(DRAW, far)])]))
    done = cards.play(DRAW, DRAW, DRAW)
    assert len(done.events) == 1
    assert done.shown.view.to_act == 3 - first
    page = house.conditional_moves.list_happenings(cards.player(3 - first), cards.match, None, 1)
    lapse = page.listed[0].detail
    assert lapse["reason"] == FORBIDDEN
    assert lapse["text"].startswith("dominate 9,9 could not be played for you: ")
    assert house.audits.verify(cards.match).holds


@ON_SQLITE_ALONE
def test_a_turn_that_goes_on_leaves_no_line_behind(house: Services) -> None:
    """The opponent has two actions left when the line wants its answer."""
    cards = table(house).start("power-lines")
    first = past_setup(cards)
    keep(cards, 3 - first, line(DRAW, DRAW))
    assert len(cards.play(DRAW).events) == 1
    assert told(cards, 3 - first) == [("lapsed", NOT_TO_ACT)]
