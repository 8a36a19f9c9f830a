"""What counts as time in which the service was away: gaps between the beats of its servers."""

from __future__ import annotations

import pytest

from domain.match.clock import format_instant
from services.container import Services
from services.matches.timeouts import Swept
from services.runtime.settings import Settings
from services.store.db import heartbeat
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.matches.away import DAY, data, given, serve, table_of
from tests.services.matches.test_timeouts import DAYS, STEP, shown
from tests.services.people import Table, table
from tests.support.games import test_games


def test_all_time_counts_where_the_grace_is_off(
    migrated_url: str, clock: Clock
) -> None:  # fmt: skip
    house = Services(
        Settings(database_url=migrated_url, downtime_grace=0), games=test_games(), now=clock
    )
    house.downtime.beat()
    there = table(house).start(pace=DAYS)
    clock.advance(days=5)
    house.downtime.beat()
    assert shown(there)["clock"]["time_is_up"]
    assert house.sweeping.sweep() == Swept(timeouts=1)
    house.close()


@ON_SQLITE_ALONE
def test_time_before_the_first_server_counts(house: Services, clock: Clock) -> None:
    """Nobody knows whether one was away: on the terminal alone there is none."""
    there = table(house).start(pace=DAYS)
    clock.advance(days=3)
    assert house.sweeping.sweep() == Swept(timeouts=1)
    assert data(there) == []
    there.start(pace=DAYS)
    clock.advance(days=2)
    serve(house, clock, days=1)
    assert house.sweeping.sweep() == Swept(timeouts=1)


@ON_SQLITE_ALONE
def test_a_clock_that_was_set_back_makes_no_gap(
    house: Services, there: Table, clock: Clock
) -> None:
    serve(house, clock, hours=2)
    clock.advance(hours=-1)
    serve(house, clock, hours=1)
    assert house.sweeping.sweep() == Swept()
    assert data(there) == []


@ON_SQLITE_ALONE
@pytest.mark.parametrize("asked_before", [False, True])
def test_a_clock_that_jumped_ahead_and_was_put_right_gives_nothing_for_the_future(
    house: Services, there: Table, clock: Clock, *, asked_before: bool
) -> None:
    """Not to those who ask before the next beat either, in a process that knew of the jump."""
    other = Services(house.settings, games=test_games(), now=clock)
    serve(house, clock, hours=1)
    clock.advance(days=365)
    house.downtime.beat()
    if asked_before:
        other.downtime.list_away(format_instant(clock.now))
    clock.advance(days=-365)
    for one in (house, other):
        assert list(one.downtime.list_away(format_instant(clock.now))) == []
    serve(house, clock, days=3)
    assert other.sweeping.sweep() == Swept(timeouts=1)
    assert shown(there)["result"] == {"winner": 2, "reason": "timeout"}
    other.close()


def test_what_a_jump_ahead_has_left_is_put_right_with_the_clock(
    house: Services, there: Table, clock: Clock
) -> None:
    """Nothing of it comes up once the present is there, and the next absence is noticed."""
    serve(house, clock, hours=1)
    clock.advance(days=365)
    house.downtime.beat()
    clock.advance(days=-365, minutes=30)
    house.downtime.beat()
    with house.database.read() as connection:
        [wrong] = heartbeat.list_downtimes(connection)
    assert wrong == ("2026-11-27T23:00:00.000000Z", "2026-11-27T23:30:00.000000Z")
    clock.advance(days=5)
    house.downtime.beat()
    there.play(STEP)
    assert data(there) == [given(5 * DAY + 1800)]


@ON_SQLITE_ALONE
def test_clocks_that_disagree_by_less_than_the_grace_put_nothing_right(
    house: Services, there: Table, clock: Clock
) -> None:
    clock.advance(days=5)
    house.downtime.beat()
    clock.advance(seconds=-599)
    house.downtime.beat()
    there.play(STEP)
    assert data(there) == [given(5 * DAY - 599)]
    clock.advance(seconds=599)
    with house.database.read() as connection:
        assert heartbeat.find_last_beat(connection) == format_instant(clock.now)


def test_a_database_that_servers_have_left_for_good_is_the_terminals(
    house: Services, there: Table, clock: Clock
) -> None:
    """Thirty days after the last beat time counts again, for what began before and since."""
    clock.advance(days=10)
    assert house.sweeping.sweep() == Swept(given=1)
    clock.advance(days=23, microseconds=-1)
    later = table_of(house, there).start(pace=DAYS)
    assert list(house.sweeping.iter_due()) == []
    clock.advance(microseconds=1)
    assert house.sweeping.sweep() == Swept(timeouts=1)
    assert data(there)[:1] == [given(10 * DAY)]
    clock.advance(days=3)
    assert house.sweeping.sweep() == Swept(timeouts=1)
    assert data(later) == []
    assert house.audits.verify(there.match).holds


def test_a_server_that_comes_back_after_longer_gives_all_of_it_back(
    house: Services, there: Table, clock: Clock
) -> None:
    clock.advance(days=40)
    house.downtime.beat()
    assert house.sweeping.sweep() == Swept(given=1)
    assert data(there) == [given(40 * DAY)]
