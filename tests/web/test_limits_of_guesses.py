"""Guesses at passwords are limited wherever one is asked for, and lock no player out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count

import pytest
from flask import Flask
from sqlalchemy import inspect, text

from services.container import Services
from services.runtime.settings import Settings
from tests.support.games import test_games
from tests.web.pages.browsing import Browser
from tests.web.people import PASSWORD
from web.app import create_app

WRONG = "a guess that fails"
MOST = 3
HOME, PHONE, ABROAD = "192.0.2.1", "2001:db8:7:8::1", "198.51.100.9"

_numbers = count(1)


ON_BOTH_DATABASES = True


class Clock:
    def __init__(self) -> None:
        self.time = datetime(2026, 11, 27, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def start(settings: Settings, clock: Clock) -> Iterator[Callable[[], Flask]]:
    """Give what starts a process that serves; all of them have the same database."""
    houses: list[Services] = []

    def begin() -> Flask:
        limits = replace(settings, rate_limit=10_000, sign_up_limit=0, log_in_limit=MOST)
        houses.append(Services(limits, games=test_games(), now=clock))
        return create_app(houses[-1])

    yield begin
    for house in houses:
        house.close()


def elsewhere() -> str:
    """Return an address that nobody has had."""
    return f"203.0.113.{next(_numbers)}"


class Seat:
    """A machine at an address, with a browser and perhaps a token."""

    def __init__(self, app: Flask, address: str) -> None:
        self.browser = Browser(app)
        self.client = self.browser.client
        self.client.environ_base["REMOTE_ADDR"] = address
        self.token = ""

    def page(self, password: str, name: str = "ada") -> int:
        return self.browser.log_in(name, password).status_code

    def api(self, password: str, name: str = "ada") -> int:
        asked = {"name": name, "password": password, "label": "x"}
        answer = self.client.post("/api/v1/tokens", json=asked)
        self.token = (answer.json or {}).get("token", self.token)
        return answer.status_code

    def change(self, current: str, new: str = PASSWORD) -> int:
        given = {"current": current, "password": new, "again": new}
        return self.browser.send("/account", "/account/password", **given).status_code

    def issue(self, password: str) -> int:
        form = self.browser.form("/account", "/account/tokens")
        typed = {"label": ["x"], "password": [password]}
        return self.browser.post("/account/tokens", {**form, **typed}).status_code

    def leave(self, password: str) -> int:
        form = self.browser.form("/account", "/account/close")
        typed = {"sure": ["1"], "password": [password]}
        return self.browser.post("/account/close", {**form, **typed}).status_code


@pytest.fixture
def at_home(start: Callable[[], Flask]) -> Seat:
    """Give ada's own machine, on which she signs up."""
    seat = Seat(start(), HOME)
    seat.browser.sign_up("ada")
    return seat


def guess_on(app: Flask) -> None:
    """Guess as often as one may from elsewhere, and once more."""
    guesses = [Seat(app, elsewhere()).api(WRONG) for _ in range(MOST + 1)]
    assert guesses == [401] * MOST + [429]


@pytest.mark.usefixtures("at_home")
def test_guesses_from_elsewhere_do_not_lock_out_where_the_player_got_in(
    start: Callable[[], Flask],
) -> None:
    """Also after a restart, and in another process."""
    assert Seat(start(), PHONE).api(PASSWORD) == 201
    app = start()
    guess_on(app)
    assert Seat(app, ABROAD).api(PASSWORD) == 429
    assert Seat(app, ABROAD).page(PASSWORD) == 429
    assert Seat(app, HOME).page(PASSWORD) == 303
    assert Seat(app, "2001:db8:7:8:ffff::2").api(PASSWORD) == 201
    assert Seat(app, "2001:db8:7:9::1").api(PASSWORD) == 429


@pytest.mark.usefixtures("at_home")
def test_guesses_from_where_the_player_got_in_are_limited_too(start: Callable[[], Flask]) -> None:
    app = start()
    assert [Seat(app, HOME).page(WRONG) for _ in range(MOST + 1)] == [401] * MOST + [429]
    assert Seat(app, ABROAD).api(PASSWORD) == 201


def test_a_player_with_a_session_gets_in_from_anywhere(
    start: Callable[[], Flask], at_home: Seat
) -> None:
    app = start()
    cookie = at_home.client.get_cookie("plybook")
    assert cookie is not None
    guess_on(app)
    acts: tuple[Callable[[Seat, str], int], ...] = (Seat.change, Seat.issue, Seat.leave)
    for number, act in enumerate(acts):
        roaming = Seat(app, f"198.51.100.{number}")
        roaming.client.set_cookie("plybook", cookie.value)
        assert act(roaming, PASSWORD) in (200, 303), number
        # Who changes the password goes on by another session.
        cookie = roaming.client.get_cookie("plybook") or cookie


@pytest.mark.parametrize("act", [Seat.change, Seat.issue, Seat.leave])
def test_who_has_a_session_or_a_token_guesses_no_more_often(
    start: Callable[[], Flask], at_home: Seat, act: Callable[[Seat, str], int]
) -> None:
    """Whoever took it may have many addresses; the player goes on with another one."""
    assert at_home.api(PASSWORD) == 201
    cookie = at_home.client.get_cookie("plybook")
    assert cookie is not None
    app = start()

    def thief() -> Seat:
        seat = Seat(app, elsewhere())
        seat.client.set_cookie("plybook", cookie.value)
        seat.token = at_home.token
        return seat

    assert [act(thief(), WRONG) for _ in range(MOST + 1)] == [401] * MOST + [429]
    assert act(thief(), PASSWORD) == 429
    home = Seat(app, HOME)
    assert home.page(PASSWORD) == 303
    assert home.change(PASSWORD) == 303
    assert home.leave(PASSWORD) == 303


def test_an_address_is_known_for_90_days(
    start: Callable[[], Flask], at_home: Seat, clock: Clock
) -> None:
    clock.time += timedelta(days=60)
    assert at_home.page(PASSWORD) == 303
    clock.time += timedelta(days=89)
    app = start()
    guess_on(app)
    assert Seat(app, HOME).api(WRONG) == 401
    clock.time += timedelta(days=2)
    assert Seat(app, HOME).api(PASSWORD) == 429


def everything(house: Services) -> dict[str, list[str]]:
    with house.database.read() as connection:
        names = inspect(connection).get_table_names()
        found = {name: connection.execute(text(f'SELECT * FROM "{name}"')).all() for name in names}
    return {name: list(map(str, rows)) for name, rows in found.items()}


def test_no_address_is_kept_but_as_a_keyed_hash_and_none_for_longer(
    start: Callable[[], Flask], at_home: Seat, house: Services, clock: Clock
) -> None:
    Browser(at_home.client.application).sign_up("ben")
    known = everything(house)["known_addresses"]
    assert len(known) == 2
    kept = str(everything(house))
    for plain in (HOME, f"ada\0{HOME}", f"ada{HOME}", f"ada {HOME}"):
        assert plain not in kept
        assert sha256(plain.encode()).hexdigest() not in kept
    house.closing.close("ben")
    assert len(everything(house)["known_addresses"]) == 1
    clock.time += timedelta(days=91)
    sweeper = Services(house.settings, now=clock)
    sweeper.sweeping.sweep()
    sweeper.close()
    assert everything(house)["known_addresses"] == []
    assert Seat(start(), HOME).page(PASSWORD) == 303


@pytest.mark.usefixtures("at_home")
def test_names_that_there_are_not_are_limited_like_those_that_there_are(
    start: Callable[[], Flask],
) -> None:
    app = start()
    told = {
        name: [Seat(app, elsewhere()).api(WRONG, name) for _ in range(MOST + 2)]
        for name in ("ada", "nobody", "ADA2")
    }
    assert set(map(tuple, told.values())) == {(401,) * MOST + (429,) * 2}
    seat = Seat(app, HOME)
    assert [seat.api(WRONG, name) for name in ("\ud800", "no body", "x" * 300)] == [400, 401, 400]
