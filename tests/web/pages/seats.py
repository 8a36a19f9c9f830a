"""Players in real browsers, with scripts: one goes over the board by keys, one clicks."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect
from typing_extensions import override

from domain.json_types import JsonObject
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.chromium import PATIENCE, Site, wait_until
from tests.web.people import PASSWORD

MOST_TABS = 300
TO_CELL = """([cell, space]) => {
    const rows = [...cell.closest('table').rows]
        .map((row) => [...row.cells].filter((one) => one.dataset.space))
        .filter((row) => row.length);
    const at = (id) => rows.flatMap((row, y) => row.map((one, x) => [one.dataset.space, y, x]))
        .find(([found]) => found === id);
    const [, y, x] = at(cell.dataset.space);
    const [, v, u] = at(space);
    return [v - y, u - x];
}"""


WHOLE = ".preview, .planned"
"""What shows a move that is entered: alone, or as one of a turn."""


class Seated:
    """A player with a window of their own, who uses a mouse."""

    def __init__(self, chromium: Chromium, site: Site, name: str, **context: object) -> None:
        self.site, self.name, self.chose = site, name, False
        self.context = chromium.new_context(reduced_motion="reduce", **context)  # type: ignore[arg-type]
        self.page = self.window()
        self.sign_up()
        player = site.house.accounts.find(name)
        assert player is not None
        self.id = player.id

    def window(self) -> Page:
        """Open one more window of the same player."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        return page

    def sign_up(self) -> None:
        """Sign up by the form."""
        self.visit("/sign-up")
        for field, typed in (("name", self.name), ("password", PASSWORD), ("again", PASSWORD)):
            self.write(field, typed)
        self.press("Sign up")

    def visit(self, address: str) -> None:
        """Type an address."""
        self.page.goto(self.site.url + address)

    def write(self, field: str, typed: str) -> None:
        """Fill in a field of a form."""
        self.page.locator(f'main [name="{field}"]').fill(typed)

    def pick(self, field: str, value: str) -> None:
        """Choose one of several values."""
        self.page.locator(f'main [name="{field}"][value="{value}"]').check()

    def unfold(self, name: str) -> None:
        """Open what is folded under a name that begins so."""
        self.page.locator("main summary").filter(has_text=name).first.click()

    def press(self, name: str) -> None:
        """Press the first button, or follow the first link, whose name begins so."""
        with self.page.expect_navigation():
            self.page.locator("main button, main a").filter(has_text=name).first.click()

    def challenge(self, other: Seated, game: str, options: dict[str, str]) -> str:
        """Challenge somebody from their page, to a match in which one has seat 1; return its id."""
        self.visit(f"/p/{other.name}")
        self.press(f"Challenge {other.name}")
        self.press(game)
        self.pick("seat", "1")
        if options:
            self.unfold("More")
        for name, value in options.items():
            self.write(name, value)
        self.press("Create the match")
        self.turn_is("Waiting for an opponent")
        return self.page.url.partition("?")[0].partition("#")[0].rpartition("/")[2]

    def accept(self, match: str, settings: dict[str, str]) -> None:
        """Accept a challenge from the first page; with settings, on the match's own page."""
        self.visit(f"/m/{match}" if settings else "/")
        for name, value in settings.items():
            self.write(name, value)
        self.press("Accept the challenge" if settings else "Accept")

    def open(self, match: str, query: str = "", page: Page | None = None) -> None:
        """Open a match, and mark the window: whoever leaves the page loses the mark."""
        page = page or self.page
        page.goto(f"{self.site.url}/m/{match}{query}")
        expect(page.locator("html.settled")).to_be_attached()
        page.evaluate("window.stayed = true")

    def stayed(self) -> bool:
        """Whether the page has been changed in place since it was opened."""
        return self.page.evaluate("window.stayed") is True

    def turn_is(self, words: str) -> None:
        """Wait until the page says so about whose turn it is."""
        expect(self.page.locator("#desk-title")).to_have_text(words, timeout=PATIENCE)

    def legal(self, match: str) -> list[JsonObject]:
        return self.site.house.queries.list_legal_moves(Asker(self.id), match).moves

    def enter(self, move: JsonObject) -> None:
        """Choose the steps of a move, until it is shown as a whole."""
        self.chose = False
        for number, step in enumerate(move["path"]):
            if self.page.locator(WHOLE).count():
                break
            self.choose(step)
            self.chose = True
            self._settled(number + 1)
        code = self.page.locator(WHOLE).locator("code").last
        if not code.count():
            # Other moves go on from here: this one is told from them in the list.
            self.page.locator(".choice", has_text=f"Just {move['text']}").click()
        expect(code).to_have_text(move["text"])

    def choose(self, step: str) -> None:
        """Choose a step on the board, or in the list if no board has it."""
        way = self.page.locator(f'.shown a.way[data-space="{step}"] .go-edge')
        if way.count():
            way.first.click()
        else:
            self._listed(step).click()

    def confirm(self) -> None:
        """Play the move that is shown."""
        self.page.locator(".preview button, .send-turn button").first.click()

    def play(self, move: JsonObject) -> None:
        """Enter a move and play it; wait until the page has it."""
        version = self.version()
        self.enter(move)
        self.confirm()
        wait_until(self.page, "(before) => plybook.setup.last > before", version)

    def version(self) -> int:
        return int(self.page.evaluate("plybook.setup.last"))

    def _settled(self, steps: int) -> None:
        taken = self.page.locator(".desk .taken li")
        expect(taken.nth(steps - 1).or_(self.page.locator(WHOLE)).first).to_be_attached()

    def _listed(self, step: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - a locator
        index = self.page.evaluate(
            """(step) => [...document.querySelectorAll('a.choice')].findIndex(
                (one) => new URL(one.href).searchParams.getAll('path').at(-1) === step)""",
            step,
        )
        return self.page.locator("a.choice").nth(index)


class Keyed(Seated):
    """A player who has no mouse: everything goes by Tab, arrows and Enter."""

    @override
    def write(self, field: str, typed: str) -> None:
        self._tab_to(f"(one) => one.name === '{field}' && one.closest('main') != null")
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(typed)

    @override
    def pick(self, field: str, value: str) -> None:
        self._tab_to(f"(one) => one.name === '{field}'")
        for _ in range(MOST_TABS):
            if self.page.evaluate("document.activeElement.value") == value:
                break
            self.page.keyboard.press("ArrowDown")
        assert self.page.evaluate("document.activeElement.checked")

    @override
    def unfold(self, name: str) -> None:
        self._tab_to(
            f"(one) => one.localName === 'summary' && one.textContent.trim().startsWith('{name}')"
        )
        self.page.keyboard.press("Enter")

    @override
    def press(self, name: str) -> None:
        self._tab_to(
            f"(one) => one.textContent.trim().startsWith('{name}') && one.closest('main') != null"
        )
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    @override
    def choose(self, step: str) -> None:
        if self.page.locator(f'[data-walked] [data-space="{step}"]').count():
            self._walk_to(step)
        else:
            self._tab_to(f"(one) => one === {self._found(step)}")
        self.page.keyboard.press("Enter")

    @override
    def confirm(self) -> None:
        expect(self.page.locator(".preview button, .send-turn button")).to_be_attached()
        if self.chose and self.page.locator(".preview").count():
            # The button has the focus already, so that one more Enter plays the move. Where a turn
            # may go on, the focus stays on the board.
            expect(self.page.locator(".preview button")).to_be_focused()
        elif not self.page.evaluate("document.activeElement.matches('.send-turn button')"):
            self._tab_to("(one) => one.closest('.preview, .send-turn') != null")
        self.page.keyboard.press("Enter")

    def _walk_to(self, step: str) -> None:
        table = f"""(one) => one.closest('table')?.querySelector('[data-space="{step}"]') != null"""
        on_a_board = "(one) => one.closest('[data-walked]') != null"
        if not self.page.evaluate(f"({on_a_board})(document.activeElement)"):
            self._tab_to(f"(one) => one.matches('[data-walk]') || ({on_a_board})(one)")
            if not self.page.evaluate(f"({on_a_board})(document.activeElement)"):
                self.page.keyboard.press("Enter")
        if not self.page.evaluate(f"({table})(document.activeElement)"):
            self._tab_to(table)
        cell = self.page.evaluate_handle("document.activeElement")
        down, right = self.page.evaluate(TO_CELL, [cell, step])
        for key, times in (
            ("ArrowDown" if down > 0 else "ArrowUp", abs(down)),
            ("ArrowRight" if right > 0 else "ArrowLeft", abs(right)),
        ):
            for _ in range(times):
                self.page.keyboard.press(key)
        assert self.page.evaluate("document.activeElement.dataset.space") == step
        expect(self.page.locator(".ring")).to_have_count(1)

    def _tab_to(self, wanted: str) -> None:
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(f"({wanted})(document.activeElement)"):
                return
        raise AssertionError(f"{wanted} cannot be reached by Tab")

    def _found(self, step: str) -> str:
        return (
            "[...document.querySelectorAll('a.choice')].find((two) => "
            f"new URL(two.href).searchParams.getAll('path').at(-1) === '{step}')"
        )


class Table(NamedTuple):
    """Ada clicks; Ben has a keyboard only."""

    site: Site
    ada: Seated
    ben: Keyed

    def start(self, game: str, **new: object) -> str:
        """Start a match with ada on seat 1; return its id."""
        matches = self.site.house.matches
        wanted = NewMatch(game, seat=1, **new)  # type: ignore[arg-type]
        match = matches.create(ChangeRequest(self.ada.id, any_version=True), wanted).shown.view.id
        matches.join(ChangeRequest(self.ben.id, any_version=True), match)
        return match

    def players(self) -> tuple[Seated, Seated]:
        return self.ada, self.ben

    def to_act(self, match: str) -> Seated | None:
        """Return who is to move, None at the end."""
        seat = self.site.house.queries.show(Asker(), match).view.to_act
        return None if seat is None else self.players()[seat - 1]

    def moves(self, match: str) -> int:
        """Return how many moves have been made."""
        return self.site.house.queries.show(Asker(), match).view.ply
