"""Conditional moves outlive restarts, and meet what others do at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest

from domain.conditional import Line
from services import answering
from services.conditionals import Change
from services.matches import Request
from services.settings import Settings
from services.store import conditional, readmodels
from services.wiring import wire
from tests.services.conditionals.lines import (
    ONE,
    THREE,
    TWO,
    keep,
    kept,
    line,
    moves,
    told,
)
from tests.services.people import Table
from tests.support.games import test_games


def test_lines_survive_a_restart(long: Table, migrated_url: str) -> None:
    keep(long, 2, line(ONE, TWO))
    again = wire(Settings(database_url=migrated_url), games=test_games())
    done = again.matches.play(Request(long.first, long.version), long.match, ONE)
    assert [event["data"]["cause"] for event in done.events] == ["player", "conditional"]
    again.close()


def test_lines_that_another_process_stored_are_not_missed(long: Table, migrated_url: str) -> None:
    other = wire(Settings(database_url=migrated_url), games=test_games())
    for steps in (ONE, TWO, THREE):
        change = Change(long.second, kept(long, 2).kept.version, long.version)
        other.conditionals.replace(change, long.match, [line(steps, ONE)])
        # This process remembers the match, and nothing tells it of the lines.
        assert len(long.play(steps).events) == 2
    other.close()


def test_lines_that_are_being_stored_are_waited_for(long: Table) -> None:
    """The move begins before they are committed, and cannot see them but by the match's row."""
    house = long.house
    request = Request(long.first, long.version)
    kept_lines = (Line(ONE, (TWO,)),)
    lines = conditional.Kept(long.match, 2, 1, long.version, kept_lines, "2026-11-27")
    with ThreadPoolExecutor(1) as pool:
        with house.database.write() as connection:
            readmodels.get(connection, long.match, lock=True)
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
    through = answering._Following.through  # noqa: SLF001 - a moment between two steps

    def slowly(following: Any, appended: Any) -> Any:  # noqa: ANN401 - handed on as they are
        if kept(long, 2).kept.version == 1:
            keep(long, 2, line(ONE, THREE))
        return through(following, appended)

    monkeypatch.setattr(answering._Following, "through", slowly)  # noqa: SLF001 - as above
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
