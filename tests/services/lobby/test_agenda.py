"""A player's agenda: what waits for them comes first, the least time left before all else."""

import pytest
import structlog

from services.container import Services
from services.lobby import agenda
from services.lobby.agenda import AgendaPart
from services.lobby.series import SeriesFilter
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.runtime import notifier
from services.runtime.settings import Settings
from services.store import imports
from services.store.imports import ImportedRow
from services.store.log.feed import OWN_START
from services.store.notices.channels import CALENDAR
from tests.services.checkpoints.attacks import damage
from tests.services.conftest import Clock
from tests.services.people import table
from tests.support.games import test_games


def _ids(part: AgendaPart) -> list[str]:
    return [shown.view.id for shown in part.matches]


def test_turns_stand_by_time_left_those_without_a_clock_last(house: Services, clock: Clock) -> None:
    timeless = table(house).start().match
    week = table(house).start(pace={"days_per_move": 7}).match
    clock.advance(hours=1)
    day = table(house).start(pace={"days_per_move": 1}).match
    there = table(house)
    found = house.agenda.get_overview(there.first)
    assert _ids(found.to_move) == [day, week, timeless]
    assert _ids(found.waiting) == []
    other = house.agenda.get_overview(there.second)
    assert (_ids(other.to_move), _ids(other.waiting)) == ([], [day, week, timeless])


def test_a_match_that_cannot_be_read_hides_no_other_one(
    house: Services, migrated_url: str, clock: Clock
) -> None:
    damaged, known = (
        table(house).start(pace={"days_per_move": 3}, series={"length": 3}) for _ in range(2)
    )
    player, calendar = known.first, house.subscriptions.make(known.first, CALENDAR)
    damage(house.database, damaged.match)
    other = Services(Settings(database_url=migrated_url), games=test_games(), now=clock)
    with structlog.testing.capture_logs() as log:
        to_move = other.agenda.get_overview(player).to_move.matches
        told = [one.shown for one in other.player_stream.list_waiting(player).lines]
        deadlines = [one.shown for one in other.subscriptions.get_calendar(calendar)]
        series = other.series.list_series(Asker(), SeriesFilter()).listed
    other.close()
    found = [[one.view.id for one in listed] for listed in (to_move, told, deadlines)]
    assert [*found, [one.id for one in series]] == [[known.match]] * 4
    assert [one["match"] for one in log if one["event"] == "match_left_out_of_lists"] == [
        damaged.match
    ]


def test_of_a_series_that_cannot_be_read_the_match_that_is_damaged_is_named(
    house: Services, migrated_url: str, clock: Clock
) -> None:
    first = table(house).start(series={"length": 3})
    first.act(1, "resign")
    second = house.series.list_match_ids(Asker(), first.match)[1]
    damage(house.database, second)
    other = Services(Settings(database_url=migrated_url), games=test_games(), now=clock)
    with structlog.testing.capture_logs() as log:
        assert other.series.list_series(Asker(), SeriesFilter()).listed == []
    other.close()
    assert [one["match"] for one in log] == [second]


def test_an_imported_match_that_names_a_player_keeps_no_other_from_their_stream(
    house: Services,
) -> None:
    elsewhere = table(house)
    new = NewMatch("path-capture", seat=1, visibility="private", opponent="brook")
    elsewhere.match = house.matches.create(ChangeRequest(elsewhere.first), new).shown.view.id
    house.matches.join(ChangeRequest(elsewhere.second), elsewhere.match)
    elsewhere.act(1, "resign")
    with house.database.write() as connection:
        imports.insert(connection, [ImportedRow(elsewhere.match, "2026", {})])
    known = table(house).start()
    lines = house.player_stream.list_since(known.first, OWN_START).lines
    assert {one.shown.view.id for one in lines} == {known.match}


def test_challenges_own_open_matches_and_ended_ones_stand_apart(
    house: Services, clock: Clock
) -> None:
    over = table(house).start()
    over.act(1, "resign")
    clock.advance(hours=1)
    seek = NewMatch("path-capture", visibility="unlisted")
    own = house.matches.create(ChangeRequest(over.first), seek).shown.view.id
    clock.advance(hours=1)
    asked = NewMatch("path-capture", opponent="brook", visibility="private")
    challenge = house.matches.create(ChangeRequest(over.first), asked).shown.view.id
    first, second = (house.agenda.get_overview(one) for one in (over.first, over.second))
    assert (_ids(first.offered), _ids(first.challenges)) == ([challenge, own], [])
    assert (_ids(second.offered), _ids(second.challenges)) == ([], [challenge])
    assert _ids(first.over) == _ids(second.over) == [over.match]
    assert first.over.matches[0].you == 1
    stranger = house.accounts.get_local_player("stranger").id
    assert not any(part.matches for part in house.agenda.get_overview(stranger))


def test_a_long_part_says_that_there_are_more(house: Services) -> None:
    there = table(house)
    for _ in range(agenda.MOST + 1):
        there.start().act(1, "resign")
    found = house.agenda.get_overview(there.first).over
    assert (len(found.matches), found.more) == (agenda.MOST, True)


def test_an_own_hand_is_in_ones_own_agenda_alone(house: Services) -> None:
    there = table(house).start("whisper")
    views = [house.agenda.get_overview(one) for one in (there.first, there.second)]
    seen = [[*one.to_move.matches, *one.waiting.matches][0].view for one in views]
    assert [one.viewer.seat for one in seen] == [1, 2]


def test_turns_are_counted_and_the_next_one_has_the_least_time_left(house: Services) -> None:
    week = table(house).start(pace={"days_per_move": 7}).match
    day = table(house).start(pace={"days_per_move": 1})
    fortnight = table(house).start(pace={"days_per_move": 14})
    first, second = day.first, day.second
    assert (house.agenda.count_turns(first), house.agenda.count_turns(second)) == (3, 0)
    for present in (week, fortnight.match):
        assert house.agenda.find_next_turn(first, present) == day.match
    assert house.agenda.find_next_turn(first, day.match) == week
    for over in (day, fortnight):
        over.act(1, "resign")
    assert house.agenda.count_turns(first) == 1
    assert house.agenda.find_next_turn(first, week) is None


def test_whatever_changes_in_a_players_lists_changes_their_mark(
    house: Services, clock: Clock
) -> None:
    there = table(house).start("path-capture")
    known = {house.agenda.make_mark(there.second)}

    def is_new() -> bool:
        clock.advance(seconds=1)
        mark, before = house.agenda.make_mark(there.second), len(known)
        assert mark == house.agenda.make_mark(there.second)
        known.add(mark)
        return len(known) > before

    asked = NewMatch("path-capture", opponent="brook", visibility="private")
    older, newer = (
        house.matches.create(ChangeRequest(there.first), asked).shown.view.id for _ in range(2)
    )
    assert is_new()
    house.matches.act(ChangeRequest(there.first, any_version=True), older, Action("abort"))
    assert is_new()
    there.play({"steps": 1})
    assert is_new()
    there.act(1, "resign")
    assert is_new()
    house.matches.create(ChangeRequest(there.second), NewMatch("path-capture"))
    assert is_new()
    house.matches.create(ChangeRequest(there.first), NewMatch("path-capture"))
    assert not is_new()
    house.challenges.decline(ChangeRequest(there.second, any_version=True), newer, None)
    assert is_new()


def test_who_listens_in_one_process_is_called_for_what_another_one_did(
    houses: tuple[Services, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "LOOK_EVERY", 0.02)
    here, there = houses
    match = table(there).start("path-capture")
    stranger = there.accounts.get_local_player("stranger").id
    ears = [here.notifier.listen(one) for one in (match.first, match.second, stranger)]
    # The first look calls all of them.
    assert all(ear.wait(30) for ear in ears)
    match.play({"steps": 1})
    assert ears[0].wait(30)
    assert ears[1].wait(30)
    assert here.agenda.count_turns(match.second) == 1
    assert not ears[2].wait(0.1)
