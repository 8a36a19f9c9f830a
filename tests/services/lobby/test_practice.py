"""Practice matches: held by a browser for a day, seen in no list, ended by the sweep."""

import pytest
import structlog

from domain.errors import CannotTakeBack, InvalidSettings, MatchNotActive
from services.container import Services
from services.errors import NotFound, TooOften, UnknownOpponent
from services.lobby import practice
from services.lobby.lists import MatchFilter
from services.lobby.practice import NewPractice
from services.matches.access import UNLISTED
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import (
    AlreadyAnswered,
    ChangeRequest,
    CommandResult,
    NewMatch,
    Repeatable,
    StoredAnswer,
)
from services.matches.timeouts import Swept
from services.runtime.settings import Settings
from services.store.lobby.statistics import StatisticsFilter
from tests.services.checkpoints.attacks import damage
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import table
from tests.support.games import test_games

ME, OTHER = "what a cookie holds", "what another cookie holds"
WALK = NewPractice("path-capture", {}, ({}, {}))


def begun(house: Services, holder: str = ME, new: NewPractice = WALK) -> str:
    done: CommandResult = house.practice.begin(holder, new)
    return done.shown.view.id


def play(house: Services, match: str, *steps: int) -> None:
    for step in steps:
        hand = house.practice.find_acting(ME, match)
        assert hand is not None
        house.matches.play(ChangeRequest(hand.player, any_version=True), match, {"steps": step})


def status(house: Services, match: str) -> str:
    return house.queries.show(Asker(), match).view.status


def test_one_browser_plays_both_seats(house: Services) -> None:
    match = begun(house)
    hands = []
    for step in (3, 2, 2, 3):
        hand = house.practice.find_acting(ME, match)
        assert hand is not None
        hands.append(hand.name)
        play(house, match, step)
    assert hands == ["left hand", "right hand"] * 2
    view = house.queries.show(Asker(), match).view
    assert (view.status, view.visibility, view.rated, view.pace) == (
        "finished",
        UNLISTED,
        False,
        None,
    )
    assert house.audits.verify(match).holds


@ON_SQLITE_ALONE
def test_nobody_else_acts_in_it(house: Services) -> None:
    match = begun(house)
    stranger = table(house).start().match
    assert house.practice.find_acting(OTHER, match) is None
    assert house.practice.find_acting(ME, stranger) is None
    for change in (house.practice.take_back, house.practice.end):
        with pytest.raises(NotFound):
            change(OTHER, match)
    assert house.practice.list_held(OTHER) == []
    assert [one.shown.view.id for one in house.practice.list_held(ME)] == [match]


@ON_SQLITE_ALONE
def test_no_name_leads_to_the_hands(house: Services) -> None:
    begun(house)
    ada = house.accounts.get_local_player("ada").id
    for name in ("left hand", "right hand", "PRACTICE-LEFT", "practice-left", "Practice-Right"):
        assert house.accounts.find(name) is None
        assert house.lobby.list_matches(Asker(), MatchFilter(player=name)).listed == []
        with pytest.raises(UnknownOpponent):
            house.matches.create(ChangeRequest(ada), NewMatch("path-capture", opponent=name))


@ON_SQLITE_ALONE
def test_a_player_may_be_called_like_the_keys_of_the_hands(house: Services) -> None:
    begun(house)
    assert house.accounts.sign_up("practice-left", "a long enough password").name
    second = begun(house, OTHER)
    assert house.practice.find_acting(OTHER, second) is not None


def test_it_is_in_no_list_and_no_statistic(house: Services) -> None:
    match = begun(house)
    play(house, match, 3, 2, 2, 3)
    assert house.lobby.list_matches(Asker(), MatchFilter()).listed == []
    assert house.statistics.list_rows(StatisticsFilter()) == []


@ON_SQLITE_ALONE
def test_all_practice_matches_share_two_players(house: Services) -> None:
    seats = [house.queries.show(Asker(), begun(house, one)).view.seats for one in (ME, OTHER, ME)]
    assert len(set(seats)) == 1


@ON_SQLITE_ALONE
def test_the_last_move_is_taken_back_and_the_one_before_it(house: Services) -> None:
    match = begun(house)
    play(house, match, 3, 2)
    house.practice.take_back(ME, match)
    view = house.queries.show(Asker(), match).view
    assert (view.ply, view.to_act) == (1, 2)
    house.practice.take_back(ME, match)
    assert house.queries.show(Asker(), match).view.ply == 0
    with pytest.raises(CannotTakeBack):
        house.practice.take_back(ME, match)
    play(house, match, 1)
    assert house.queries.show(Asker(), match).view.ply == 1


@ON_SQLITE_ALONE
def test_it_can_be_ended_at_any_time_but_once(house: Services) -> None:
    match = begun(house)
    play(house, match, 3, 2, 2)
    house.practice.end(ME, match)
    assert status(house, match) == "aborted"
    with pytest.raises(MatchNotActive):
        house.practice.end(ME, match)


@ON_SQLITE_ALONE
def test_settings_that_do_not_fit_begin_nothing_and_say_whose_they_are(house: Services) -> None:
    poor = NewPractice("power-lines", {}, ({}, {"deck": [1, 2, 3]}))
    with pytest.raises(InvalidSettings) as refusal:
        house.practice.begin(ME, poor)
    assert refusal.value.pointer == "/2/deck"
    assert house.practice.list_held(ME) == []
    assert house.lobby.list_matches(Asker(local=True), MatchFilter()).listed == []


def test_a_browser_holds_so_many_at_a_time(
    house: Services, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(practice, "MOST", 2)
    begun(house)
    begun(house)
    with pytest.raises(TooOften):
        begun(house)
    begun(house, OTHER)
    clock.advance(days=1)
    begun(house)


def test_what_is_asked_for_again_is_not_counted(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "MOST", 1)
    record: Repeatable[CommandResult] = Repeatable(
        "key", "0" * 64, lambda _: StoredAnswer(201, {}, b"here it is")
    )
    house.practice.begin(ME, WALK, record)
    with pytest.raises(AlreadyAnswered) as replayed:
        house.practice.begin(ME, WALK, record)
    assert replayed.value.answer.body == b"here it is"


def test_after_a_day_nobody_holds_it_and_the_sweep_ends_it(house: Services, clock: Clock) -> None:
    running, over, fresh = begun(house), begun(house), begun(house)
    play(house, running, 3, 2, 2)
    play(house, over, 3, 2, 2, 3)
    clock.advance(hours=23)
    late = begun(house, OTHER)
    assert house.sweeping.sweep() == Swept()
    clock.advance(hours=1)
    assert house.practice.list_held(ME) == []
    assert house.practice.find_acting(ME, running) is None
    assert status(house, running) == "active"
    assert house.sweeping.sweep() == Swept(practices=3)
    found = [status(house, one) for one in (running, over, fresh, late)]
    assert found == ["aborted", "finished", "aborted", "active"]
    assert house.sweeping.sweep() == Swept()
    assert all(house.audits.verify(one).holds for one in (running, over, fresh))


def test_a_damaged_one_is_let_go_of_and_holds_up_no_other(house: Services, clock: Clock) -> None:
    damaged, whole = begun(house), begun(house)
    damage(house.database, damaged)
    clock.advance(days=1)
    other = Services(Settings(database_url=house.database.url), games=test_games(), now=clock)
    with structlog.testing.capture_logs() as log:
        clock.advance(hours=-1)
        assert [one.shown.view.id for one in other.practice.list_held(ME)] == [whole]
        clock.advance(hours=1)
        assert other.sweeping.sweep() == Swept(practices=2)
        assert other.sweeping.sweep() == Swept()
    other.close()
    assert status(house, whole) == "aborted"
    assert [one["match"] for one in log if one["event"] == "damaged_match"] == [damaged]


@pytest.mark.parametrize("kind", ["abort", "takeback"])
def test_what_was_cut_off_between_the_two_hands_is_gone_on_with(
    house: Services, clock: Clock, kind: str
) -> None:
    match = begun(house)
    play(house, match, 3)
    version = house.queries.show(Asker(), match).view.version
    hand = house.practice.find_acting(ME, match)
    assert hand is not None
    offer = Action(f"offer_{kind}", to_version=version - 1 if kind == "takeback" else None)
    house.matches.act(ChangeRequest(hand.player, any_version=True), match, offer)
    if kind == "takeback":
        house.practice.take_back(ME, match)
        assert house.queries.show(Asker(), match).view.ply == 0
    clock.advance(hours=24)
    assert house.sweeping.sweep() == Swept(practices=1)
    assert status(house, match) == "aborted"
