"""Thinking: behind all others; writing is not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import get_native_id
from typing import Any

import pytest

from services.container import Services
from services.matches.queries import Asker
from services.puzzles import finder
from services.replays import analysis
from services.runtime.low_priority import make_thinker
from services.store import analyses
from tests.services.people import Table, table

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="threads have no niceness of their own"
)


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, get_native_id())


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], set[int]]:
    """Return what notes how nice those are who call a function."""

    def noting(module: Any, name: str) -> set[int]:  # noqa: ANN401 - any module
        noted, as_it_is = set[int](), getattr(module, name)

        def note(*given: Any) -> Any:  # noqa: ANN401 - as it is
            noted.add(niceness())
            return as_it_is(*given)

        monkeypatch.setattr(module, name, note)
        return noted

    return noting


@pytest.fixture
def over(house: Services) -> Table:
    there = table(house).start("path-capture", {"length": 8})
    there.play({"steps": 3}, {"steps": 3}, {"steps": 1})
    return there


def test_it_is_ten_steps_nicer_than_who_asks_and_one_at_a_time() -> None:
    usual, threads = niceness(), set[int]()
    with make_thinker("thinks") as ours:
        nicer = {one.result() for one in [ours.submit(niceness) for _ in range(9)]}
        threads = {one.result() for one in [ours.submit(get_native_id) for _ in range(9)]}
    assert nicer == {min(19, usual + 10)}
    assert len(threads) == 1
    assert niceness() == usual


def test_an_analysis_thinks_behind_others_and_is_written_as_usual(
    house: Services, over: Table, found: Callable[[Any, str], set[int]]
) -> None:
    house.analyses.budget = lambda _: 100
    house.analyses.ask(Asker(local=True), over.match)
    thinks, writes = found(analysis, "analyse_position"), found(analyses, "go_on")
    assert house.analyses.go_on(over.match)
    assert (thinks, writes) == ({min(19, niceness() + 10)}, {niceness()})


def test_puzzles_are_proven_behind_others_and_written_as_usual(
    house: Services, over: Table, found: Callable[[Any, str], set[int]]
) -> None:
    proves, writes = found(finder, "row_of"), found(finder.PuzzleFinder, "_keep")
    searched = house.puzzle_finder.search_match(over.match)
    assert searched is not None
    assert searched.found
    assert (proves, writes) == ({min(19, niceness() + 10)}, {niceness()})
