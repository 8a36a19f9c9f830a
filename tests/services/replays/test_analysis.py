"""Analyses: of finished matches alone, each made once, a position at a time."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection

from domain.errors import Corruption, Refusal
from services.container import Services
from services.errors import Unavailable
from services.matches.queries import Asker
from services.matches.requests import (
    AlreadyAnswered,
    ChangeRequest,
    NewMatch,
    Repeatable,
    StoredAnswer,
)
from services.replays import analysis
from services.replays.analysis import MOST_OF_VISITORS, Report
from services.store import analyses as store
from services.store.db.engine import run
from services.store.log import events as log
from tests.services.conftest import ON_SQLITE_ALONE
from tests.services.people import Table, table, together

LOCAL = Asker(local=True)
VISITOR = Asker()


@pytest.fixture(autouse=True)
def _few_positions(house: Services) -> None:
    few(house)


def few(house: Services) -> None:
    """Look at few positions for each."""
    house.analyses.budget = lambda _: 300


def walk(there: Table, *steps: int) -> Table:
    there.play(*({"steps": one} for one in steps))
    return there


@pytest.fixture
def over(house: Services) -> Table:
    """Give a match of four moves, which the first seat had won and then lost."""
    return walk(table(house).start("path-capture", {"length": 8}), 3, 3, 1)


def refused(call: Any) -> str:  # noqa: ANN401 - whatever is called
    with pytest.raises(Refusal) as refusal:
        call()
    return refusal.value.code


def made(house: Services, match: str) -> Report:
    while house.analyses.go_on(match):
        pass
    return house.analyses.show(LOCAL, match)


def test_a_match_is_analysed_position_by_position(house: Services, over: Table) -> None:
    first, _ = house.analyses.ask(Asker(over.first), over.match)
    assert (first.status, first.done, first.of, first.positions) == ("waiting", 0, 4, [])
    assert house.analyses.go_on(over.match)
    part = house.analyses.show(VISITOR, over.match)
    assert (part.status, part.done, len(part.positions)) == ("running", 1, 1)
    report = made(house, over.match)
    assert (report.status, report.done, report.of) == ("done", 4, 4)
    one, two, three, last = report.positions
    assert [each["version"] for each in report.positions] == [
        one["version"],
        one["version"] + 1,
        one["version"] + 2,
        one["version"] + 3,
    ]
    assert one["value"] == {"kind": "exact", "winner": 1, "margin": None, "plies": 3}
    assert (one["mark"], one["loss"], one["seat"]) == ("best", 0, 1)
    assert one["played"] == {"version": one["version"] + 1, "move": {"steps": 3}, "text": "+3"}
    assert [best["line"] for best in one["best"]] == [["+3", "+1", "+3"]]
    assert three["mark"] == "best"
    assert last["value"] == {"kind": "exact", "winner": 1, "margin": None, "plies": 0}
    assert (last["played"], last["best"], last["mark"], last["seat"]) == (None, [], None, None)
    assert two["truth"] is None


@ON_SQLITE_ALONE
def test_an_analysis_of_a_match_with_takebacks_is_of_the_moves_that_stand(
    house: Services,
) -> None:
    there = walk(table(house).start("path-capture", {"length": 9}), 1, 1, 1)
    before_second = there.version - 2
    there.act(1, "offer_takeback", to_version=before_second)
    there.act(2, "accept_takeback")
    back = there.version
    walk(there, 2)
    second = there.version
    walk(there, 1, 1)
    while there.shown().view.to_act:
        walk(there, 1)
    view = there.shown().view
    house.analyses.ask(VISITOR, there.match)
    report = made(house, there.match)
    assert report.of == len(report.positions) == view.ply + 1
    first, redone = report.positions[:2]
    assert first["played"]["version"] == before_second
    assert redone["version"] == back, "it stands from the takeback on"
    assert redone["played"] == {"version": second, "move": {"steps": 2}, "text": "+2"}
    assert [one["seat"] for one in report.positions[:3]] == [1, 2, 1]
    versions = [one["version"] for one in report.positions]
    assert versions == sorted(versions)


@ON_SQLITE_ALONE
def test_what_was_resigned_has_a_last_position_that_goes_on(house: Services) -> None:
    there = walk(table(house).start("path-capture", {"length": 8}), 1)
    there.act(1, "resign")
    house.analyses.ask(VISITOR, there.match)
    report = made(house, there.match)
    last = report.positions[-1]
    assert (last["version"], last["seat"]) == (there.version - 1, 2)
    assert last["value"]["winner"] == 2
    assert last["best"]
    assert (last["played"], last["loss"], last["mark"]) == (None, None, None)


def test_cards_are_judged_by_what_could_be_known_and_the_truth_stands_beside(
    house: Services,
) -> None:
    there = table(house).start("power-lines")
    for _ in range(3):
        seat = there.shown().view.to_act or 1
        legal = house.queries.list_legal_moves(
            Asker(there.player(seat)), there.match, limit=1
        ).moves
        there.play(legal[0]["move"])
    there.act(1, "resign")
    house.analyses.ask(VISITOR, there.match)
    report = made(house, there.match)
    assert report.status == "done"
    for one in report.positions:
        assert one["value"]["kind"] == "estimate"
        assert one["truth"]["value"]["kind"] == "estimate"
        assert one["best"][0]["text"]
    assert report.positions[0]["mark"]


@ON_SQLITE_ALONE
def test_a_running_a_private_and_an_unknown_match_are_not_analysed(house: Services) -> None:
    running = walk(table(house).start("path-capture"), 1)
    for do in (house.analyses.ask, house.analyses.show):
        for asker in (VISITOR, Asker(running.first), LOCAL):
            assert refused(lambda: do(asker, running.match)) == "match-not-over"  # noqa: B023
            assert refused(lambda: do(asker, "nosuchmatch00000")) == "not-found"  # noqa: B023
    private = table(house)
    new = NewMatch("path-capture", seat=1, opponent="brook", visibility="private")
    private.match = house.matches.create(ChangeRequest(private.first), new).shown.view.id
    house.matches.join(ChangeRequest(private.second), private.match)
    stranger = Asker(house.accounts.get_local_player("cleo").id)
    for _ in range(2):
        for do in (house.analyses.ask, house.analyses.show):
            for asker in (VISITOR, stranger):
                assert refused(lambda: do(asker, private.match)) == "not-found"  # noqa: B023
        if private.shown().view.to_act:
            private.act(1, "resign")
    report, _ = house.analyses.ask(Asker(private.second), private.match)
    assert report.status == "waiting"
    with house.database.read() as connection:
        assert store.find(connection, running.match) is None


@ON_SQLITE_ALONE
def test_an_aborted_match_is_not_analysed(house: Services) -> None:
    there = table(house).start("path-capture")
    there.act(1, "abort")
    assert refused(lambda: house.analyses.ask(VISITOR, there.match)) == "match-not-over"


@ON_SQLITE_ALONE
def test_before_anybody_has_asked_there_is_none(house: Services, over: Table) -> None:
    assert refused(lambda: house.analyses.show(VISITOR, over.match)) == "no-analysis"


def test_however_often_it_is_asked_for_it_is_made_once(house: Services, over: Table) -> None:
    askers = [Asker(over.first), Asker(over.second), VISITOR]
    asked = together(*[lambda one=one: house.analyses.ask(one, over.match) for one in askers * 2])
    assert all(isinstance(one, tuple) for one in asked)
    report = made(house, over.match)
    again, _ = house.analyses.ask(VISITOR, over.match)
    assert again == report
    with house.database.read() as connection:
        assert store.count_waiting(connection) == 0


def several(house: Services, number: int) -> list[Table]:
    found = []
    for _ in range(number):
        there = walk(table(house).start("path-capture", {"length": 8}), 1)
        there.act(1, "resign")
        found.append(there)
    return found


def test_a_caller_waits_for_one_before_the_next(house: Services) -> None:
    one, other = several(house, 2)
    house.analyses.ask(Asker(one.first), one.match)
    assert refused(lambda: house.analyses.ask(Asker(one.first), other.match)) == (
        "analysis-under-way"
    )
    house.analyses.ask(Asker(one.second), other.match)
    made(house, one.match)
    third = several(house, 1)[0]
    house.analyses.ask(Asker(one.first), third.match)


def test_of_one_caller_who_asks_for_many_at_once_one_gets_through(house: Services) -> None:
    tables = several(house, 4)
    asked = together(
        *[lambda one=one: house.analyses.ask(Asker(one.first), one.match) for one in tables]
    )
    assert sum(isinstance(one, tuple) for one in asked) == 1


def test_the_same_request_twice_at_once_is_answered_alike(
    house: Services, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = StoredAnswer(202, {}, b"{}")
    posting: Repeatable[Report] = Repeatable("key", "print", lambda _: answer)
    ask = partial(house.analyses.ask, Asker(over.first), over.match, posting)
    quicker, whole = [ask], store.take_turns

    def meanwhile(connection: Connection) -> None:
        # On SQLite nobody else writes within a transaction.
        if quicker and connection.dialect.name == "postgresql":
            quicker.pop()()
        whole(connection)

    monkeypatch.setattr(store, "take_turns", meanwhile)
    try:
        given = ask()[1]
    except AlreadyAnswered as before:
        given = before.answer
    assert given == answer


def test_a_full_queue_is_told(house: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = several(house, MOST_OF_VISITORS + 1)
    for there in tables[:-1]:
        house.analyses.ask(VISITOR, there.match)
    last = tables[-1]
    assert refused(lambda: house.analyses.ask(VISITOR, last.match)) == "too-many-analyses"
    house.analyses.ask(VISITOR, tables[0].match)
    house.analyses.ask(Asker(last.first), last.match)
    monkeypatch.setattr(analysis, "MOST_WAITING", MOST_OF_VISITORS + 1)
    more = several(house, 1)[0]
    assert refused(lambda: house.analyses.ask(Asker(more.second), more.match)) == (
        "too-many-analyses"
    )
    house.analyses.ask(LOCAL, more.match)


def test_who_holds_the_database_takes_no_place_of_the_visitors(house: Services) -> None:
    *tables, last = several(house, MOST_OF_VISITORS + 1)
    for there in tables:
        house.analyses.ask(LOCAL, there.match)
    assert house.analyses.ask(VISITOR, last.match)[0].status == "waiting"


def test_an_analysis_of_other_events_is_none_and_is_made_anew(house: Services, over: Table) -> None:
    """As behind a backup that was restored: what was found is of another history."""
    house.analyses.ask(VISITOR, over.match)
    made(house, over.match)
    with house.database.write() as connection:
        run(connection, "UPDATE analyses SET head = ?", ["0" * 64])
    assert refused(lambda: house.analyses.show(VISITOR, over.match)) == "no-analysis"
    asked, _ = house.analyses.ask(VISITOR, over.match)
    assert (asked.status, asked.positions) == ("waiting", [])


def test_a_look_goes_on_with_the_oldest_and_gives_way(house: Services) -> None:
    one, other = several(house, 2)
    for there in (one, other):
        house.analyses.ask(VISITOR, there.match)
    asked: list[bool] = []

    def busy() -> bool:
        asked.append(len(asked) < 2)
        return asked[-1]

    assert house.analyses.look(busy) == {"positions": 4}
    assert asked[:3] == [True, True, False]
    assert house.analyses.look() == {"positions": 0}
    for there in (one, other):
        assert house.analyses.show(VISITOR, there.match).status == "done"


def test_two_workers_keep_each_position_once(houses: tuple[Services, Services]) -> None:
    [there] = several(houses[0], 1)
    houses[0].analyses.ask(VISITOR, there.match)
    for one in houses:
        few(one)
    kept = together(*[lambda one=one: one.analyses.go_on(there.match) for one in houses])
    assert kept.count(True) >= 1
    for one in houses:
        made(one, there.match)
    with houses[0].database.read() as connection:
        assert len(store.list_found(connection, there.match)) == 2
    assert houses[1].analyses.show(VISITOR, there.match).done == 2


def test_what_a_slower_worker_found_is_not_kept_again(houses: tuple[Services, Services]) -> None:
    first, second = houses
    [there] = several(first, 1)
    first.analyses.ask(VISITOR, there.match)
    with first.database.read() as connection:
        row = store.find(connection, there.match)
    assert row is not None
    few(second)
    assert second.analyses.go_on(there.match)
    with first.database.write() as connection:
        assert not store.go_on(connection, row, "{}")
    assert "version" in made(second, there.match).positions[0]


CUT_OFF = """
import os, sys
from services.container import Services
from services.runtime.settings import Settings
from services.replays import analysis
house = Services(Settings(database_url=sys.argv[1]))
house.analyses.budget = lambda _: 300
assert house.analyses.go_on(sys.argv[2])
whole = analysis.analyse
def cut_off(*args):
    whole(*args)
    os.kill(os.getpid(), 9)
analysis.analyse = cut_off
house.analyses.go_on(sys.argv[2])
"""


def test_a_crash_in_the_middle_is_caught_up(house: Services, over: Table) -> None:
    house.analyses.ask(Asker(over.first), over.match)
    done = subprocess.run(
        [sys.executable, "-c", CUT_OFF, house.database.url, over.match], check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert house.analyses.show(VISITOR, over.match).done == 1
    assert house.analyses.look() == {"positions": 3}
    crashed = house.analyses.show(VISITOR, over.match)
    assert crashed.status == "done"
    with house.database.write() as connection:
        run(connection, "DELETE FROM analysed_positions", [])
        run(connection, "DELETE FROM analyses", [])
    house.analyses.ask(VISITOR, over.match)
    assert made(house, over.match) == crashed


def test_an_analysis_of_another_engine_stands_until_it_is_asked_for_again(
    house: Services, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.analyses.ask(VISITOR, over.match)
    old = made(house, over.match)
    monkeypatch.setattr(analysis, "ENGINE", "next")
    shown = house.analyses.show(VISITOR, over.match)
    assert shown == old
    assert not shown.current
    asked, _ = house.analyses.ask(VISITOR, over.match)
    assert (asked.status, asked.engine, asked.positions) == ("waiting", "next", [])
    assert made(house, over.match).current


def test_one_that_another_engine_has_begun_begins_anew(
    house: Services, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.analyses.ask(VISITOR, over.match)
    assert house.analyses.go_on(over.match)
    monkeypatch.setattr(analysis, "ENGINE", "next")
    assert house.analyses.look() == {"positions": 4}
    assert house.analyses.show(VISITOR, over.match).engine == "next"


def test_one_that_fails_holds_up_no_other_and_may_be_asked_for_again(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = several(house, 2)
    for there in (one, other):
        house.analyses.ask(VISITOR, there.match)
    broken, whole = one.match, analysis.analyse_position

    def found(match: Any, *others: Any) -> Any:  # noqa: ANN401 - passed on
        if match.id == broken:
            raise ValueError("a defect")
        return whole(match, *others)

    monkeypatch.setattr(analysis, "analyse_position", found)
    house.analyses.look()
    assert house.analyses.show(VISITOR, one.match).status == "failed"
    assert house.analyses.show(VISITOR, other.match).status == "done"
    monkeypatch.undo()
    few(house)
    house.analyses.ask(VISITOR, one.match)
    assert made(house, one.match).status == "done"


def test_a_match_that_cannot_be_read_any_more_holds_up_no_other(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = several(house, 2)
    for there in (one, other):
        house.analyses.ask(VISITOR, there.match)
    repository = house.analyses.queries.repository
    broken, whole = one.match, repository.load

    def load(connection: Connection, match: str) -> Any:  # noqa: ANN401 - passed on
        if match == broken:
            raise Corruption("a defect")
        return whole(connection, match)

    monkeypatch.setattr(repository, "load", load)
    house.analyses.look()
    monkeypatch.undo()
    assert house.analyses.show(VISITOR, one.match).status == "failed"
    assert house.analyses.show(VISITOR, other.match).status == "done"


def test_a_database_that_is_away_for_a_moment_fails_no_analysis(
    house: Services, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.analyses.ask(VISITOR, over.match)

    def away(*_: object) -> None:
        raise Unavailable("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(log, "load", away)
        with pytest.raises(Unavailable):
            house.analyses.look()
    assert made(house, over.match).status == "done"


@ON_SQLITE_ALONE
def test_a_match_without_moves_is_analysed(house: Services) -> None:
    there = table(house).start("path-capture")
    there.act(1, "resign")
    house.analyses.ask(VISITOR, there.match)
    assert len(made(house, there.match).positions) == 1


def test_a_rebuild_leaves_analyses_alone(house: Services, over: Table) -> None:
    house.analyses.ask(VISITOR, over.match)
    before = made(house, over.match)
    for _ in house.rebuilding.run(anew=True):
        pass
    assert house.analyses.show(VISITOR, over.match) == before
