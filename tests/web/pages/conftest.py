"""Visitors of pages, matches for them to look at, and two players in real browsers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser as Chromium

from domain.json_types import JsonObject
from services.container import Services
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, CommandResult, NewMatch
from tests.services.people import chosen
from tests.web.pages.browsing import Browser, Pair
from tests.web.pages.chromium import Site, serving, started
from tests.web.pages.seats import Keyed, Seated, Table

if TYPE_CHECKING:
    from tests.web.pages.furnishing import FurnishedFile


class Players:
    """Two players who start matches and play moves, straight through the services."""

    def __init__(self, house: Services) -> None:
        self.house = house
        self.ids = [house.accounts.get_local_player(name).id for name in ("ada", "bob")]

    def create(self, game: str = "path-capture", **more: object) -> str:
        """Create a match with ada on seat 1; return its id."""
        new = NewMatch(game, seat=1, **more)  # type: ignore[arg-type]
        return self.house.matches.create(self._request(1), new).shown.view.id

    def start(self, game: str = "path-capture", *moves: JsonObject, **more: object) -> str:
        """Create a match, let bob join, and play moves; return its id."""
        match = self.create(game, **more)
        self.house.matches.join(self._request(2), match)
        self.play(match, *moves)
        return match

    def play(self, match: str, *moves: JsonObject) -> None:
        """Play moves, each by the seat to act."""
        for move in moves:
            self.house.matches.play(self._request(self._to_act(match)), match, move)

    def play_on(self, match: str, most: int, choose: Callable[[Sequence[object]], int]) -> None:
        """Play legal moves by their number in the list, until the end or ``most`` moves."""
        for _ in range(most):
            if not self._to_act(match):
                return
            self.play(match, chosen(self.house, match, choose))

    def resign(self, match: str, seat: int) -> CommandResult:
        """Let a seat resign."""
        return self.house.matches.act(self._request(seat), match, Action("resign"))

    def abort(self, match: str, seat: int) -> CommandResult:
        """Let a seat abort."""
        return self.house.matches.act(self._request(seat), match, Action("abort"))

    def _to_act(self, match: str) -> int:
        return self.house.queries.show(Asker(), match).view.to_act or 0

    def _request(self, seat: int) -> ChangeRequest:
        return ChangeRequest(self.ids[seat - 1], any_version=True)


@pytest.fixture
def players(house: Services) -> Players:
    """Give two players."""
    return Players(house)


@pytest.fixture
def visitor(app: Flask) -> FlaskClient:
    """Give somebody with a browser, of sorts."""
    return app.test_client()


@pytest.fixture
def somebody(app: Flask) -> Browser:
    """Give a browser in which nobody is logged in."""
    return Browser(app)


@pytest.fixture
def cora(app: Flask) -> Browser:
    """Give the browser of a player who is logged in."""
    return Browser(app).register("cora")


@pytest.fixture
def dan(app: Flask) -> Browser:
    """Give the browser of another player."""
    return Browser(app).register("dan")


@pytest.fixture
def pair(cora: Browser, dan: Browser, house: Services) -> Pair:
    """Give both of these players at one table."""
    ids = [player.id for name in ("cora", "dan") if (player := house.accounts.find(name))]
    return Pair(house, (cora, dan), (ids[0], ids[1]))


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Chromium]:
    """Start Chromium once; whoever tests opens windows with cookies of their own."""
    with started(chromium) as found:
        yield found


@pytest.fixture(scope="module")
def site(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve an empty service."""
    with serving(sqlite_template, tmp_path_factory.mktemp("site") / "site.sqlite") as found:
        yield found


@pytest.fixture(scope="module")
def table(browser: Chromium, site: Site) -> Iterator[Table]:
    """Give two players who have real browsers."""
    found = Table(site, Seated(browser, site, "ada"), Keyed(browser, site, "ben"))
    yield found
    for one in found.players():
        one.context.close()


@pytest.fixture(scope="session")
def furnished_whole(
    sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> FurnishedFile:
    """Give a database with something on every page, made once for all workers of xdist."""
    from tests.web.pages.furnishing import furnished_file

    folder = tmp_path_factory.getbasetemp()
    shared = "PYTEST_XDIST_WORKER" in os.environ
    return furnished_file(sqlite_template, folder.parent if shared else folder)
