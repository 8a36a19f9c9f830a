"""Conditional moves outlive restarts, and meet what others do at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest

from domain.match.conditional_moves import Line
from services.container import Services
from services.matches.conditional_moves import execution as conditional_execution
from services.matches.conditional_moves.plans import ConditionalMovesChange
from services.matches.requests import ChangeRequest
from services.runtime.settings import Settings
from services.store import conditional_moves as conditional
from services.store import matches as readmodels
from tests.services.matches.lines import ONE, THREE, TWO, keep, kept, line, moves, told
from tests.services.people import Table, table
from tests.support.games import test_games


def test_lines_survive_a_restart(long: Table, migrated_url: str) -> None:
    keep(long, 2, line(ONE, TWO))
    again = Services(Settings(database_url=migrated_url), games=test_games())
    done = again.matches.play(ChangeRequest(long.first, long.version), long.match, ONE)
    assert [event["data"]["cause"] for event in done.events] == ["player", "conditional"]
    again.close()


def test_lines_that_another_process_stored_are_not_missed(long: Table, migrated_url: str) -> None:
    other = Services(Settings(database_url=migrated_url), games=test_games())
    for steps in (ONE, TWO, THREE):
        change = ConditionalMovesChange(long.second, kept(long, 2).kept.version, long.version)
        other.conditional_moves.replace(change, long.match, [line(steps, ONE)])
        # This process remembers the match, and nothing tells it of the lines.
        assert len(long.play(steps).events) == 2
    other.close()


def test_lines_that_are_being_stored_are_waited_for(long: Table) -> None:
    """The move begins before they are committed, and cannot see them but by the match's row."""
    house = long.house
    request = ChangeRequest(long.first, long.version)
    kept_lines = (Line(ONE, (TWO,)),)
    lines = conditional.StoredConditionalMoves(
        long.match, 2, 1, long.version, kept_lines, "2026-11-27"
    )
    with ThreadPoolExecutor(1) as pool:
        with house.database.write() as connection:
            readmodels.find(connection, long.match, lock=True)
            conditional.save(connection, lines)
            conditional.flag(connection, long.match)
            moving = pool.submit(house.matches.play, request, long.match, ONE)
            # So long that the move has come to where it waits.
            assert not wait([moving], 0.5).done
        assert len(moving.result(20).events) == 2


def test_lines_that_change_while_they_are_followed_are_followed_anew(
    long: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(long, 2, line(ONE, ONE))
    through = conditional_execution._Following.follow  # noqa: SLF001 - a moment between two steps

    def slowly(*given: Any) -> Any:  # noqa: ANN401 - handed on as they are
        if kept(long, 2).kept.version == 1:
            keep(long, 2, line(ONE, THREE))
        return through(*given)

    monkeypatch.setattr(conditional_execution._Following, "follow", slowly)  # noqa: SLF001 - as above
    long.play(ONE)
    assert moves(long) == [(1, 1, "player"), (2, 3, "conditional")]
    assert told(long, 2) == [("fired", None)]


def test_lines_are_not_missed_when_the_lists_are_made_anew(long: Table) -> None:
    keep(long, 2, line(ONE, TWO))
    with long.house.database.write() as connection:
        readmodels.delete(connection)
    assert len(long.play(ONE).events) == 2
    assert long.house.audits.verify(long.match).holds


def test_lines_may_be_stored_when_the_lists_are_made_anew(long: Table) -> None:
    with long.house.database.write() as connection:
        readmodels.delete(connection)
    keep(long, 2, line(ONE, TWO))
    assert len(long.play(ONE).events) == 2


def stop_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process do what follows on a move as one that is killed behind it: not at all."""
    monkeypatch.setattr(conditional_execution.ConditionalExecution, "settle_later", lambda *_: None)


def pass_by(at: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store lines that answer a move, when it has been found out that those before do not."""
    stop_settling(monkeypatch)
    keep(at, 2, line(TWO, ONE))
    look = conditional.look

    def slowly(*asked: Any) -> Any:  # noqa: ANN401 - handed on as they are
        found = look(*asked)
        if kept(at, 2).kept.version == 1:
            keep(at, 2, line(ONE, THREE))
        return found

    monkeypatch.setattr(conditional, "look", slowly)
    at.play(ONE)
    monkeypatch.setattr(conditional, "look", look)
    assert moves(at) == [(1, 1, "player")]


def test_an_account_can_be_closed_while_lines_are_to_be_settled(
    long: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_settling(monkeypatch)
    keep(long, 2, line(ONE, TWO))
    long.play(THREE)
    long.house.closing.close("brook")
    assert long.shown().view.status == "finished"
    assert told(long, 2) == [("lapsed", "other-move")]
    assert long.house.audits.verify(long.match).holds


@pytest.mark.parametrize("seat", [1, 2])
def test_a_vacation_can_begin_while_lines_are_to_be_settled(
    house: Services, monkeypatch: pytest.MonkeyPatch, seat: int
) -> None:
    at = table(house).start(options={"length": 41}, pace={"days_per_move": 3})
    stop_settling(monkeypatch)
    keep(at, 2, line(ONE, TWO))
    at.play(THREE)
    house.vacations.take(at.player(seat), 2)
    assert told(at, 2) == [("lapsed", "other-move")]
    assert house.audits.verify(at.match).holds


def test_a_move_is_answered_at_once_though_offers_before_it_are_to_be_settled(
    long: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_settling(monkeypatch)
    keep(long, 2, line(ONE, TWO))
    long.act(1, "offer_draw")
    long.act(1, "decline_draw")
    assert len(long.play(ONE).events) == 2
    assert told(long, 2)[0] == ("fired", None)
    assert long.house.audits.verify(long.match).holds


def test_lines_that_a_move_has_met_on_its_way_are_answered_behind_what_comes_next(
    long: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    pass_by(long, monkeypatch)
    long.act(2, "offer_draw")
    kept(long, 2)
    assert moves(long) == [(1, 1, "player"), (2, 3, "conditional")]
    assert told(long, 2) == [("fired", None)]
    assert long.house.audits.verify(long.match).holds


def test_who_waits_is_told_of_an_answer_that_comes_of_a_look_at_lines(
    long: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    pass_by(long, monkeypatch)
    ear = long.house.notifier.listen(long.first)
    kept(long, 2)
    assert moves(long) == [(1, 1, "player"), (2, 3, "conditional")]
    assert ear.wait(5)
