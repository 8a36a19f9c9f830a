"""The way of one move through our files, from the POST to its answer, traced as it goes."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

from services.accounts import accounts
from services.runtime.settings import Settings
from tests.web.people import Answer, Person

ROOT = Path(__file__).parents[2]

WARM = 4
"""Moves that are made before one is traced."""

MOST = 30
"""Files that somebody who follows a move has to open."""

WAY_IN = ("web", "services/accounts", "services/matches", "domain", "services/store")
"""Who asks; what; what comes of it; written. No room is entered again before the commit."""

WAY_OUT = ("services/runtime", "services/accounts", "domain", "services/matches", "domain")
"""Behind the commit: who waits is woken, and the answer is made: names, a view, and its JSON."""


class Way:
    """The functions of ours that were entered: each its file, and the file that called it."""

    def __init__(self) -> None:
        self.steps: list[tuple[str | None, str]] = []

    def note(self, frame: FrameType, happened: str, _: object) -> None:
        """Be what the interpreter calls for each function."""
        file = _ours(frame)
        if happened != "call" or file is None:
            return
        caller = frame.f_back
        while caller is not None and _ours(caller) is None:
            caller = caller.f_back
        self.steps.append((None if caller is None else _ours(caller), file))

    @property
    def files(self) -> list[str]:
        """The files, each once."""
        return sorted({file for _, file in self.steps})

    @property
    def rooms(self) -> Iterator[str]:
        """Yield the rooms in the order in which they are entered."""
        last = None
        for caller, file in self.steps:
            room = _room(file)
            if (caller is None or _room(caller) != room) and room != last:
                yield room
                last = room


def _ours(frame: FrameType) -> str | None:
    path = Path(frame.f_code.co_filename)
    if not path.is_relative_to(ROOT):
        return None
    file = path.relative_to(ROOT)
    return str(file) if file.parts[0] in ("cli", "domain", "services", "web") else None


def _room(file: str) -> str:
    first, second, *_ = file.split("/")
    return f"{first}/{second}" if first == "services" else first


@pytest.fixture
def settings(url_at_head: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Give the settings of a server as it is, with its limits; its tokens stay known for long."""
    monkeypatch.setattr(accounts, "SECONDS", 3_600)
    monkeypatch.setattr(accounts, "NAMES_FOR", 3_600)
    return Settings(database_url=url_at_head)


@pytest.fixture
def way(ada: Person, bob: Person) -> Way:
    """Give the way of a move in a match in which some have been made already."""
    match = ada.start(bob, "power-line", options={"length": 21, "nodes": 3, "energy": 9})
    address, way = f"/matches/{match['id']}/moves", Way()
    for number in range(WARM + 1):
        mover = (ada, bob)[ada.look(match)["to_act"] - 1]
        body, version = {"move": mover.legal(match)[0]["move"]}, mover.look(match)["version"]
        post = partial(mover.post, address, body, version=version)
        answer = _traced(way, post) if number == WARM else post()
        assert answer.status_code == 201, answer.text
    return way


def _traced(way: Way, post: Callable[[], Answer]) -> Answer:
    before = sys.getprofile()
    sys.setprofile(way.note)
    try:
        return post()
    finally:
        sys.setprofile(before)


def test_a_move_passes_few_files(way: Way) -> None:
    assert len(way.files) <= MOST, "\n".join([f"{len(way.files)} files:", *way.files])


def test_a_move_goes_through_the_rooms_in_order(way: Way) -> None:
    assert tuple(way.rooms) == WAY_IN + WAY_OUT
