"""Replays and audits of matches with clocks, offers and takebacks."""

from datetime import timedelta

import pytest

from domain.json_types import JsonObject
from domain.match.move_count import tell_count
from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.replays.replay import Frame, frame_json
from tests.services.audits.test_audit import _fault, _rewrite
from tests.services.conftest import Clock
from tests.services.matches.test_known_faults import offer_takeback, take
from tests.services.matches.test_timeouts import DAYS, STEP
from tests.services.people import Table, table


@pytest.fixture
def migrated_url(migrated_sqlite_url: str) -> str:
    """Give one kind of database: what is shown follows from events that have been read."""
    return migrated_sqlite_url


@pytest.fixture
def there(house: Services) -> Table:
    return table(house).start(pace=DAYS)


def frames(there: Table, first: int | None = None, last: int | None = None) -> list[Frame]:
    return there.house.replays.replay(Asker(local=True), there.match, first, last).frames


def texts(there: Table) -> list[str]:
    return [frame.text for frame in frames(there)]


def test_the_time_of_each_move_is_in_the_replay(there: Table, clock: Clock) -> None:
    clock.advance(hours=2, minutes=5, seconds=9)
    there.play(STEP)
    clock.advance(seconds=7)
    there.play(STEP)
    moves = frames(there)[1:]
    assert [frame_json(one)["seconds"] for one in moves] == [7_509, 7]
    assert [one.text for one in moves] == [
        "P1 goes 1 node forward to node 1. (2 hours 5 minutes)",
        "P2 goes 1 node forward to node 9. (7 seconds)",
    ]


def test_the_time_of_each_move_is_in_the_replay_without_a_clock_too(
    house: Services, clock: Clock
) -> None:
    there = table(house).start()
    clock.advance(days=400)
    there.play(STEP, STEP)
    slow, quick = frames(there)[1:]
    assert slow.used == timedelta(days=400) // timedelta(microseconds=1)
    assert [frame_json(one)["seconds"] for one in (slow, quick)] == [400 * 86_400, 0]
    assert slow.text == "P1 goes 1 node forward to node 1. (400 days)"
    assert quick.text == "P2 goes 1 node forward to node 9."
    there.act(1, "resign")
    assert "seconds" not in frame_json(frames(there)[-1])


def test_a_pause_is_no_time_of_the_move(there: Table, clock: Clock) -> None:
    clock.advance(hours=1)
    take(there, 1, "offer_pause", days=2)
    there.act(2, "accept_pause")
    clock.advance(days=1)
    there.act(1, "offer_resume")
    there.act(2, "accept_resume")
    clock.advance(hours=3)
    there.play(STEP)
    assert frame_json(frames(there)[-1])["seconds"] == 4 * 3_600
    assert texts(there)[1:5] == [
        "P1 proposes a pause of 2 days.",
        "P2 agrees to the pause; both clocks stand for 2 days.",
        "P1 proposes to end the pause now.",
        "P2 agrees to end the pause, 1 day early.",
    ]


def test_time_outs_gifts_and_vacations_are_told(there: Table, clock: Clock) -> None:
    take(there, 2, "give_time", hours=36)
    there.house.vacations.take(there.first, 1)
    clock.advance(hours=1)
    there.house.vacations.end(there.first)
    clock.advance(days=5)
    there.house.sweeping.sweep()
    assert texts(there)[1:] == [
        "P2 gives P1 1 day 12 hours more.",
        "P1 is on vacation; that clock stands for 1 day.",
        "P1 is back from vacation, 23 hours early.",
        "P1 has run out of time; P2 wins.",
    ]


def test_a_replay_shows_taken_back_moves_as_such(there: Table) -> None:
    there.play(STEP)
    kept = there.version
    there.play(STEP, STEP)
    offer_takeback(there, 2, kept)
    there.act(1, "accept_takeback")
    by = there.version
    there.play({"steps": 2})
    taken = {frame.version: frame.taken_back for frame in frames(there)}
    assert {version for version, at in taken.items() if at == by} == {kept + 1, kept + 2, kept + 3}
    assert set(taken.values()) == {None, by}
    told = texts(there)
    assert told[2].endswith(" Taken back later.")
    assert told[5] == "P1 accepts: the game goes back to where it was after move 1."
    assert told[4] == "P2 asks to take back what followed on move 1. Taken back later."
    counted = [tell_count(frame.place, 2) for frame in frames(there)]
    # The first move, those that are taken back, the offer, the answer, and one anew.
    assert counted == [
        "Before the first move",
        "Move 1 of 2",
        "Move 2 of 2",
        "Move 3",
        "After move 3",
        "After move 1 of 2",
        "Move 2 of 2",
    ]
    states = {frame.version: frame_json(frame)["state"] for frame in frames(there)}
    assert states[by] == states[kept]
    assert "taken_back" not in frame_json(frames(there)[1])


def test_a_part_of_a_replay_knows_what_was_taken_back_behind_it(there: Table) -> None:
    there.play(STEP, STEP)
    offer_takeback(there, 1, there.version - 1)
    there.act(2, "accept_takeback")
    whole, move = frames(there), there.version - 2
    assert frames(there, move, move) == [one for one in whole if one.version == move]


# --- audits -------------------------------------------------------------------------------------


def test_an_audit_finds_a_challenge_that_lapsed_too_early(house: Services, clock: Clock) -> None:
    there = table(house)
    new = NewMatch("path-capture", opponent="brook")
    match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    clock.advance(days=14)
    assert house.sweeping.sweep().lapsed == 1
    assert house.audits.verify(match).holds
    last = house.queries.show(Asker(local=True), match).view.version
    early = {"at": "2026-12-11T21:59:59.999999Z"}
    _rewrite(house, match, last, lambda event: event.update(early), rehash=True)
    assert _fault(house, match) == (last, "decisions")


def _eventful(house: Services, clock: Clock) -> Table:
    """Return a match with everything in it that can be agreed on, ended by the clock."""
    there = table(house).start(pace=DAYS)
    take(there, 2, "give_time", hours=36)
    there.play(STEP, STEP)
    offer_takeback(there, 1, there.version - 1)
    there.act(2, "accept_takeback")
    for action in ("draw", "abort"):
        there.act(1, f"offer_{action}")
        there.act(2, f"decline_{action}")
    take(there, 1, "offer_pause", days=2)
    there.act(2, "accept_pause")
    clock.advance(hours=5)
    there.act(1, "offer_resume")
    there.act(2, "accept_resume")
    house.vacations.take(there.second, 3)
    clock.advance(days=9)
    house.sweeping.sweep()
    return there


def test_everything_that_was_agreed_is_decided_again(house: Services, clock: Clock) -> None:
    there = _eventful(house, clock)
    assert there.shown().view.result == {"winner": 1, "reason": "timeout"}
    assert house.audits.verify(there.match).faults == []


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("time-given", "amount", 1),
        ("takeback-offered", "version", 3),
        ("takeback-accepted", "version", 4),
        ("draw-declined", "seat", 3),
        ("clock-paused", "amount", 40 * 86_400),
        ("clock-resumed", "amount", 7),
        ("match-ended", "winner", 2),
        ("match-ended", "reason", "resignation"),
    ],
)
def test_an_agreement_that_nobody_could_make_is_found(
    house: Services, clock: Clock, kind: str, name: str, value: object
) -> None:
    there = _eventful(house, clock)
    found = house.queries.show_events(Asker(local=True), there.match).events
    version = next(one["version"] for one in found if one["kind"] == kind)

    def change(body: JsonObject) -> None:
        body["data"][name] = value

    _rewrite(house, there.match, version, change, rehash=True)
    faulty, check = _fault(house, there.match)
    assert check in ("decisions", "chain")
    assert faulty is None or faulty >= version


def test_a_time_out_before_its_time_is_found(house: Services, clock: Clock) -> None:
    there = _eventful(house, clock)

    def earlier(body: JsonObject) -> None:
        body["at"] = "2026-12-01T00:00:00.000000Z"

    _rewrite(house, there.match, there.version, earlier, rehash=True)
    assert _fault(house, there.match) == (there.version, "decisions")


def test_a_move_after_the_deadline_is_found(house: Services) -> None:
    there = table(house).start(pace=DAYS)
    there.play(STEP)

    def late(body: JsonObject) -> None:
        body["at"] = "2026-11-30T22:00:00.000000Z"

    _rewrite(house, there.match, there.version, late, rehash=True)
    assert _fault(house, there.match) == (there.version, "decisions")
