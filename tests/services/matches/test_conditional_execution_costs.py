"""Whether lines are stored, and how many, makes no difference to whoever does something else."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product
from types import FrameType
from typing import Any

import pytest

from domain.json_types import JsonObject
from services.container import Services
from services.matches.actions import Action
from services.matches.requests import ChangeRequest
from tests.services.matches.lines import keep, kept, line, told
from tests.services.people import Table, table

LINES = (0, 1, 90)

CELLS = [*product((1, 2, 3), (1, 2, 3))]

PLAYED: JsonObject = {"unit": 9, "row": 1, "column": 1}


def placed(unit: int, cell: tuple[int, int]) -> JsonObject:
    return {"unit": unit, "row": cell[0], "column": cell[1]}


def answered(units: range, mine: int, taken: set[tuple[int, int]]) -> Iterator[JsonObject]:
    """Yield lines that begin with moves that are not made, each with an answer."""
    free = [cell for cell in CELLS if cell not in taken]
    for unit, cell in product(units, free):
        yield line(placed(unit, cell), placed(mine, next(one for one in free if one != cell)))


def others(number: int) -> list[JsonObject]:
    """Return so many lines; what does not fit side by side follows on the first one."""
    lines = [*islice(answered(range(1, 9), 1, set()), number)]
    taken = {(1, 1), (1, 2)}
    lines[0]["next"] = [*islice(answered(range(2, 9), 2, taken), number - len(lines))]
    return lines


def counted(there: Table, do: Callable[[Table], object]) -> Counter[str]:
    """Do something, and count what is called in this thread until it is answered."""
    calls: Counter[str] = Counter()

    def note(frame: FrameType, kind: str, value: Any) -> None:  # noqa: ANN401 - as Python has it
        if kind == "call":
            calls[frame.f_code.co_name] += 1
        elif kind == "c_call":
            calls[value.__name__] += 1

    sys.setprofile(note)
    try:
        do(there)
    finally:
        sys.setprofile(None)
    return calls


def play(there: Table) -> object:
    return there.play(PLAYED)


def offer(there: Table) -> object:
    """Offer a draw, which nobody's lines say anything of."""
    return there.act(1, "offer_draw")


def give(there: Table) -> object:
    request = ChangeRequest(there.first, there.version)
    return there.house.matches.act(request, there.match, Action("give_time", hours=1))


LAPSED = {play: [("lapsed", "other-move")]}


@pytest.fixture(params=[play, offer, give])
def costs(house: Services, request: pytest.FixtureRequest) -> dict[int, Counter[str]]:
    """Give what a move calls, or another deed, by how many lines are stored that it does not meet.

    What does not meet them lets them lapse if it is a move, and nothing else does.
    """
    found: dict[int, Counter[str]] = {}
    # The first few times something is kept for later, and the driver prepares what comes often, for
    # each connection: the least that it comes to is told.
    for number in LINES * 6:
        there = table(house).start("grid-power", pace={"days_per_move": 3})
        if number:
            keep(there, 2, *others(number))
        calls = counted(there, request.param)
        found[number] = min(found.get(number, calls), calls, key=Counter.total)
        lapsed = LAPSED.get(request.param, [])
        assert told(there, 2) == (lapsed if number else [])
        assert bool(kept(there, 2).kept.lines) is (number > 0 and not lapsed)
    return found


def test_the_statements_are_the_same(costs: dict[int, Counter[str]]) -> None:
    names = ("execute", "executemany", "commit", "begin", "fetchall", "fetchone")
    statements = [[costs[number][name] for name in names] for number in LINES]
    assert statements[0][0] > 0
    assert statements[0] == statements[1] == statements[2]


def test_the_calls_are_the_same(costs: dict[int, Counter[str]]) -> None:
    none, one, ninety = (costs[number] for number in LINES)
    assert one == ninety
    # That something is to be settled later is noted.
    assert 0 <= one.total() - none.total() <= none.total() // 100
