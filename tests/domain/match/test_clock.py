"""Clocks: when time is up, whatever was agreed, given or taken back meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain.errors import ClockForbids, InvalidPace, TimeIsUp
from domain.game.game import Viewer
from domain.json_types import Json, JsonObject
from domain.match import commands
from domain.match.clock import (
    SECOND,
    build_pace_schema,
    complete_pace,
    compute_time_left,
    format_pace,
    measure_run_within,
)
from domain.match.decisions.clock import find_lost_time
from domain.match.state import dump, find_due, load
from tests.support.games import test_games
from tests.support.scenario import PLAYERS, Given, Table

PATH_CAPTURE = test_games().get("path-capture")
START = datetime(2026, 11, 28, tzinfo=UTC)
STEP = {"steps": 1}
HOUR, DAY = 3_600, 86_400

DAYS: JsonObject = {"days_per_move": 3}
BANK: JsonObject = {"bank_hours": 48, "increment_hours": 12, "cap_hours": 60}


def hours(number: float, microseconds: int = 0) -> str:
    """Return the instant so many hours behind the start of a match."""
    when = START + timedelta(hours=number, microseconds=microseconds)
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def timed(pace: Json = DAYS) -> Table:
    """Return a match with a clock that started at hour 0."""
    table = Table(PATH_CAPTURE, pace=pace)
    table.do(commands.JoinMatch(PLAYERS[1], {}), hours(0))
    return table


def deadline(table: Table) -> str | None:
    return table.view(Viewer.SPECTATOR).deadline


# --- the pace -----------------------------------------------------------------------------------


def test_a_pace_is_filled_in() -> None:
    breaks = {"vacation": True, "pause": True}
    assert complete_pace(None) is None
    assert complete_pace({"days_per_move": 3}) == {"days_per_move": 3, **breaks}
    assert complete_pace({"bank_hours": 48, "pause": False}) == {
        "bank_hours": 48, "increment_hours": 0, "cap_hours": 48, "vacation": True, "pause": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pace", "pointer"),
    [
        ("fast", "/pace"),
        ([], "/pace"),
        ({}, "/pace"),
        ({"increment_hours": 3}, "/pace"),
        ({"days_per_move": 3, "bank_hours": 3}, "/pace"),
        ({"days_per_move": 3, "speed": 3}, "/pace"),
        ({"days_per_move": 0}, "/pace/days_per_move"),
        ({"days_per_move": 61}, "/pace/days_per_move"),
        ({"days_per_move": True}, "/pace/days_per_move"),
        ({"days_per_move": "3"}, "/pace/days_per_move"),
        ({"days_per_move": 3, "pause": 0}, "/pace/pause"),
        ({"bank_hours": 0}, "/pace/bank_hours"),
        ({"bank_hours": 4801}, "/pace/bank_hours"),
        ({"bank_hours": 48, "cap_hours": 4801}, "/pace/cap_hours"),
        ({"bank_hours": 48, "increment_hours": 481}, "/pace/increment_hours"),
        ({"bank_hours": 48, "cap_hours": 47}, "/pace/cap_hours"),
        ({"bank_hours": 48, "increment_hours": -1}, "/pace/increment_hours"),
    ],
)
def test_what_is_no_pace_is_refused_in_words(pace: Json, pointer: str) -> None:
    with pytest.raises(InvalidPace) as refused:
        complete_pace(pace)
    assert refused.value.pointer == pointer
    assert refused.value.detail.endswith(".")


@pytest.mark.parametrize(
    "pace",
    [
        {"days_per_move": 1},
        {"days_per_move": 60},
        {"bank_hours": 1, "increment_hours": 480, "cap_hours": 4800},
        {"bank_hours": 4800, "increment_hours": 0, "cap_hours": 4800},
    ],
)
def test_a_pace_goes_as_far_as_its_bounds(pace: JsonObject) -> None:
    assert complete_pace(pace) == {**pace, "vacation": True, "pause": True}


def test_a_pace_is_said_in_words() -> None:
    assert format_pace(None) == "no clock"
    assert format_pace(complete_pace({"days_per_move": 1})) == "1 day a turn"
    assert format_pace(complete_pace(BANK)) == "48 h, 12 h more after each turn, 60 h at most"


# --- the instant --------------------------------------------------------------------------------


def test_without_a_pace_there_is_no_deadline() -> None:
    table = timed(None)
    table.play(STEP, at=hours(10_000))
    assert (deadline(table), table.match.clock) == (None, None)


def test_days_begin_anew_with_every_turn() -> None:
    table = timed()
    assert deadline(table) == hours(72)
    table.play(STEP, at=hours(70))
    assert deadline(table) == hours(70 + 72)


def test_a_bank_is_used_up_and_grows_by_the_increment_up_to_the_cap() -> None:
    table = timed(BANK)
    table.play(STEP, at=hours(40))
    table.play(STEP, at=hours(41))
    assert deadline(table) == hours(41 + 48 - 40 + 12)
    table.play(STEP, at=hours(42))
    # Seat 2 has used one hour: 48 - 1 + 12 is less than the cap, 59 - 0 + 12 is more.
    assert deadline(table) == hours(42 + 59)
    table.play(STEP, at=hours(42))
    table.play(STEP, at=hours(42))
    assert deadline(table) == hours(42 + 60)


@pytest.mark.parametrize(("offset", "in_time"), [(-1, True), (0, False), (1, False)])
def test_time_is_up_at_the_deadline_and_not_a_microsecond_before(
    *, offset: int, in_time: bool
) -> None:
    move, end = timed(), timed()
    at = hours(72, offset)
    if in_time:
        move.play(STEP, at=at)
        with pytest.raises(ClockForbids):
            end.do(commands.TimeOut(), at)
    else:
        with pytest.raises(TimeIsUp):
            move.play(STEP, at=at)
        [ended] = end.do(commands.TimeOut(), at)
        assert ended.actor == "server"
        assert (end.match.status, end.match.winner, end.match.reason) == ("finished", 2, "timeout")


@pytest.mark.parametrize(
    "command",
    [
        commands.Resign(2),
        commands.AbortMatch(1),
        commands.AbortMatch(None),
        commands.MakeOffer(2, "draw"),
        commands.GiveTime(2, DAY),
        commands.GoAway(1, DAY),
    ],
)
def test_nothing_comes_before_a_time_out_that_is_due(command: commands.Command) -> None:
    with pytest.raises(TimeIsUp):
        timed().do(command, hours(72))


def test_a_decision_on_a_match_with_a_clock_needs_an_instant() -> None:
    from domain.match.decisions.decide import decide

    with pytest.raises(ValueError, match="without an instant"):
        decide(timed().match, commands.Resign(1))


def test_an_open_match_lapses_after_sixty_days_and_a_challenge_after_fourteen() -> None:
    opened, challenge = Table(PATH_CAPTURE), Table(PATH_CAPTURE, opponent=PLAYERS[1])
    for table, days in ((opened, 60), (challenge, 14)):
        created = datetime.fromisoformat(table.match.created_at)
        lapses = (created + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        assert find_due(table.match) == lapses
        with pytest.raises(TimeIsUp) as refused:
            table.do(commands.JoinMatch(PLAYERS[1], {}), lapses)
        assert refused.value.code == "match-not-open"
        table.do(commands.LapseMatch(), lapses)
        assert (table.match.status, find_due(table.match)) == ("aborted", None)


@pytest.mark.parametrize("moves", [0, 1])
def test_nobody_has_less_than_no_time(moves: int) -> None:
    table = timed()
    for _ in range(moves):
        table.play(STEP, at=hours(1))
    assert table.match.clock is not None
    has = compute_time_left(table.match.clock, hours(100 * 24))
    assert has[moves] == 0
    assert has[1 - moves] == 3 * DAY * SECOND


@pytest.mark.parametrize(
    ("seat", "seconds", "allowed"),
    [(1, 0, False), (1, 1, True), (1, 2 * HOUR, True), (1, 2 * HOUR + 1, False), (2, 1, False)],
)
def test_only_time_that_a_clock_has_run_is_given_back(
    seat: int, seconds: int, *, allowed: bool
) -> None:
    table, command = timed(), commands.GiveBackTime(seat, seconds)
    if allowed:
        table.do(command, hours(2))
        assert deadline(table) == hours(72 + seconds / HOUR)
    else:
        with pytest.raises(ClockForbids):
            table.do(command, hours(2))


def test_before_a_match_starts_it_has_no_clock() -> None:
    table = Table(PATH_CAPTURE, pace=DAYS)
    table.do(commands.Contribute(1, "ab" * 32))
    assert table.match.clock is None


def test_a_clock_that_is_stopped_has_run_within_no_time() -> None:
    table = timed()
    table.do(commands.Resign(1), hours(1))
    assert table.match.clock is not None
    assert measure_run_within(table.match.clock, [(hours(0), hours(5))], hours(9)) == 0


def test_a_match_without_a_running_clock_has_lost_no_time() -> None:
    away = [(hours(0), hours(5))]
    assert find_lost_time(timed().match, away, hours(9)) == commands.GiveBackTime(1, 5 * HOUR)
    assert find_lost_time(timed().match, [], hours(9)) is None
    assert find_lost_time(timed(None).match, away, hours(9)) is None
    over = timed()
    over.do(commands.Resign(1), hours(1))
    assert find_lost_time(over.match, away, hours(9)) is None


def test_offers_and_gifts_do_not_begin_a_turn_anew() -> None:
    table = timed()
    table.do(commands.MakeOffer(1, "draw"), hours(1))
    table.do(commands.DeclineOffer(2, "draw"), hours(2))
    table.do(commands.MakeOffer(2, "abort"), hours(3))
    assert deadline(table) == hours(72)


# --- giving time --------------------------------------------------------------------------------


def test_time_given_to_the_seat_to_act_moves_its_deadline() -> None:
    table = timed()
    table.do(commands.GiveTime(2, 5 * HOUR), hours(10))
    assert deadline(table) == hours(77)


def test_time_given_to_the_other_seat_waits_for_its_turn() -> None:
    table = timed(BANK)
    table.do(commands.GiveTime(1, 5 * HOUR), hours(10))
    assert deadline(table) == hours(48)
    table.play(STEP, at=hours(20))
    assert deadline(table) == hours(20 + 53)


def test_what_was_given_is_kept_above_the_cap() -> None:
    table = timed(BANK)
    table.do(commands.GiveTime(2, 100 * HOUR), hours(0))
    table.play(STEP, STEP, at=hours(1))
    assert deadline(table) == hours(1 + 147)


@pytest.mark.parametrize("seconds", [0, HOUR - 1, 30 * DAY + 1])
def test_gifts_have_bounds(seconds: int) -> None:
    with pytest.raises(ClockForbids):
        timed().do(commands.GiveTime(1, seconds), hours(1))


@pytest.mark.parametrize("seconds", [HOUR, 30 * DAY])
def test_gifts_go_as_far_as_their_bounds(seconds: int) -> None:
    table = timed()
    table.do(commands.GiveTime(2, seconds), hours(1))
    assert deadline(table) == hours(72 + seconds / HOUR)


def test_nobody_has_more_than_a_year() -> None:
    table = timed()
    for _ in range(12):
        table.do(commands.GiveTime(1, 30 * DAY), hours(1))
    with pytest.raises(ClockForbids):
        table.do(commands.GiveTime(1, 30 * DAY), hours(1))
    table.do(commands.GiveTime(1, 2 * DAY), hours(1))
    with pytest.raises(ClockForbids):
        table.do(commands.GiveTime(1, HOUR), hours(1))


def test_what_a_pace_leaves_out_is_what_its_schema_says() -> None:
    members = build_pace_schema()["properties"]
    said = {name: one["default"] for name, one in members.items() if "default" in one}
    assert complete_pace({"days_per_move": 3}) == {"days_per_move": 3, **said}


def test_a_clock_without_a_pace_is_no_state() -> None:
    table = timed()
    state = dump(table.match)
    assert load(state, table.games) == table.match
    with pytest.raises(ValueError, match="without a pace"):
        load({**state, "pace": None}, table.games)


@pytest.mark.parametrize("change", [{"more": 1}, {"ply": ...}])
def test_what_has_other_members_than_a_state_is_none(change: dict[str, object]) -> None:
    table = timed()
    state = {**dump(table.match), **change}
    other = {name: value for name, value in state.items() if value is not ...}
    with pytest.raises(ValueError, match="other members"):
        load(other, table.games)


def test_who_thought_about_a_move_that_is_taken_back_has_that_time_again() -> None:
    table = timed(BANK)
    version = table.match.version
    table.play(STEP, at=hours(0))
    table.take_back(1, version, hours(30))
    table.play(STEP, at=hours(31))
    # Seat 2 had 48 hours, and has thought for 30 of them.
    assert deadline(table) == hours(31 + 48)


# --- standing clocks ----------------------------------------------------------------------------


def pause(table: Table, days: int, at: str) -> None:
    table.do(commands.MakeOffer(1, "pause", days * DAY), at)
    table.do(commands.AcceptOffer(2, "pause"), at)


def resume(table: Table, at: str) -> None:
    table.do(commands.MakeOffer(2, "resume"), at)
    table.do(commands.AcceptOffer(1, "resume"), at)


def test_a_pause_ends_by_itself() -> None:
    """A pause that nobody ends must not make a match endless."""
    table = timed()
    pause(table, 30, hours(10))
    assert deadline(table) == hours(72 + 30 * 24)
    with pytest.raises(TimeIsUp):
        table.play(STEP, at=hours(72 + 30 * 24))


def test_a_pause_has_at_most_thirty_days() -> None:
    with pytest.raises(ClockForbids, match="at most 30 days"):
        timed().do(commands.MakeOffer(1, "pause", 30 * DAY + 1), hours(1))


def test_pauses_have_an_end_in_all() -> None:
    table = timed()
    for number, days in enumerate((30, 30, 25)):
        pause(table, days, hours(number * 30 * 24))
    with pytest.raises(ClockForbids, match="for 90 days in all; 5 days of that are left"):
        table.do(commands.MakeOffer(1, "pause", 6 * DAY), hours(85 * 24))


def test_what_is_left_of_a_pause_that_ended_early_is_not_counted() -> None:
    table = timed()
    for number in range(3):
        pause(table, 30, hours(number))
        resume(table, hours(number))
    pause(table, 30, hours(3))
    assert table.match.clock is not None
    assert table.match.clock.pauses == 30 * DAY * 1_000_000


@pytest.mark.parametrize("pace", [{**DAYS, "pause": False}, {**BANK, "pause": False}])
def test_a_match_may_forbid_pauses(pace: Json) -> None:
    with pytest.raises(ClockForbids):
        timed(pace).do(commands.MakeOffer(1, "pause", DAY), hours(1))


def test_a_match_may_forbid_vacations() -> None:
    with pytest.raises(ClockForbids):
        timed({**DAYS, "vacation": False}).do(commands.GoAway(1, DAY), hours(1))


def test_there_is_nothing_to_stop_without_a_clock() -> None:
    table = timed(None)
    for command in (
        commands.MakeOffer(1, "pause", DAY),
        commands.MakeOffer(1, "resume"),
        commands.GiveTime(1, DAY),
        commands.GoAway(1, DAY),
        commands.ComeBack(1),
    ):
        Given(table).when(command=command).refuses("clock-forbids")


def test_a_clock_that_stands_longer_is_stopped_by_no_shorter_vacation() -> None:
    table = timed()
    table.do(commands.GoAway(1, 2 * DAY), hours(10))
    with pytest.raises(Exception, match="for a vacation already"):
        table.do(commands.GoAway(1, DAY), hours(10 + 24))
    table.do(commands.GoAway(1, 2 * DAY), hours(10 + 24))


def test_a_vacation_stops_one_clock_alone() -> None:
    mine, others = timed(), timed()
    mine.do(commands.GoAway(1, 2 * DAY), hours(10))
    others.do(commands.GoAway(2, 2 * DAY), hours(10))
    assert (deadline(mine), deadline(others)) == (hours(72 + 48), hours(72))
    others.play(STEP, at=hours(20))
    assert deadline(others) == hours(10 + 48 + 72)


def test_who_is_away_may_move_all_the_same() -> None:
    table = timed()
    table.do(commands.GoAway(1, 20 * DAY), hours(1))
    table.play(STEP, at=hours(2))
    assert deadline(table) == hours(2 + 72)
