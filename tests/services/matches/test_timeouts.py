"""Time in the store: deadlines, the sweep, and the race of a move and a time-out."""

from datetime import timedelta
from functools import partial

import pytest
import structlog

from domain import errors
from domain.json_types import JsonObject
from services.container import Services
from services.errors import StaleVersion
from services.lobby.lists import MatchFilter
from services.matches.match_json import match_json
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.matches.timeouts import Swept
from services.runtime.settings import Settings
from services.store import matches as readmodels
from tests.services.checkpoints.attacks import damage
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import Table, table
from tests.services.racing import Clocks, at_once
from tests.support.games import test_games

DAYS: JsonObject = {"days_per_move": 3}
STEP = {"steps": 1}
THREE_DAYS = timedelta(days=3)
MICROSECOND = timedelta(microseconds=1)


@pytest.fixture
def there(house: Services) -> Table:
    """Return a match of three days a turn that has just begun."""
    return table(house).start(pace=DAYS)


def shown(there: Table) -> JsonObject:
    return match_json(there.shown())


def kinds(there: Table) -> list[str]:
    page = there.house.queries.show_events(Asker(local=True), there.match)
    return [event["kind"] for event in page.events]


def row(there: Table) -> readmodels.MatchRow:
    with there.house.database.read() as connection:
        found = readmodels.find(connection, there.match)
    assert found is not None
    return found


# --- reads and commands -------------------------------------------------------------------------


@ON_SQLITE_ALONE
def test_a_match_shows_its_deadline_and_its_clocks(there: Table) -> None:
    seen = shown(there)
    assert seen["pace"] == {"days_per_move": 3, "vacation": True, "pause": True}
    assert seen["deadline"] == row(there).deadline == "2026-11-30T22:00:00.000000Z"
    assert seen["clock"] == {
        "running": 1,
        "since": "2026-11-27T22:00:00.000000Z",
        "seats": [{"seat": seat, "seconds": 3 * 86_400, "away_until": None} for seat in (1, 2)],
        "paused_until": None,
        "time_is_up": False,
    }


@ON_SQLITE_ALONE
def test_a_match_without_a_pace_shows_no_clock(house: Services) -> None:
    seen = shown(table(house).start())
    assert (seen["pace"], seen["deadline"]) == (None, None)
    assert "clock" not in seen


@ON_SQLITE_ALONE
def test_a_look_shows_that_time_is_up_and_writes_nothing(there: Table, clock: Clock) -> None:
    version = there.version
    clock.advance(days=3)
    listed = there.house.lobby.list_matches(Asker(local=True), MatchFilter()).listed[0]
    for seen in (shown(there), match_json(listed)):
        assert (seen["clock"]["time_is_up"], seen["status"], seen["to_act"]) == (True, "active", 1)
    assert there.version == version


@pytest.mark.parametrize("seat", [1, 2])
def test_the_next_command_appends_the_time_out_first_and_is_refused(
    there: Table, clock: Clock, seat: int
) -> None:
    clock.advance(days=3)
    with pytest.raises(errors.TimeIsUp) as refused:
        there.act(seat, "resign")
    assert refused.value.code == "match-not-active"
    assert kinds(there)[-1] == "match-ended"
    assert shown(there)["result"] == {"winner": 2, "reason": "timeout"}
    assert there.house.audits.verify(there.match).holds
    with pytest.raises(errors.MatchNotActive):
        there.act(seat, "resign")


@ON_SQLITE_ALONE
def test_who_comes_too_late_to_join_finds_the_match_aborted(house: Services, clock: Clock) -> None:
    there = table(house)
    there.match = house.matches.create(
        ChangeRequest(there.first), NewMatch("path-capture")
    ).shown.view.id
    clock.advance(days=60)
    with pytest.raises(errors.Lapsed):
        house.matches.join(ChangeRequest(there.second), there.match)
    assert shown(there)["result"] == {"winner": None, "reason": "lapsed"}


@ON_SQLITE_ALONE
def test_a_stranger_ends_nothing(there: Table, clock: Clock) -> None:
    version = there.version
    clock.advance(days=3)
    stranger = there.house.accounts.get_local_player("stranger").id
    with pytest.raises(errors.NotYourSeat):
        there.house.matches.play(ChangeRequest(stranger, version), there.match, STEP)
    assert there.version == version


@ON_SQLITE_ALONE
def test_a_command_on_an_old_version_is_stale_before_it_is_late(there: Table, clock: Clock) -> None:
    clock.advance(days=3)
    with pytest.raises(StaleVersion):
        there.house.matches.play(ChangeRequest(there.first, 1), there.match, STEP)


# --- the race -----------------------------------------------------------------------------------


@pytest.mark.parametrize("move", [-MICROSECOND, 0 * MICROSECOND, MICROSECOND])
@pytest.mark.parametrize("flag", [-MICROSECOND, 0 * MICROSECOND, MICROSECOND])
def test_a_flag_and_a_move_are_not_both_recorded(
    houses: tuple[Services, Services], clocks: Clocks, move: timedelta, flag: timedelta
) -> None:
    """Around the very instant, the one or the other, whichever process looks first."""
    there = table(houses[0])
    deadline = clocks.start + THREE_DAYS
    for _ in range(4):
        there.start(pace=DAYS)
        version = there.version
        request = ChangeRequest(there.first, version)
        play = partial(houses[0].matches.play, request, there.match, STEP)
        played, swept = at_once(
            clocks,
            (deadline + move, play),
            (deadline + flag, lambda: houses[1].matches.end_if_due(there.match)),
        )
        after = kinds(there)[version:]
        assert after in (["move-made"], ["match-ended"])
        moved = after == ["move-made"]
        assert moved == (not isinstance(played, str))
        if move < timedelta(0) <= flag:
            assert moved == (swept is None)
        else:
            assert moved == (move < timedelta(0))
        assert there.house.audits.verify(there.match).holds


def test_two_sweeps_end_a_match_once(houses: tuple[Services, Services], clocks: Clocks) -> None:
    tables = [table(houses[0]).start(pace=DAYS) for _ in range(5)]
    late = clocks.start + THREE_DAYS
    swept = at_once(clocks, (late, houses[0].sweeping.sweep), (late, houses[1].sweeping.sweep))
    ended = [one.timeouts for one in swept if isinstance(one, Swept)]
    assert sum(ended) == len(tables)
    assert all(kinds(one).count("match-ended") == 1 for one in tables)


# --- the sweep ----------------------------------------------------------------------------------


@ON_SQLITE_ALONE
def test_a_time_out_of_one_player_ends_that_match_alone(house: Services, clock: Clock) -> None:
    slow, quick, free = (
        table(house).start(pace=pace) for pace in (DAYS, {"days_per_move": 9}, None)
    )
    clock.advance(days=3)
    assert house.sweeping.sweep() == Swept(timeouts=1)
    assert [shown(one)["status"] for one in (slow, quick, free)] == ["finished", "active", "active"]
    assert house.sweeping.sweep() == Swept()


@pytest.mark.parametrize("served", [False, True])
def test_a_damaged_match_holds_up_no_other_and_is_told_of_once(
    house: Services,
    clock: Clock,
    served: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    if served:
        house.downtime.beat()
    damaged, *whole = (table(house).start(pace=DAYS) for _ in range(3))
    damage(damaged.house.database, damaged.match)
    clock.advance(days=3)
    # Another process, which remembers none of them.
    other = Services(Settings(database_url=house.database.url), games=test_games(), now=clock)
    if served:
        other.downtime.beat()
    with structlog.testing.capture_logs() as log:
        due = {one.match for one in other.sweeping.iter_due()}
        assert other.sweeping.sweep() == (Swept(given=2) if served else Swept(timeouts=2))
        assert other.sweeping.sweep() == Swept()
    other.close()
    assert due == (set() if served else {one.match for one in whole})
    told = [one["match"] for one in log if one["event"] == "damaged_match"]
    assert told == [damaged.match]


@ON_SQLITE_ALONE
def test_the_sweep_ends_nothing_a_microsecond_before(there: Table, clock: Clock) -> None:
    clock.now += THREE_DAYS - MICROSECOND
    assert there.house.sweeping.sweep() == Swept()
    clock.now += MICROSECOND
    assert there.house.sweeping.sweep() == Swept(timeouts=1)


def test_open_matches_lapse(house: Services, clock: Clock) -> None:
    there = table(house)
    request = ChangeRequest(there.first)
    opened = house.matches.create(request, NewMatch("path-capture")).shown.view.id
    house.matches.create(request, NewMatch("path-capture", opponent="brook"))
    clock.advance(days=14)
    assert house.sweeping.sweep() == Swept(lapsed=1)
    clock.advance(days=46)
    assert house.sweeping.sweep() == Swept(lapsed=1)
    there.match = opened
    assert kinds(there)[-1] == "match-aborted"
    assert house.audits.verify(opened).holds


def test_a_list_that_is_wrong_ends_no_match(there: Table, clock: Clock) -> None:
    """The list is a cache; what it calls due is looked at before it is ended."""
    clock.advance(days=1)
    wrong = replace_deadline(there, "2026-11-27T22:00:00.000000Z")
    assert [one.match for one in there.house.sweeping.iter_due()] == [wrong]
    assert there.house.sweeping.sweep() == Swept()
    assert shown(there)["status"] == "active"


def replace_deadline(there: Table, deadline: str) -> str:
    with there.house.database.write() as connection:
        readmodels.save(connection, row_with(there, deadline))
    return there.match


def row_with(there: Table, deadline: str) -> readmodels.MatchRow:
    return row(there)._replace(deadline=deadline)


def test_a_sweep_goes_through_more_than_a_page(
    house: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.matches.timeouts.AT_ONCE", 2)
    players = table(house)
    for _ in range(5):
        players.start(pace=DAYS)
    clock.advance(days=3)
    assert house.sweeping.sweep() == Swept(timeouts=5)
