"""Time in which the service was away does not count: it is given back before anything else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Connection

from domain import errors
from domain.json_types import JsonObject
from domain.match.clock import SECOND
from domain.match.decisions.decide import Decision
from domain.match.decisions.draft import Draft, draw_provably
from domain.match.events import SERVER, TimeGiven
from domain.match.state import Match
from services.container import Services
from services.lobby.lists import MatchFilter
from services.matches.actions import Action
from services.matches.commands import MatchCommands
from services.matches.match_json import match_json
from services.matches.queries import Asker
from services.matches.repository import Appended, Repository
from services.matches.requests import ChangeRequest, NewMatch
from services.matches.timeouts import Swept
from services.store.db.engine import Database
from services.store.log.events import ConditionalMovesStored
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.matches.away import DAY, data, given, serve, table_of
from tests.services.matches.test_timeouts import DAYS, MICROSECOND, STEP, kinds, row, shown
from tests.services.people import Table, table
from tests.services.racing import Clocks, at_once
from tests.support.games import test_games

BANK: JsonObject = {"bank_hours": 48, "increment_hours": 0, "cap_hours": 48}


# --- before a time-out --------------------------------------------------------------------------


@pytest.mark.parametrize("beats_first", [True, False])
def test_a_sweep_after_days_without_a_server_ends_nothing(
    house: Services, there: Table, clock: Clock, *, beats_first: bool
) -> None:
    """Whether a server has told yet that it is there again, or the sweep comes first."""
    serve(house, clock, hours=12)
    clock.advance(days=5)
    if beats_first:
        house.downtime.beat()
    assert house.sweeping.sweep() == Swept(given=1)
    assert data(there) == [given(5 * DAY)]
    assert shown(there)["deadline"] == row(there).deadline == "2026-12-05T22:00:00.000000Z"
    assert house.sweeping.sweep() == Swept()
    serve(house, clock, days=2.5, microseconds=-1)
    assert house.sweeping.sweep() == Swept()
    clock.advance(microseconds=1)
    assert house.sweeping.sweep() == Swept(timeouts=1)
    assert house.audits.verify(there.match).holds


@ON_SQLITE_ALONE
def test_a_look_counts_it_and_writes_nothing(house: Services, there: Table, clock: Clock) -> None:
    serve(house, clock, hours=12)
    clock.advance(days=5)
    version = there.version
    for _ in range(2):
        listed = house.lobby.list_matches(Asker(local=True), MatchFilter()).listed[0]
        agenda = house.agenda.get_overview(there.first).to_move.matches[0]
        for seen in (shown(there), match_json(listed), match_json(agenda)):
            assert seen["deadline"] == "2026-12-05T22:00:00.000000Z"
            assert not seen["clock"]["time_is_up"]
            assert seen["clock"]["seats"][0]["seconds"] == 8 * DAY
        house.downtime.beat()
    assert there.version == version
    house.sweeping.sweep()
    assert shown(there)["deadline"] == "2026-12-05T22:00:00.000000Z"


@ON_SQLITE_ALONE
def test_a_dry_run_lists_nothing_that_will_go_on(
    house: Services, there: Table, clock: Clock
) -> None:
    clock.advance(days=5)
    assert list(house.sweeping.iter_due()) == []
    serve(house, clock, days=3)
    assert [one.match for one in house.sweeping.iter_due()] == [there.match]


@ON_SQLITE_ALONE
def test_the_next_command_finds_its_clock_as_it_was(
    house: Services, there: Table, clock: Clock
) -> None:
    serve(house, clock, hours=12)
    clock.advance(days=5)
    house.downtime.beat()
    version = there.version
    done = house.matches.play(ChangeRequest(there.first, version), there.match, STEP)
    assert [event["kind"] for event in done.events] == ["time-given", "move-made"]
    assert [event["version"] for event in done.events] == [version + 1, version + 2]
    assert data(there) == [given(5 * DAY)]
    assert house.audits.verify(there.match).holds


@ON_SQLITE_ALONE
def test_lines_that_are_stored_meanwhile_take_no_time_from_anybody(
    house: Services, there: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(house, clock, hours=12)
    clock.advance(days=1)
    house.downtime.beat()
    write, refused = Repository.write, [ConditionalMovesStored()]

    def refuse_once(self: Repository, connection: Connection, appended: Appended) -> None:
        if refused:
            raise refused.pop()
        write(self, connection, appended)

    monkeypatch.setattr(Repository, "write", refuse_once)
    assert house.sweeping.sweep() == Swept(given=1)
    assert data(there) == [given(1 * DAY)]


@ON_SQLITE_ALONE
def test_time_that_was_up_before_is_up(house: Services, there: Table, clock: Clock) -> None:
    serve(house, clock, days=3, hours=1)
    clock.advance(days=5)
    house.downtime.beat()
    with pytest.raises(errors.TimeIsUp):
        there.act(2, "offer_draw")
    assert kinds(there)[-2:] == ["time-given", "match-ended"]
    assert shown(there)["result"] == {"winner": 2, "reason": "timeout"}
    assert house.audits.verify(there.match).holds


@ON_SQLITE_ALONE
@pytest.mark.parametrize("late", [False, True])
def test_what_is_left_is_left_to_the_microsecond(
    house: Services, there: Table, clock: Clock, *, late: bool
) -> None:
    serve(house, clock, days=2)
    clock.advance(days=5)
    serve(house, clock, days=1, microseconds=0 if late else -1)
    if late:
        with pytest.raises(errors.TimeIsUp):
            there.act(1, "offer_draw")
    else:
        there.act(1, "offer_draw")
    assert shown(there)["status"] == ("finished" if late else "active")


# --- how much -----------------------------------------------------------------------------------


@ON_SQLITE_ALONE
@pytest.mark.parametrize(("seconds", "amounts"), [(600, []), (601, [601]), (600.25, [601])])
def test_only_what_is_longer_than_the_grace_is_given_back(
    house: Services, there: Table, clock: Clock, seconds: float, amounts: list[int]
) -> None:
    """In whole seconds, rounded up."""
    clock.advance(seconds=seconds)
    house.downtime.beat()
    house.sweeping.sweep()
    assert data(there) == [given(amount) for amount in amounts]


@ON_SQLITE_ALONE
def test_a_match_that_is_touched_days_later_gets_its_time(
    house: Services, there: Table, clock: Clock
) -> None:
    """Nothing has swept, and another process takes the move."""
    clock.advance(days=2)
    serve(house, clock, days=2)
    other = Services(house.settings, games=test_games(), now=clock)
    other.matches.play(ChangeRequest(there.first, any_version=True), there.match, STEP)
    other.close()
    assert data(there) == [given(2 * DAY)]


@ON_SQLITE_ALONE
def test_two_times_away_are_both_given_back(house: Services, there: Table, clock: Clock) -> None:
    for _ in range(2):
        clock.advance(days=2)
        serve(house, clock, hours=1)
    there.play(STEP)
    assert data(there) == [given(4 * DAY)]
    clock.advance(days=1)
    house.downtime.beat()
    there.play(STEP)
    assert data(there) == [given(4 * DAY), given(DAY, seat=2)]
    assert house.audits.verify(there.match).holds


@ON_SQLITE_ALONE
def test_a_bank_keeps_what_it_had(house: Services, clock: Clock) -> None:
    house.downtime.beat()
    there = table(house).start(pace=BANK)
    serve(house, clock, hours=8)
    clock.advance(days=9)
    serve(house, clock, hours=4)
    there.play(STEP)
    assert [one["seconds"] for one in shown(there)["clock"]["seats"]] == [36 * 3600, 48 * 3600]


@ON_SQLITE_ALONE
def test_clocks_that_stood_get_nothing_for_that(
    house: Services, there: Table, clock: Clock
) -> None:
    house.vacations.take(there.first, 3)
    clock.advance(days=4)
    house.downtime.beat()
    house.sweeping.sweep()
    assert data(there) == [given(DAY)]
    there.act(1, "resign")
    paused = table_of(house, there).start(pace=DAYS)
    pause = Action("offer_pause", days=5)
    house.matches.act(ChangeRequest(there.first, any_version=True), paused.match, pause)
    paused.act(2, "accept_pause")
    clock.advance(days=4)
    house.downtime.beat()
    assert house.sweeping.sweep() == Swept()
    assert house.audits.verify(paused.match).holds


@ON_SQLITE_ALONE
def test_a_match_that_began_in_between_gets_what_its_clock_ran(
    house: Services, there: Table, clock: Clock
) -> None:
    """From a terminal, while no server was there."""
    clock.advance(days=2)
    begun = table_of(house, there).start(pace=DAYS)
    clock.advance(days=1)
    house.downtime.beat()
    assert house.sweeping.sweep() == Swept(given=2)
    assert data(begun) == [given(DAY)]
    assert data(there) == [given(3 * DAY)]


@ON_SQLITE_ALONE
def test_what_has_no_clock_or_has_not_begun_is_left_alone(
    house: Services, there: Table, clock: Clock
) -> None:
    free = table_of(house, there).start()
    waiting = table_of(house, there)
    new = NewMatch("path-capture", seat=1, pace=DAYS)
    waiting.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    over = table_of(house, there).start(pace=DAYS)
    over.act(1, "resign")
    clock.advance(days=2)
    house.downtime.beat()
    house.sweeping.sweep()
    house.matches.join(ChangeRequest(there.second), waiting.match)
    free.play(STEP)
    assert [data(one) for one in (free, waiting, over)] == [[], [], []]


@ON_SQLITE_ALONE
def test_an_offer_does_not_use_a_time_up_that_is_given_back(
    house: Services, there: Table, clock: Clock
) -> None:
    """What was given back is not given again by what comes next."""
    clock.advance(days=5)
    house.downtime.beat()
    for seat, action in ((2, "offer_draw"), (1, "decline_draw"), (2, "offer_draw")):
        there.act(seat, action)
    there.play(STEP)
    assert data(there) == [given(5 * DAY)]
    assert house.audits.verify(there.match).holds


@ON_SQLITE_ALONE
def test_it_is_told_in_a_sentence_and_no_part_of_the_time_that_a_move_took(
    house: Services, there: Table, clock: Clock
) -> None:
    serve(house, clock, hours=1)
    clock.advance(days=2)
    serve(house, clock, hours=1)
    there.play(STEP)
    frames = house.replays.replay(Asker(local=True), there.match).frames
    told = {one.event["kind"]: one for one in frames if one.event}
    assert told["time-given"].text == "The service was away: P1 gets 2 days back."
    assert told["move-made"].used == 2 * 3600 * SECOND


@ON_SQLITE_ALONE
@pytest.mark.parametrize(("seconds", "holds"), [(3600, True), (3601, False)])
def test_an_audit_finds_more_than_a_clock_has_run(
    house: Services, there: Table, clock: Clock, seconds: int, *, holds: bool
) -> None:
    """Somebody writes an event that no decision would have given."""
    clock.advance(hours=1)
    with house.database.read() as connection:
        match = house.matches.repository.load(connection, there.match)
    assert match is not None
    draft = Draft(match, draw_provably, house.matches.repository.get_instant(match))
    draft.add(TimeGiven(1, "downtime", seconds), SERVER)
    forged = Decision(tuple(draft.proposals), draft.match)
    appended = house.matches.repository.seal(match, forged, draft.at)
    with house.database.write() as connection:
        house.matches.repository.write(connection, appended)
    verdict = house.audits.verify(there.match)
    assert verdict.holds is holds
    assert [fault.version for fault in verdict.faults] == ([] if holds else [there.version])


def test_a_move_asks_nothing_more_while_a_server_beats(
    house: Services, there: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(house, clock, hours=1)
    clock.advance(days=2)
    house.downtime.beat()
    free = table_of(house, there).start()
    there.play(STEP)
    free.play(STEP)
    asked: list[str] = []
    kind = type(house.database)

    def noting(name: str) -> Callable[[Database], object]:
        do = getattr(kind, name)

        def noted(database: Database) -> object:
            asked.append(name)
            return do(database)

        return noted

    for name in ("read", "write", "state"):
        monkeypatch.setattr(kind, name, noting(name))
    for one in (free, there):
        house.matches.play(ChangeRequest(there.second, any_version=True), one.match, STEP)
        asked.append("-")
    of_free, of_timed = " ".join(asked).split("-")[:2]
    assert of_free.split() == of_timed.split()


# --- several processes --------------------------------------------------------------------------


def test_a_process_gives_back_what_another_has_found(
    houses: tuple[Services, Services], clocks: Clocks
) -> None:
    """It has heard nothing of it itself, and only one of them gives it."""
    one, other = houses
    for house in houses:
        house.downtime.beat()
    tables = [table(one).start(pace=DAYS) for _ in range(4)]
    clocks.start += timedelta(days=5)
    one.downtime.beat()
    swept = at_once(
        clocks, (clocks.start, one.sweeping.sweep), (clocks.start, other.sweeping.sweep)
    )
    assert all(isinstance(result, Swept) for result in swept), swept
    assert [data(there) for there in tables] == [[given(5 * DAY)]] * 4


@pytest.mark.parametrize("apart", [-MICROSECOND, 0 * MICROSECOND, MICROSECOND])
def test_a_beat_a_sweep_and_a_move_at_once_give_it_once(
    houses: tuple[Services, Services], clocks: Clocks, apart: timedelta
) -> None:
    one, other = houses
    there = table(one)
    for house in houses:
        house.downtime.beat()
    for _ in range(4):
        there.start(pace=DAYS)
        clocks.start += timedelta(days=5)
        played, *_ = at_once(
            clocks,
            (
                clocks.start,
                partial(one.matches.play, ChangeRequest(there.first, any_version=True),
                        there.match, STEP),
            ),
            (clocks.start + apart, other.downtime.beat),
            (clocks.start + apart, other.sweeping.sweep),
        )  # fmt: skip
        assert not isinstance(played, str)
        first, *more = data(there)
        assert first["amount"] in (5 * DAY, 5 * DAY + 1)
        assert sum(one["amount"] for one in more) <= 1
        assert kinds(there).count("match-ended") == 0
        assert one.audits.verify(there.match).holds


def test_a_sweep_that_was_killed_is_gone_on_with(
    house: Services, there: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.matches.timeouts.AT_ONCE", 2)
    tables = [there, *(table_of(house, there).start(pace=DAYS) for _ in range(6))]
    clock.advance(days=5)
    house.downtime.beat()
    give_back, left = type(house.matches).give_back, [3]

    def dying(keeper: MatchCommands, match: Match) -> bool:
        left[0] -= 1
        if left[0] < 0:
            raise OSError("the database is away")
        return give_back(keeper, match)

    with monkeypatch.context() as patch:
        patch.setattr(type(house.matches), "give_back", dying)
        with pytest.raises(OSError, match="away"):
            house.sweeping.sweep()
    assert sum(len(data(one)) for one in tables) == 3
    assert house.sweeping.sweep() == Swept(given=4)
    assert [data(one) for one in tables] == [[given(5 * DAY)]] * 7
