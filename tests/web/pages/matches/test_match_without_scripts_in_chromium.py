"""Two people play in real browsers, without a script: one clicks, one has a keyboard only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect
from typing_extensions import override

from services.matches.queries import Asker
from services.matches.requests import ChangeRequest
from tests.web.pages.chromium import PATIENCE, Site
from tests.web.pages.seats import WHOLE
from tests.web.people import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DECK = "4 " * 13 + "9 " * 13
"""Cards that are free, and cards that cost two others."""


class Person:
    """Somebody with a window of their own, in which no script runs."""

    def __init__(self, browser: Browser, url: str, name: str) -> None:
        self.url = url
        self.name = name
        self.context = browser.new_context(java_script_enabled=False)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)

    def sign_up(self) -> None:
        """Sign up by the form."""
        self.open("/sign-up")
        self.page.get_by_label("Name", exact=True).fill(self.name)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.get_by_label("Password again").fill(PASSWORD)
        self.press("Sign up")

    def open(self, address: str) -> None:
        """Go to an address."""
        self.page.goto(self.url + address)

    def press(self, name: str) -> None:
        """Press the first button of the page that is called so."""
        with self.page.expect_navigation():
            self.page.locator("main").get_by_role("button", name=name, exact=True).first.click()

    def follow(self, name: str) -> None:
        """Follow the first link that is called so."""
        with self.page.expect_navigation():
            self.page.get_by_role("link", name=name).first.click()

    def is_to_move(self) -> bool:
        """Look at the page anew, and say whether one is to move."""
        self.page.goto(self.page.url.partition("?")[0].partition("#")[0])
        return self.page.get_by_role("heading", name="Your turn").count() == 1

    def step(self, name: str) -> None:
        """Choose a step on the board or in the hand, where it is drawn."""
        with self.page.expect_navigation():
            self.page.locator(".picture a.way").filter(has_text=name).first.click()

    def confirm(self) -> None:
        """Play the move that is shown."""
        self.press("Play this move")


class Keyboard(Person):
    """Somebody who has no mouse."""

    @override
    def press(self, name: str) -> None:
        self._go_to("button", name)
        self._enter()

    @override
    def follow(self, name: str) -> None:
        self._go_to("a", name)
        self._enter()

    @override
    def step(self, name: str) -> None:
        self._go_to("a", name)
        self._enter()

    def _enter(self) -> None:
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def _go_to(self, tag: str, name: str) -> None:
        """Press Tab until something is focused that is called so."""
        for _ in range(150):
            self.page.keyboard.press("Tab")
            focused = self.page.locator(f"{tag}:focus")
            if focused.count() and name in (focused.first.text_content() or ""):
                return
        raise AssertionError(f"{name} cannot be reached by Tab on {self.page.url}")


class Two(NamedTuple):
    """Ada clicks; Ben has a keyboard only."""

    ada: Person
    ben: Keyboard

    def start(self, game: str, deck: str = "") -> str:
        """Let ada start a match on seat 1, and ben join it; return its address."""
        self.ada.open("/")
        self.ada.follow("New match")
        self.ada.follow(game)
        self.ada.page.get_by_label("First", exact=True).check()
        if deck:
            self.ada.page.locator("summary", has_text="More").click()
            self.ada.page.get_by_label("Deck").fill(deck)
        self.ada.press("Create the match")
        address = self.ada.page.url.removeprefix(self.ada.url)
        self.ben.open(address)
        if deck:
            self.ben.page.get_by_label("Deck").fill(deck)
        self.ben.press("Join this match")
        return address

    def mover(self) -> Person:
        """Return who is to move, on whose page it says so."""
        return next(one for one in self if one.is_to_move())


@pytest.fixture(scope="module")
def two(browser: Browser, site: Site) -> Iterator[Two]:
    """Give two players who have signed up."""
    found = Two(Person(browser, site.url, "ada"), Keyboard(browser, site.url, "ben"))
    for one in found:
        one.sign_up()
    yield found
    for one in found:
        one.context.close()


def test_a_whole_match_is_played_by_clicks_and_by_keys(two: Two) -> None:
    two.start("Path Capture")
    for mover, node in zip((two.ada, two.ben) * 2, (3, 7, 6, 6), strict=True):
        assert mover.is_to_move()
        mover.step(f"Choose node {node}")
        mover.confirm()
    for one, winner in zip(two, ("ben", "You"), strict=True):
        assert not one.is_to_move()
        expect(one.page.locator(".standing")).to_have_text(
            f"{winner} won: a piece has landed on the other one."
        )


PLACED = 4
"""So many of the six cards that both place in turns are placed before anybody looks."""


def _place_cards(site: Site, match: str) -> None:
    """Place the first cards straight through the services."""
    ids = [site.house.accounts.get_local_player(name).id for name in ("ada", "ben")]
    for _ in range(PLACED):
        mover = ids[(site.house.queries.show(Asker(), match).view.to_act or 0) - 1]
        first = site.house.queries.list_legal_moves(Asker(mover), match).moves[0]["move"]
        site.house.matches.play(ChangeRequest(mover, any_version=True), match, first)


def test_cards_are_played_with_their_price(two: Two, site: Site) -> None:
    _place_cards(site, two.start("Power Lines", DECK).rpartition("/")[2])
    paid: set[str] = set()
    for _ in range(40):
        mover = two.mover()
        if not _played_with_a_price(mover):
            _anything_else(mover)
        else:
            paid.add(mover.name)
        if len(paid) == 2:
            return
    raise AssertionError(f"only {paid} could pay")


SENDS = ".preview button, .send-turn button"
"""Sends a move, or a turn of some."""


def _played_with_a_price(mover: Person) -> bool:
    """Play a 9 for two other cards, if there is one and it can be paid for."""
    page = mover.page
    if page.locator(".choice", has_text="Draw a card").count() == 0:
        return False
    if page.locator("a.way").filter(has_text="9, price").count() == 0:
        return False
    for step in ("9, price", "Choose "):
        mover.step(step)
    # The lowest cards are paid, unless somebody wants to pay with others.
    expect(page.locator(WHOLE).locator("code")).to_contain_text(" -")
    other = "Pay with something else"
    if page.get_by_role("link", name=other).count():
        mover.step(other) if isinstance(mover, Keyboard) else mover.follow(other)
        assert page.locator(WHOLE).count() == 0
    for _ in range(2):
        if page.locator(WHOLE).count() == 0:
            mover.step("Choose ")
    expect(page.locator(WHOLE).locator("code")).to_contain_text(" -")
    mover.press(page.locator(SENDS).inner_text())
    return True


def _anything_else(mover: Person) -> None:
    """Draw a card; where that cannot be, take the first step that there is until it is a move."""
    page = mover.page
    if page.locator(".choice", has_text="Draw a card").count():
        mover.step("Draw a card") if isinstance(mover, Keyboard) else mover.follow("Draw a card")
    while page.locator(SENDS).count() == 0:
        with page.expect_navigation():
            page.locator(".choice").first.press("Enter")
    mover.press(page.locator(SENDS).inner_text())
