"""Where cards are hidden the house answers when it is due, however long it has thought."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import Any

import pytest

from domain.match.clock import SECOND, add_span, measure_span
from domain.match.events import MoveMade
from domain.match.house_players import PACE, PLAYERS, SHARE, compute_show_time, name_of
from domain.search import engine
from services.container import Services
from services.matches import house_players
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.replays import analysis
from services.runtime import low_priority
from services.worker import list_chores
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.matches.test_house_players import LEVEL, against_the_house, folded, stream
from tests.services.people import Table, table

SECRET, MATCH, AT = "ab" * 32, "7m2kq9x4tbw0ed5r", "2026-11-27T22:00:00.000000Z"


class Timers:
    """Timers that run when a test says so, each at its time."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.set: list[tuple[float, Callable[..., None], tuple[Any, ...]]] = []

    def __call__(self, seconds: float, do: Callable[..., None], given: tuple[Any, ...]) -> Timers:
        self.set.append((seconds, do, given))
        return self

    daemon = True

    def start(self) -> None:
        """Do nothing by itself."""

    def cancel(self) -> None:
        """Leave what is set: what it does is refused by then."""

    def run(self) -> None:
        """Let the time of each come that is set, the first one first."""
        began = self.clock.now
        for seconds, do, given in sorted(self.set, key=lambda one: one[0]):
            self.clock.now = began
            self.clock.advance(seconds=seconds)
            do(*given)
        self.set = []


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Timers:
    made = Timers(clock)
    monkeypatch.setattr(house_players, "Timer", made)
    return made


def thinking(monkeypatch: pytest.MonkeyPatch, clock: Clock, seconds: float) -> None:
    """Let each thought take so long."""
    think = engine.choose

    def slowly(*given: Any) -> Any:  # noqa: ANN401 - as it is
        clock.advance(seconds=seconds)
        return think(*given)

    monkeypatch.setattr(house_players, "choose", slowly)


def cards(house: Services, seat: int = 2) -> Table:
    """Return a match with hidden hands in which the house is to act."""
    there = against_the_house(house, "power-lines", seat=seat)
    while there.player(there.shown().view.to_act or 1) not in PLAYERS.values():
        look = Asker(there.player(there.shown().view.to_act or 1))
        there.play(house.queries.list_legal_moves(look, there.match, limit=1).moves[0]["move"])
    return there


def expected(house: Services, there: Table) -> str:
    """Return the first instant at which the house's answer to the last event may show."""
    match = folded(house, there.match)
    return compute_show_time(
        match.secret, match.id, match.version, match.updated_at, match.updated_at
    )


# --- when -----------------------------------------------------------------------------------------


def test_an_answer_shows_whole_paces_after_what_it_answers_and_its_share() -> None:
    first = compute_show_time(SECRET, MATCH, 7, AT, AT)
    assert PACE <= measure_span(AT, first) < PACE + SHARE
    assert PACE + SHARE <= SECOND
    for late in (1, PACE // 2, measure_span(AT, first)):
        assert compute_show_time(SECRET, MATCH, 7, AT, add_span(AT, late)) == first
    assert compute_show_time(SECRET, MATCH, 7, AT, add_span(first, 1)) == add_span(first, PACE)
    assert compute_show_time(SECRET, MATCH, 7, AT, add_span(first, 10**6 * PACE)) == add_span(
        first, 10**6 * PACE
    )


def test_the_share_differs_from_event_to_event_and_nobody_knows_it_without_the_secret() -> None:
    shares = {compute_show_time(SECRET, MATCH, version, AT, AT) for version in range(50)}
    others = {compute_show_time("cd" * 32, MATCH, version, AT, AT) for version in range(50)}
    assert len(shares) > 45
    assert len(shares & others) < 5


@ON_SQLITE_ALONE
@pytest.mark.parametrize("seconds", [0.0, 0.3, 0.75])
def test_the_instant_of_a_move_does_not_tell_how_long_was_thought(
    house: Services, clock: Clock, timers: Timers, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """A forced move takes no time, a free one up to the longest: both show when they are due."""
    there = cards(house)
    thinking(monkeypatch, clock, seconds)
    due = expected(house, there)
    before = there.version
    assert house.house_players.look()["done"] == 1
    assert there.version == before, "it is decided, and not shown"
    timers.run()
    event = stream(house, there.match)[before]
    assert isinstance(event.fact, MoveMade)
    assert event.at == due


@ON_SQLITE_ALONE
def test_who_thinks_longer_than_a_pace_shows_it_a_whole_pace_later(
    house: Services, clock: Clock, timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = cards(house)
    thinking(monkeypatch, clock, 1.2)
    due, before = expected(house, there), there.version
    house.house_players.look()
    timers.run()
    assert stream(house, there.match)[before].at == add_span(due, PACE)


@ON_SQLITE_ALONE
def test_a_clock_that_was_put_back_keeps_nobody_waiting(
    house: Services, clock: Clock, timers: Timers
) -> None:
    there = cards(house)
    clock.advance(days=-1)
    assert house.house_players.go_on(there.match, paced=True)
    [(seconds, _, _)] = timers.set
    assert seconds <= (SHARE + PACE) / SECOND


@ON_SQLITE_ALONE
def test_each_action_of_a_turn_waits_for_its_own_time(
    house: Services, timers: Timers, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    there = cards(house)
    thinking(monkeypatch, clock, 0.2)
    for _ in range(6):
        if there.player(there.shown().view.to_act or 1) not in PLAYERS.values():
            break
        due, before = expected(house, there), there.version
        assert house.house_players.look()["done"] == 1
        timers.run()
        assert stream(house, there.match)[before].at == due


@ON_SQLITE_ALONE
def test_an_answer_to_an_offer_waits_too_for_it_would_tell_that_nobody_thinks_any_more(
    house: Services, clock: Clock, timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = cards(house)
    thinking(monkeypatch, clock, 0.4)
    house.house_players.look()
    person = 1 if there.first not in PLAYERS.values() else 2
    there.act(person, "offer_draw")
    due, before = expected(house, there), there.version
    house.house_players.look()
    timers.run()
    made = stream(house, there.match)[before:]
    assert [event.kind for event in made] == ["draw-declined"]
    assert made[0].at == due


@ON_SQLITE_ALONE
def test_what_waits_is_not_thought_about_again(
    house: Services, timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = cards(house)
    before = there.version
    monkeypatch.setattr(house_players, "ALL_EVERY", 0.0)
    monkeypatch.setattr(house_players, "LONGEST_LOOK", 0.05)
    assert house.house_players.look()["done"] == 1
    assert house.house_players.look()["done"] == 0
    assert len(timers.set) == 1
    timers.run()
    assert there.version > before


def test_a_move_that_cannot_be_written_when_it_is_due_is_told_and_tried_again(
    house: Services, timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = cards(house)
    before = there.version
    house.house_players.look()

    def broken(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("services.matches.commands.MatchCommands.play", broken)
        # It was decided with the method as it was; what fails is the write.
        patch.setattr("services.matches.commands.MatchCommands.change", broken)
        timers.run()
    assert there.version == before
    house.house_players._all_at = 0.0  # noqa: SLF001 - a minute later
    house.house_players.look()
    timers.run()
    assert there.version > before


# --- and nobody waits for it ----------------------------------------------------------------------


@ON_SQLITE_ALONE
def test_where_nothing_is_hidden_the_house_moves_at_once(house: Services, timers: Timers) -> None:
    there = against_the_house(house)
    there.play({"steps": 1})
    before = there.version
    assert house.house_players.look()["done"] == 1
    assert there.version > before
    assert not timers.set


@ON_SQLITE_ALONE
def test_a_match_without_hidden_cards_does_not_tell_how_long_was_thought_in_another(
    house: Services, clock: Clock, timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One thinks at a time: who waits behind a thought about cards would measure it."""
    hidden = cards(house)
    stood = hidden.version
    house.house_players.look()
    open_ = against_the_house(house)
    open_.play({"steps": 1})
    thinking(monkeypatch, clock, 0.1)
    due, before = expected(house, open_), open_.version
    house.house_players.look()
    timers.run()
    assert stream(house, open_.match)[before].at == due
    assert hidden.version > stood
    # What comes behind the time of that move is answered at once again.
    clock.advance(seconds=5)
    open_.play({"steps": 1})
    house.house_players.look()
    assert not [one for one in timers.set if one[2][0] == open_.match]


@ON_SQLITE_ALONE
def test_two_matches_with_hidden_cards_go_on_side_by_side(house: Services) -> None:
    """By timers as they are: both are due at about the same time, and neither waits twice."""
    first, second = cards(house), cards(house)
    before = [one.version for one in (first, second)]
    began = monotonic()
    assert house.house_players.look()["done"] == 2
    thought = monotonic() - began
    house.house_players.finish()
    assert thought < PACE / SECOND, "nobody sleeps"
    assert monotonic() - began < 1.8 * PACE / SECOND + thought
    assert all(one.version > version for one, version in zip((first, second), before, strict=True))


def test_a_worker_that_ends_after_one_round_makes_the_moves_that_are_due(house: Services) -> None:
    there = cards(house)
    before = there.version
    house.house_players.look()
    house.house_players.finish()
    assert there.version > before


@ON_SQLITE_ALONE
def test_those_of_one_person_wait_behind_the_first_of_each_other(
    house: Services, clock: Clock
) -> None:
    """Who has many matches slows nobody else's first one."""
    many = [against_the_house(house) for _ in range(3)]
    other = house.accounts.get_local_player("brook").id
    new = NewMatch("path-capture", seat=1, opponent=name_of(LEVEL))
    match = house.matches.create(ChangeRequest(other), new).shown.view.id
    last = Table(house, other, PLAYERS[LEVEL], match)
    for one in (*many, last):
        clock.advance(seconds=1)
        one.play({"steps": 1})
    asked: list[str] = []
    play = house_players.HousePlayers.go_on

    def noting(self: Any, match_id: str, **given: Any) -> bool:  # noqa: ANN401 - as it is
        asked.append(match_id)
        return play(self, match_id, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house_players.HousePlayers, "go_on", noting)
        house.house_players.look()
    assert [*dict.fromkeys(asked)] == [many[0].match, last.match, many[1].match, many[2].match]


@pytest.mark.parametrize("decided", ["before", "meanwhile"])
def test_of_an_analysis_nothing_new_shows_while_an_answer_waits(
    house: Services, timers: Timers, monkeypatch: pytest.MonkeyPatch, decided: str
) -> None:
    """How far an analysis is would tell how long the house has thought about its hand."""
    there, over = cards(house), table(house).start("path-capture", {"length": 8})
    over.play({"steps": 3}, {"steps": 3}, {"steps": 1})
    house.analyses.budget = lambda _: 100
    house.analyses.ask(Asker(local=True), over.match)
    chore = {one.name: one.do for one in list_chores(house, "", Event(), patience=0)}
    before, shown, find = there.version, list[tuple[int, int]](), analysis.analyse_position

    def found(*given: Any) -> Any:  # noqa: ANN401 - as it is
        if not timers.set and not shown:
            chore["house"]()
        return find(*given)

    def pass_time(_: float) -> None:
        done = house.analyses.show(Asker(local=True), over.match).done
        shown.append((done, there.version))
        timers.run()

    if decided == "before":
        chore["house"]()
    else:
        monkeypatch.setattr(analysis, "analyse_position", found)
    monkeypatch.setattr(low_priority, "sleep", pass_time)
    assert chore["analysis"]() == {"positions": 4}
    assert shown == [(0, before)]
    assert there.version > before
