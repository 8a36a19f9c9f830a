"""Faults that other services have had in the life of a match, each as a test of its own."""

from functools import partial

import pytest

from domain import errors
from domain.json_types import JsonObject
from domain.match.clock import DAY, SECOND
from domain.match.state import Match, format_of
from services.container import Services
from services.errors import StaleVersion
from services.matches.actions import Action
from services.matches.repository import SNAPSHOT_EVERY, Repository
from services.matches.requests import (
    AlreadyAnswered,
    ChangeRequest,
    CommandResult,
    Repeatable,
    StoredAnswer,
)
from services.store.log import snapshots
from tests.services.conftest import Clock
from tests.services.matches.test_timeouts import DAYS, STEP, kinds, shown
from tests.services.people import Table, table
from tests.services.racing import Clocks, at_once

SET_UP = 4
"""Events before the first move: created, two seats taken, started."""


@pytest.fixture
def there(house: Services) -> Table:
    return table(house).start(pace=DAYS)


def take(there: Table, seat: int, action: str, **needs: int) -> CommandResult:
    """Take an action of a seat that needs something, on the present version."""
    request = ChangeRequest(there.player(seat), there.version)
    return there.house.matches.act(request, there.match, Action(action, **needs))  # type: ignore[arg-type]


def offer_takeback(there: Table, seat: int, version: int) -> CommandResult:
    return take(there, seat, "offer_takeback", to_version=version)


def test_two_simultaneous_moves_are_not_both_stored(
    houses: tuple[Services, Services], clocks: Clocks
) -> None:
    there = table(houses[0])
    for _ in range(5):
        there.start(pace=DAYS)
        request = ChangeRequest(there.first, there.version)
        tasks = [partial(house.matches.play, request, there.match, STEP) for house in houses]
        results = at_once(clocks, *((clocks.start, task) for task in tasks))
        assert sorted(isinstance(one, CommandResult) for one in results) == [False, True]
        assert "stale-version" in results
        assert kinds(there).count("move-made") == 1


def test_a_retry_after_a_lost_answer_is_not_refused(there: Table) -> None:
    """The same request with its key gets the same answer, and nothing happens twice."""
    answer = StoredAnswer(201, {}, b"moved")
    record: Repeatable[CommandResult] = Repeatable("key", "f" * 64, lambda _: answer)
    request = ChangeRequest(there.first, there.version, record=record)
    there.house.matches.play(request, there.match, STEP)
    with pytest.raises(AlreadyAnswered) as replayed:
        there.house.matches.play(request, there.match, STEP)
    assert replayed.value.answer == answer
    assert kinds(there).count("move-made") == 1


def test_a_stale_event_does_not_make_a_bot_play_the_same_move_twice(there: Table) -> None:
    """A bot that is told of the same version again answers on it again, and is refused."""
    told = there.version
    there.house.matches.play(ChangeRequest(there.first, told), there.match, STEP)
    there.play(STEP)
    with pytest.raises(StaleVersion):
        there.house.matches.play(ChangeRequest(there.first, told), there.match, STEP)
    assert shown(there)["ply"] == 2


def test_an_accepted_takeback_hits_the_move_that_was_meant(there: Table) -> None:
    """Neither a move that came in between nor the number of moves makes it another one."""
    there.play(STEP)
    meant = there.version
    there.play({"steps": 2})
    offer_takeback(there, 2, meant)
    there.play({"steps": 3})
    with pytest.raises(errors.NoSuchOffer):
        there.act(1, "accept_takeback")
    offer_takeback(there, 1, there.version - 1)
    there.act(2, "accept_takeback")
    assert shown(there)["ply"] == 2
    assert shown(there)["to_act"] == 1


def test_an_acceptance_that_was_decided_on_another_version_is_stale(there: Table) -> None:
    there.play(STEP)
    offer_takeback(there, 1, there.version - 1)
    decided_on = there.version
    there.act(1, "decline_takeback")
    request = ChangeRequest(there.second, decided_on)
    with pytest.raises(StaleVersion):
        there.house.matches.act(request, there.match, Action("accept_takeback"))


@pytest.mark.parametrize("pace", [None, DAYS])
def test_a_takeback_is_the_same_from_every_cache(
    houses: tuple[Services, Services], pace: JsonObject | None
) -> None:
    """It led to what lies before the newest snapshot, and before what others remember."""
    there = table(houses[0]).start("marathon", {"length": 200}, pace)
    for number in range(70):
        there.play({"strides": 1 + number % 3})
    before = SNAPSHOT_EVERY - 5
    _load(houses[1], there)
    offer_takeback(there, 1, before)
    there.act(2, "accept_takeback")
    there.play({"strides": 1}, {"strides": 2})
    ours, remembered_older = _load(houses[0], there), _load(houses[1], there)
    from_snapshot = _load(houses[0], there, fresh=True)
    with there.house.database.write() as connection:
        formats = [format_of(there.house.games.get("marathon"))]
        kept = snapshots.find_latest(connection, there.match, formats)
        assert kept is not None
        assert kept.version == SNAPSHOT_EVERY
        snapshots.delete(connection, there.match)
    from_events = _load(houses[0], there, fresh=True)
    assert ours == remembered_older == from_snapshot == from_events
    assert shown(there)["ply"] == before - SET_UP + 2
    assert there.house.audits.verify(there.match).holds


def _load(house: Services, there: Table, *, fresh: bool = False) -> Match | None:
    repository = house.matches.repository
    if fresh:
        repository = Repository(house.games, house.now, house.matches.repository.randomness)
    with house.database.read() as connection:
        return repository.load(connection, there.match)


def test_a_pause_does_not_make_a_match_endless(there: Table, clock: Clock) -> None:
    """Nobody comes back; the clocks do."""
    request = ChangeRequest(there.first, there.version)
    there.house.matches.act(request, there.match, Action("offer_pause", days=30))
    there.act(2, "accept_pause")
    clock.advance(days=32)
    assert there.house.sweeping.sweep().timeouts == 0
    clock.advance(days=1)
    assert there.house.sweeping.sweep().timeouts == 1
    assert shown(there)["result"] == {"winner": 2, "reason": "timeout"}


@pytest.mark.parametrize("ending", ["resign", "timeout", "agreement", "aborted"])
def test_an_ended_match_takes_nothing_any_more(there: Table, clock: Clock, ending: str) -> None:
    if ending == "resign":
        there.act(2, "resign")
    elif ending == "timeout":
        clock.advance(days=3)
        there.house.sweeping.sweep()
    elif ending == "agreement":
        there.act(1, "offer_draw")
        there.act(2, "accept_draw")
    else:
        there.act(1, "abort")
    version = there.version
    for seat in (1, 2):
        request = ChangeRequest(there.player(seat), version)
        with pytest.raises(errors.MatchNotActive):
            there.house.matches.play(request, there.match, STEP)
        for action in (
            Action("resign"), Action("abort"), Action("offer_draw"), Action("accept_draw"),
            Action("offer_pause", days=1), Action("give_time", hours=1),
            Action("offer_takeback", to_version=4), Action("decline_takeback"),
        ):  # fmt: skip
            with pytest.raises(errors.MatchNotActive):
                there.house.matches.act(request, there.match, action)
    assert there.house.sweeping.sweep().timeouts == 0
    assert there.version == version


def test_time_given_and_pauses_are_in_the_deadline_that_everybody_sees(there: Table) -> None:
    request = ChangeRequest(there.second, there.version)
    there.house.matches.act(request, there.match, Action("give_time", hours=5))
    assert shown(there)["deadline"] == "2026-12-01T03:00:00.000000Z"
    assert shown(there)["clock"]["seats"][0]["seconds"] == 3 * DAY // SECOND + 5 * 3_600
