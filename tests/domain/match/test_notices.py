"""Who is told what, and that it is nothing that anybody may not know."""

from __future__ import annotations

from domain.games.path_capture import GAMES
from domain.match import commands
from domain.match.clock import add_span
from domain.match.events import Event
from domain.match.notices import (
    CHALLENGE,
    OVER,
    SERIES_OVER,
    TURN,
    Notice,
    find_low_instant,
    list_notices,
    make_low_notice,
)
from tests.golden.test_golden import FILES
from tests.golden.transcript import parse, played
from tests.support.scenario import PLAYERS, Table

[PATH_CAPTURE] = GAMES
ADA, BOB = PLAYERS
ONE, TWO, THREE = ({"steps": steps} for steps in (1, 2, 3))
HOUR = 3_600_000_000


def of(table: Table, events: list[Event]) -> list[Notice]:
    """Return what is told of the events that a table has just played."""
    return list_notices(table.match, events)


def told(table: Table, events: list[Event]) -> list[tuple[str, str]]:
    return [(one.player, one.type) for one in of(table, events)]


def test_the_player_who_is_to_act_is_told() -> None:
    table = Table(PATH_CAPTURE)
    assert told(table, table.events) == []
    assert told(table, table.join()) == [(ADA, TURN)]
    [notice] = of(table, table.play(ONE))
    assert notice[1:] == (BOB, TURN, table.match.id, 5, "move-made", table.match.updated_at)


def test_a_turn_that_goes_on_is_told_once() -> None:
    table = Table.started(PATH_CAPTURE)
    table.play(ONE)
    assert told(table, table.do(commands.MakeOffer(2, "draw"))) == []
    assert told(table, table.do(commands.DeclineOffer(1, "draw"))) == []


def test_who_moves_again_since_the_other_has_answered_at_once_is_told() -> None:
    table = Table.started(PATH_CAPTURE, options={"length": 41})
    both = [*table.play(ONE), *table.play(TWO)]
    assert told(table, both) == [(ADA, TURN)]


def test_who_moves_again_since_the_other_had_to_pass_is_told() -> None:
    [path] = (one for one in FILES if one.stem == "blocked-drawn")
    table = played(parse(path.read_text()))
    moved, passed = table.events[20:22]
    assert (moved.kind, passed.kind) == ("move-made", "turn-passed")
    [notice] = list_notices(table.state_at(22), [moved, passed])
    assert (notice.player, notice.type) == (table.match.seats[1], TURN)


def test_a_takeback_lets_a_turn_begin_anew() -> None:
    table = Table.started(PATH_CAPTURE, options={"length": 41})
    version = table.match.version
    table.play(ONE)
    assert told(table, table.take_back(1, version)) == [(ADA, TURN)]


def test_who_is_challenged_is_told_and_nobody_of_an_open_match() -> None:
    table = Table(PATH_CAPTURE, opponent=BOB)
    assert told(table, table.events) == [(BOB, CHALLENGE)]
    assert told(table, table.do(commands.DeclineChallenge(BOB))) == [(ADA, OVER), (BOB, OVER)]


def test_both_are_told_of_an_end_and_of_the_end_of_a_series() -> None:
    table = Table.started(PATH_CAPTURE)
    end = table.do(commands.Resign(1))
    assert told(table, end) == [(ADA, OVER), (BOB, OVER)]
    both = list_notices(table.match, end, series_over=True)
    assert [(one.player, one.type) for one in both][2:] == [(ADA, SERIES_OVER), (BOB, SERIES_OVER)]


def test_the_same_notice_has_the_same_number_and_no_other_has_it() -> None:
    def play() -> list[Notice]:
        table = Table.started(PATH_CAPTURE)
        return [*of(table, table.play(ONE)), *of(table, table.play(TWO))]

    found = play()
    assert found == play()
    assert len({one.number for one in found}) == 2
    assert all(0 <= one.number < 2**53 for one in found)
    # The same version of another history, as after a backup was restored.
    other = Table.started(PATH_CAPTURE)
    assert of(other, other.play(TWO))[0].number != found[0].number


def test_little_time_is_the_last_quarter_and_a_day_at_most() -> None:
    for days, hours in ((1, 6), (2, 12), (3, 18), (4, 24), (30, 24)):
        table = Table.started(PATH_CAPTURE, pace={"days_per_move": days})
        deadline = add_span(table.match.updated_at, days * 24 * HOUR)
        assert find_low_instant(table.match) == add_span(deadline, -hours * HOUR)
        low = make_low_notice(table.match, deadline, (3, "match-started"))
        assert low is not None
        assert (low.player, low.version) == (ADA, 3)
    assert find_low_instant(Table.started(PATH_CAPTURE).match) is None
    assert find_low_instant(Table(PATH_CAPTURE, pace={"days_per_move": 1}).match) is None
