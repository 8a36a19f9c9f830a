"""House players sit down at once, move and answer by themselves, and see what their seat sees."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from random import Random
from threading import Barrier, BrokenBarrierError, get_native_id
from typing import Any

import pytest
from sqlalchemy import text

from domain.game.game import Viewer
from domain.json_types import Json, JsonObject
from domain.match import house_players as domain_house
from domain.match.events import Event, MoveMade
from domain.match.house_players import PLAYERS, name_of
from domain.match.state import Match
from domain.search import engine
from services.container import Services
from services.errors import TooManyHouseMatches, UnknownOpponent
from services.matches import house_players, seats
from services.matches.commands import MatchCommands
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store import matches
from services.store.log import events as log
from services.store.log import feed
from tests.domain.games.power_lines.test_twin_matches import decks, other_truth
from tests.domain.twins import step, twins
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import Table, chosen, together
from tests.support.games import test_games

LEVEL = 1


def against_the_house(  # noqa: PLR0913 - what a match is created with
    house: Services,
    game: str = "path-capture",
    *,
    level: int = LEVEL,
    seat: int = 1,
    pace: Json = None,
    options: JsonObject | None = None,
    rated: bool = False,
) -> Table:
    """Return a match of a person in ``seat`` against a house player."""
    player = house.accounts.get_local_player("ada").id
    new = NewMatch(game, options, seat=seat, opponent=name_of(level), pace=pace, rated=rated)
    match = house.matches.create(ChangeRequest(player), new).shown.view.id
    sides = (player, PLAYERS[level]) if seat == 1 else (PLAYERS[level], player)
    return Table(house, *sides, match)


def stream(house: Services, match: str) -> list[Event]:
    with house.database.read() as connection:
        return log.load(connection, match)


def folded(house: Services, match: str) -> Match:
    with house.database.read() as connection:
        found = house.matches.repository.load(connection, match)
    assert found is not None
    return found


def any_move(there: Table) -> JsonObject:
    return chosen(there.house, there.match, lambda moves: len(moves) // 2)


def play_on(there: Table, seat: int, version: int = 10_000, ply: int = 10_000) -> Table:
    """Let a person make some moves and the house answer, to the end, a version or a move."""
    while (view := there.shown().view).to_act and there.version < version and view.ply < ply:
        if view.to_act == seat:
            there.play(any_move(there))
        else:
            assert there.house.house_players.go_on(there.match)
    return there


# --- sitting down ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2])
def test_the_house_sits_down_in_the_transaction_that_creates_the_match(
    house: Services, seat: int
) -> None:
    there = against_the_house(house, seat=seat)
    kinds = [event.kind for event in stream(house, there.match)]
    assert kinds == ["match-created", "seat-taken", "seat-taken", "match-started"]
    shown = there.shown()
    assert (shown.view.status, shown.view.seats[2 - seat]) == ("active", PLAYERS[LEVEL])
    assert len({event.at for event in stream(house, there.match)}) == 1
    assert house.audits.verify(there.match).holds


def test_a_match_with_the_house_that_could_not_be_written_leaves_nothing(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("services.matches.repository.log.append", broken)
    with pytest.raises(OSError, match="full"):
        against_the_house(house)
    with house.database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM events")).scalar() == 0


@ON_SQLITE_ALONE
def test_a_level_that_there_is_not_is_refused(house: Services) -> None:
    player = house.accounts.get_local_player("ada").id
    for name in ("house:0", "house:6", "house:", "house:03", "house:3 ", "house"):
        with pytest.raises(UnknownOpponent) as refused:
            house.matches.create(ChangeRequest(player), NewMatch("grid-power", opponent=name))
        assert refused.value.pointer == "/opponent", name


@ON_SQLITE_ALONE
def test_a_level_that_the_game_does_not_carry_is_refused(house: Services) -> None:
    most = engine.count_levels(house.games.get("path-capture"))
    assert most < domain_house.LEVELS
    with pytest.raises(UnknownOpponent, match=f"levels 1 to {most}") as refused:
        against_the_house(house, level=most + 1)
    assert refused.value.pointer == "/opponent"
    against_the_house(house, level=most)


def test_one_player_has_so_many_running_matches_against_the_house(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "MOST_AGAINST_THE_HOUSE", 2)
    first = against_the_house(house)
    against_the_house(house, "grid-power", level=2, seat=2)
    with pytest.raises(TooManyHouseMatches, match="2 running matches") as refused:
        against_the_house(house)
    assert refused.value.pointer == "/opponent"
    # Others have room of their own, and people are no house.
    brook = house.accounts.get_local_player("brook").id
    new = NewMatch("path-capture", opponent=name_of(LEVEL))
    house.matches.create(ChangeRequest(brook), new)
    house.matches.create(ChangeRequest(first.first), NewMatch("path-capture", opponent="brook"))
    first.act(1, "resign")
    house.rematches.ask(ChangeRequest(first.first), first.match)
    with pytest.raises(TooManyHouseMatches):
        against_the_house(house)


def test_matches_that_are_created_at_once_are_counted(
    houses: tuple[Services, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "MOST_AGAINST_THE_HOUSE", 1)
    houses[0].accounts.get_local_player("ada")
    gate, count = Barrier(2), matches.count_running

    def counted(*given: Any) -> int:  # noqa: ANN401 - as it is
        """Count, and give the other one the time to count as well."""
        found = count(*given)
        with suppress(BrokenBarrierError):
            gate.wait(0.5)
        return found

    monkeypatch.setattr(matches, "count_running", counted)
    results = together(*(lambda one=one: against_the_house(one) for one in houses))
    kinds = sorted(type(one).__name__ for one in results)
    assert kinds == ["Table", "TooManyHouseMatches"]


@ON_SQLITE_ALONE
def test_who_is_on_vacation_has_a_clock_that_stands_from_the_start(
    house: Services, clock: Clock
) -> None:
    player = house.accounts.get_local_player("ada").id
    house.vacations.take(player, 3)
    there = against_the_house(house, pace={"days_per_move": 3})
    clock.advance(days=2)
    shown = there.shown().view.clock
    assert shown is not None
    assert shown.away_until[0]
    assert house.audits.verify(there.match).holds


# --- moving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("game", ["path-capture", "power-lines", "grid-power"])
def test_the_house_plays_a_match_to_its_end_and_all_of_it_holds(
    house: Services, game: str, seat: int
) -> None:
    there = play_on(against_the_house(house, game, seat=seat), seat, 40)
    made = [one for one in stream(house, there.match) if isinstance(one.fact, MoveMade)]
    assert made
    for event in made:
        assert isinstance(event.fact, MoveMade)
        ours = event.fact.seat != seat
        assert event.schema == (2 if ours else 1)
        assert event.fact.cause == ("house" if ours else "player")
        assert event.fact.engine == ({"version": engine.VERSION, "level": LEVEL} if ours else None)
    if not there.shown().view.result:
        there.act(seat, "resign")
    assert house.audits.verify(there.match).faults == []


@ON_SQLITE_ALONE
def test_nothing_is_owed_while_a_person_is_to_act(house: Services) -> None:
    there = against_the_house(house)
    assert not house.house_players.go_on(there.match)
    assert not house.house_players.go_on("0" * 16)
    there.play({"steps": 1})
    assert house.house_players.go_on(there.match)
    there.act(1, "resign")
    assert not house.house_players.go_on(there.match)


def test_a_look_finds_what_waits_already_and_then_what_the_log_brings(house: Services) -> None:
    first, other = against_the_house(house), against_the_house(house)
    first.play({"steps": 1})
    assert house.house_players.look() == {"done": 1, "failed": 0}
    assert house.house_players.look() == {"done": 0, "failed": 0}
    other.play({"steps": 1})
    assert house.house_players.look() == {"done": 1, "failed": 0}
    assert [one.shown().view.to_act for one in (first, other)] == [1, 1]


@ON_SQLITE_ALONE
def test_an_offer_that_was_made_while_no_worker_was_there_is_answered(house: Services) -> None:
    there = against_the_house(house, seat=1)
    there.act(1, "offer_draw")
    people = Table(house, there.first, house.accounts.get_local_player("bob").id).start()
    people.act(1, "offer_draw")
    with house.database.read() as connection:
        assert feed.list_owed(connection, list(PLAYERS.values())) == {there.match: there.first}
    assert house.house_players.look()["done"] == 1
    assert there.shown().view.offers.draw is None


def test_two_workers_at_once_never_move_twice(houses: tuple[Services, Services]) -> None:
    """Both have thought, and know nothing of each other: the expected version lets one move."""
    there = against_the_house(houses[0])
    for _ in range(3):
        if there.shown().view.to_act != 1:
            break
        there.play({"steps": 1})
        before = there.version
        results = together(
            *(lambda one=one: one.house_players.go_on(there.match) for one in houses)
        )
        assert sorted(map(bool, results)) == [False, True]
        made = [e for e in stream(houses[0], there.match) if e.version > before]
        moves = [e.fact for e in made if isinstance(e.fact, MoveMade)]
        plies = [fact.ply for fact in moves]
        assert len(plies) == len({*plies})
        assert houses[0].audits.verify(there.match).holds


def test_who_has_thought_on_a_version_that_has_gone_moves_nothing(
    houses: tuple[Services, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the house is to act again by then: the thought was about another position."""
    one, other = houses
    there = against_the_house(one, "grid-power")
    there.play(any_move(there))
    think, inside = engine.choose, list[bool]()

    def slowly(*given: Any) -> Any:  # noqa: ANN401 - as it is
        if not inside:
            inside.append(True)
            # Meanwhile the other worker does it all, and the person answers.
            assert other.house_players.go_on(there.match)
            there.play(any_move(there))
        return think(*given)

    monkeypatch.setattr(house_players, "choose", slowly)
    before = there.version
    assert not one.house_players.go_on(there.match)
    made = [event.fact for event in stream(one, there.match)[before:]]
    assert [fact.seat for fact in made if isinstance(fact, MoveMade)] == [2, 1]
    assert there.shown().view.to_act == 2
    assert one.house_players.go_on(there.match)


class _Killed(BaseException):
    """The process is gone."""


def test_a_crash_between_thinking_and_moving_loses_nothing(
    houses: tuple[Services, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next worker makes the same move: it thinks about the same, with the same seed."""
    one, other = houses
    there = against_the_house(one, "grid-power")
    there.play(any_move(there))
    thought: list[Any] = []
    think = engine.choose

    def and_dies(*given: Any) -> Any:  # noqa: ANN401 - as it is
        thought.append(think(*given))
        raise _Killed

    before = there.version
    with monkeypatch.context() as patch:
        patch.setattr(house_players, "choose", and_dies)
        with pytest.raises(_Killed):
            one.house_players.look()
    assert there.version == before
    assert other.house_players.look()["done"] == 1
    made = stream(other, there.match)[before].fact
    assert isinstance(made, MoveMade)
    assert made.move == other.games.get("grid-power").dump_move(thought[0])


def test_a_match_that_fails_stops_no_other(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, fine = against_the_house(house, "grid-power"), against_the_house(house)
    broken.play(any_move(broken))
    fine.play({"steps": 1})
    think = engine.choose

    def sometimes(game: Any, *given: Any) -> Any:  # noqa: ANN401 - as it is
        if game.slug == "grid-power":
            raise ZeroDivisionError("with a secret in its text")
        return think(game, *given)

    with monkeypatch.context() as patch:
        patch.setattr(house_players, "choose", sometimes)
        assert house.house_players.look() == {"done": 1, "failed": 1}
    assert fine.shown().view.to_act == 1
    # It is tried again when all of them are looked at.
    monkeypatch.setattr(house_players, "ALL_EVERY", 0.0)
    house.house_players._all_at = 0.0  # noqa: SLF001 - a minute later
    assert house.house_players.look() == {"done": 1, "failed": 0}


@ON_SQLITE_ALONE
def test_a_house_player_whose_time_is_up_loses_like_everybody(
    house: Services, clock: Clock
) -> None:
    there = against_the_house(house, pace={"days_per_move": 1})
    there.play({"steps": 1})
    clock.advance(days=2)
    assert not house.house_players.go_on(there.match)
    assert there.shown().view.result == {"winner": 1, "reason": "timeout"}


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no niceness of their own")
def test_who_thinks_lets_others_go_first_and_who_writes_does_not(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People's moves wait for the lock of who writes: that must not be who waits for all others."""
    there, found = against_the_house(house), dict[str, int]()
    there.play({"steps": 1})
    think, write = engine.choose, MatchCommands.play

    def thinking(*given: Any) -> Any:  # noqa: ANN401 - as it is
        found["thinks"] = os.getpriority(os.PRIO_PROCESS, get_native_id())
        return think(*given)

    def writing(*given: Any) -> Any:  # noqa: ANN401 - as it is
        found["writes"] = os.getpriority(os.PRIO_PROCESS, get_native_id())
        return write(*given)

    monkeypatch.setattr(house_players, "choose", thinking)
    monkeypatch.setattr(MatchCommands, "play", writing)
    assert house.house_players.look()["done"] == 1
    usual = os.getpriority(os.PRIO_PROCESS, get_native_id())
    assert found == {"thinks": min(19, usual + 10), "writes": usual}


# --- what it sees, and what its chance follows from -----------------------------------------------


def handed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Note what is handed to the search."""
    given: list[tuple[Any, ...]] = []
    think = engine.choose

    def noting(*all_: Any) -> Any:  # noqa: ANN401 - as it is
        given.append(all_)
        return think(*all_)

    monkeypatch.setattr(house_players, "choose", noting)
    return given


@pytest.mark.parametrize("number", range(6))
def test_the_house_sees_no_hidden_card(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two matches alike to its seat, different in what is hidden, give the same move."""
    game = test_games().get("power-lines")
    pair = twins(game, game, Viewer.SEAT_1, number, settings=decks, other_truth=other_truth)
    given, random, compared = handed(monkeypatch), Random(number), 0
    for _ in range(12):
        if pair.first.match.to_act == 1:
            one, other = pair.first.match.copy(), pair.second.match.copy()
            assert one.version == other.version
            one.secret = other.secret = "ab" * 32
            one.id = other.id
            moves = [house_players.think(match, 1, LEVEL, 9) for match in (one, other)]
            assert moves[0] == moves[1]
            first, second = given[-2:]
            assert first == second
            compared += pair.differ
        if not step(pair, random):
            break
    assert compared


def test_the_seed_is_that_of_the_secret_which_nobody_sees_before_the_end(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = against_the_house(house)
    there.play({"steps": 1})
    given = handed(monkeypatch)
    version = there.version
    house.house_players.go_on(there.match)
    match = folded(house, there.match)
    [(_, question, level, seed)] = given
    assert (level, seed) == (LEVEL, domain_house.derive_seed(match.secret, match.id, version))
    assert match.secret not in repr(question)
    for asker in (Asker(there.first), Asker(), Asker(PLAYERS[LEVEL]), Asker(local=True)):
        shown = repr(house.queries.show_events(asker, there.match).events)
        shown += repr(house.queries.show(asker, there.match))
        assert match.secret not in shown
        assert str(seed) not in shown


def test_no_house_player_is_taken_for_one_who_acts_by_the_interface(house: Services) -> None:
    """A seat of the house moves by the house alone: an audit says so of anything else."""
    there = against_the_house(house, seat=2)
    move = any_move(Table(house, PLAYERS[LEVEL], there.second, there.match))
    house.matches.play(ChangeRequest(PLAYERS[LEVEL], there.version), there.match, move)
    [fault] = house.audits.verify(there.match).faults
    assert "cause" in fault.detail
