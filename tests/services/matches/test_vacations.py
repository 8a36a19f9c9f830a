"""Vacations: a balance, and clocks that stand in all matches that allow it."""

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Connection

from domain.match.clock import format_instant
from services.container import Services
from services.errors import OnVacation, VacationUsedUp
from services.matches.requests import ChangeRequest, NewMatch
from services.matches.timeouts import Swept
from services.runtime.settings import Settings
from services.store import idempotency, vacations
from services.store.idempotency import IdempotencyRecord
from services.store.vacations import Vacation
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.matches.test_timeouts import DAYS, MICROSECOND, STEP, kinds, shown
from tests.services.people import Table, table
from tests.services.racing import Clocks, at_once


@pytest.fixture
def there(house: Services) -> Table:
    """Return a match of three days a turn that has just begun."""
    return table(house).start(pace=DAYS)


def test_a_vacation_stops_the_clock_in_every_match_that_allows_it(
    house: Services, clock: Clock
) -> None:
    allowed = [table(house).start(pace=DAYS) for _ in range(2)]
    strict = table(house).start(pace={**DAYS, "vacation": False})
    clock.advance(days=1)
    balance = house.vacations.take(allowed[0].first, 10)
    assert (balance.year, balance.days, balance.days_left) == (2026, 30, 20)
    assert balance.current is not None
    assert balance.current.ends_at == "2026-12-08T22:00:00.000000Z"
    deadlines = [shown(one)["deadline"][:10] for one in (*allowed, strict)]
    assert deadlines == ["2026-12-10", "2026-12-10", "2026-11-30"]
    clock.advance(days=11)
    assert house.sweeping.sweep() == Swept(timeouts=1)
    assert all(house.audits.verify(one.match).holds for one in (*allowed, strict))


@ON_SQLITE_ALONE
def test_coming_back_early_leaves_the_days_that_have_not_begun(there: Table, clock: Clock) -> None:
    vacations = there.house.vacations
    vacations.take(there.first, 10)
    clock.advance(days=2, hours=1)
    balance = vacations.end(there.first)
    assert (balance.days_left, balance.current) == (27, None)
    assert shown(there)["deadline"] == "2026-12-02T23:00:00.000000Z"
    assert kinds(there)[-2:] == ["clock-paused", "clock-resumed"]
    with pytest.raises(OnVacation):
        vacations.end(there.first)


@ON_SQLITE_ALONE
def test_one_vacation_at_a_time_and_no_more_than_there_are_days(there: Table, clock: Clock) -> None:
    vacations = there.house.vacations
    with pytest.raises(VacationUsedUp):
        vacations.take(there.first, 31)
    vacations.take(there.first, 20)
    with pytest.raises(OnVacation):
        vacations.take(there.first, 1)
    clock.advance(days=20)
    with pytest.raises(VacationUsedUp) as refused:
        vacations.take(there.first, 11)
    assert refused.value.detail == "You have 10 of 30 days left in 2026."
    assert vacations.get_balance(there.second).days_left == 30


@ON_SQLITE_ALONE
def test_a_new_year_has_new_days_and_an_old_vacation_goes_on(there: Table, clock: Clock) -> None:
    vacations = there.house.vacations
    clock.now = clock.now.replace(month=12, day=20)
    there.house.sweeping.sweep()
    vacations.take(there.first, 30)
    clock.now = clock.now.replace(year=2027, month=1, day=2)
    balance = vacations.get_balance(there.first)
    assert (balance.year, balance.days_left) == (2027, 30)
    assert balance.current is not None
    with pytest.raises(OnVacation):
        vacations.take(there.first, 1)


@ON_SQLITE_ALONE
@pytest.mark.parametrize("away", [1, 2])
def test_in_a_match_that_begins_during_a_vacation_the_clock_stands_at_once(
    house: Services, clock: Clock, away: int
) -> None:
    there = table(house)
    house.vacations.take(there.player(away), 5)
    clock.now += timedelta(days=1) + MICROSECOND
    there.start(pace=DAYS)
    assert kinds(there)[-2:] == ["match-started", "clock-paused"]
    if away == 2:
        there.play(STEP)
    # Four days are left of the vacation, to the second; then its three days begin.
    assert shown(there)["deadline"] == "2026-12-05T22:00:00.000001Z"
    assert shown(there)["clock"]["seats"][away - 1]["away_until"] == "2026-12-02T22:00:00.000001Z"
    assert house.audits.verify(there.match).holds
    house.vacations.end(there.player(away))
    assert kinds(there)[-1] == "clock-resumed"
    assert shown(there)["deadline"] == "2026-12-01T22:00:00.000001Z"


@ON_SQLITE_ALONE
def test_both_may_be_away_when_their_match_begins(house: Services) -> None:
    there = table(house)
    house.vacations.take(there.first, 5)
    house.vacations.take(there.second, 6)
    there.start(pace=DAYS)
    seats = shown(there)["clock"]["seats"]
    assert [one["away_until"][:10] for one in seats] == ["2026-12-02", "2026-12-03"]


@ON_SQLITE_ALONE
@pytest.mark.parametrize("pace", [None, {**DAYS, "vacation": False}])
def test_a_match_that_takes_no_vacations_begins_as_ever(house: Services, pace: object) -> None:
    there = table(house)
    house.vacations.take(there.second, 5)
    there.start(pace=pace)
    assert kinds(there)[-1] == "match-started"


def test_a_vacation_and_the_beginning_of_a_match_at_once_leave_no_clock_running(
    houses: tuple[Services, Services], clocks: Clocks
) -> None:
    """Whoever comes second sees the other: the clock stands, by one event."""
    now = clocks.start
    for number in range(6):
        there = table(houses[0])
        new = NewMatch("path-capture", seat=1, pace=DAYS)
        there.match = houses[0].matches.create(ChangeRequest(there.first), new).shown.view.id
        away = there.player(1 + number % 2)
        taken, joined = at_once(
            clocks,
            (now, partial(houses[0].vacations.take, away, 1)),
            (now, partial(houses[1].matches.join, ChangeRequest(there.second), there.match)),
        )
        assert not isinstance(taken, str)
        assert not isinstance(joined, str)
        assert kinds(there).count("clock-paused") == 1
        assert houses[0].audits.verify(there.match).holds
        houses[0].vacations.end(away)
        assert kinds(there)[-1] == "clock-resumed"


def test_a_vacation_that_ends_while_a_match_begins_stops_no_clock_for_long(
    houses: tuple[Services, Services], clocks: Clocks
) -> None:
    now = clocks.start
    for _ in range(6):
        there = table(houses[0])
        new = NewMatch("path-capture", seat=1, pace=DAYS)
        there.match = houses[0].matches.create(ChangeRequest(there.first), new).shown.view.id
        houses[0].vacations.take(there.second, 1)
        at_once(
            clocks,
            (now, partial(houses[0].vacations.end, there.second)),
            (now, partial(houses[1].matches.join, ChangeRequest(there.second), there.match)),
        )
        told = kinds(there)
        assert told.count("clock-paused") == told.count("clock-resumed")
        away = shown(there)["clock"]["seats"][1]["away_until"]
        assert away is None
        assert houses[0].audits.verify(there.match).holds


@ON_SQLITE_ALONE
def test_nobody_is_away_longer_than_a_vacation_though_the_clock_was_put_back(
    house: Services, clock: Clock
) -> None:
    there = table(house)
    house.vacations.take(there.first, 30)
    clock.advance(days=-1)
    there.start(pace=DAYS)
    assert kinds(there)[-1] == "clock-paused"
    assert house.audits.verify(there.match).holds


@ON_SQLITE_ALONE
def test_a_vacation_comes_too_late_for_what_time_has_ended(there: Table, clock: Clock) -> None:
    clock.advance(days=3)
    there.house.vacations.take(there.first, 5)
    assert there.house.sweeping.sweep() == Swept(timeouts=1)


def test_two_vacations_at_once_are_one(houses: tuple[Services, Services], clocks: Clocks) -> None:
    there = table(houses[0]).start(pace=DAYS)
    now = clocks.start
    results = at_once(
        clocks,
        (now, lambda: houses[0].vacations.take(there.first, 20)),
        (now + MICROSECOND, lambda: houses[1].vacations.take(there.first, 20)),
    )
    assert "on-vacation" in results
    assert kinds(there).count("clock-paused") == 1
    assert houses[0].vacations.get_balance(there.first).days_left == 10


@pytest.mark.postgres
def test_a_vacation_holds_up_nobody_who_keeps_an_answer(
    migrated_postgres_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move under an Idempotency-Key would wait for the vacation, and the vacation for it."""
    house = Services(Settings(database_url=migrated_postgres_url), now=clock)
    player, now = table(house).first, format_instant(clock())
    save, answer = vacations.save_vacation, IdempotencyRecord(player, "k", "f", 200, "{}", b"", now)

    def meanwhile(connection: Connection, vacation: Vacation) -> None:
        save(connection, vacation)
        with house.database.state() as other:
            idempotency.save(other, answer)

    monkeypatch.setattr(vacations, "save_vacation", meanwhile)
    assert house.vacations.take(player, 1).current
    with house.database.read() as connection:
        assert idempotency.find(connection, player, "k") == answer
    house.close()


def test_both_players_go_on_vacation_at_once(
    houses: tuple[Services, Services], clocks: Clocks
) -> None:
    tables = [table(houses[0]).start(pace=DAYS) for _ in range(4)]
    now, first, second = clocks.start, tables[0].first, tables[0].second
    at_once(
        clocks,
        (now, lambda: houses[0].vacations.take(first, 20)),
        (now, lambda: houses[1].vacations.take(second, 20)),
    )
    for there in tables:
        assert kinds(there).count("clock-paused") == 2
        assert there.house.audits.verify(there.match).holds
