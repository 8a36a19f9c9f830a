"""Screens of several sizes on which matches are looked at, and what can be wrong on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.chromium import PATIENCE, SMALL_TEXTS, wait_until
from tests.web.pages.seats import Table

DEVICES = {
    "with a mouse": [(1280, 720), (1440, 900), (1920, 1080)],
    "touched": [(768, 1024), (390, 844), (360, 740), (844, 390), (740, 360)],
}
"""Sizes of screens; those of phones upright, and on their sides."""
TOUCHED = 800
"""Narrower pages than this are touched by fingers here."""
PHONE = 400
LARGE, LYING = 960, 480
"""From this width on moves stand beside the board; below this height a phone lies on its side."""
PLIES = [
    ("power-line", 5),
    ("energy-capture", 4),
    ("grid-power", 0),
    ("grid-power", 5),
    ("path-capture", 2),
    ("power-lines", 3),
    ("power-lines", 22),
]
"""Moves of each game after which a match is looked at: with a full hand, and with a large field."""

BOX = """(selector) => {
    const found = document.querySelector(selector);
    if (!found) return null;
    const { left, top, right, bottom } = found.getBoundingClientRect();
    return { left, top, right, bottom };
}"""
CUT = """() => [...document.querySelectorAll('.shown .board')]
    .filter((one) => !one.querySelector('.shape-field'))
    .some((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)"""
LAST_IN_SIGHT = """() => {
    const board = document.querySelector('.shown .board');
    const box = board.getBoundingClientRect();
    const marked = [...board.querySelectorAll('.last')].map((one) => one.getBoundingClientRect());
    const span = (from, to) =>
        Math.max(...marked.map((one) => one[to])) - Math.min(...marked.map((one) => one[from]));
    const seen = (one) => one.left >= box.left && one.right <= box.right
        && one.top >= box.top && one.bottom <= box.bottom;
    const fits = span('left', 'right') <= board.clientWidth
        && span('top', 'bottom') <= board.clientHeight;
    return !marked.length || (fits ? marked.every(seen) : marked.some(seen));
}"""
WAY_IN_SIGHT = """() => {
    for (const one of document.querySelectorAll('.shown a.way .go-edge')) {
        const box = one.getBoundingClientRect();
        const at = [box.left + box.width / 2, box.top + box.height / 2];
        const hit = document.elementFromPoint(...at);
        if (hit?.closest('a.way') === one.closest('a.way')) return at;
    }
    return null;
}"""
WAYS = """() => [...document.querySelectorAll('.shown a.way')].map((one) => {
    const box = one.querySelector('.go-edge').getBoundingClientRect();
    const line = one.closest('.shape-line') !== null;
    return [one.dataset.space, Math.round(box.width), Math.round(box.height), line];
})"""
HIDDEN_IN_ITS_COLUMN = """() => {
    const [typed, column] = ['#typed', '.side'].map(
        (one) => document.querySelector(one).getBoundingClientRect());
    return typed.bottom > column.bottom + 1;
}"""
ROUNDS = 6
"""So many rounds of moves are in sight beside the board, where there is a column for them."""
ROUNDS_IN_SIGHT = """() => {
    const list = document.querySelector('.moves-list');
    const [all] = list.children;
    const more = [...Array(12)].map(() => all.lastElementChild.cloneNode(true));
    for (const one of more.flatMap((round) => [...round.querySelectorAll('.entry')])) {
        if (one.matches('.entry ~ .entry')) one.remove();
        else one.textContent = '2,1';
    }
    all.append(...more);
    list.scrollTop = 1e6;
    const box = list.getBoundingClientRect();
    const low = Math.min(box.bottom, innerHeight, document.querySelector('.side')
        .getBoundingClientRect().bottom);
    const seen = [...all.children].map((one) => one.getBoundingClientRect())
        .filter(({ top, bottom }) => top >= box.top - 1 && bottom <= low + 1).length;
    more.forEach((one) => one.remove());
    plybook.stage.reveal();
    return seen;
}"""
"""How many rounds are seen of a long match that goes on as this one has."""
SHOWN_IN_SIGHT = """() => {
    const [list, now] = ['.moves-list', '.moves-list [aria-current]'].map(
        (one) => document.querySelector(one).getBoundingClientRect());
    return now.top >= list.top - 1 && now.bottom <= Math.min(list.bottom, innerHeight) + 1;
}"""
CHOICE_IN_SIGHT = """() => {
    const one = document.querySelector('.bar .choice');
    if (!one) return null;
    const box = one.getBoundingClientRect();
    const at = [box.left + box.width / 2, box.top + box.height / 2];
    return document.elementFromPoint(...at)?.closest('.choice') === one ? at : null;
}"""
PINNED = """() => {
    const [bar, side] = ['.desk .bar', '.side'].map(
        (one) => document.querySelector(one).getBoundingClientRect());
    const away = [innerHeight - bar.bottom, bar.left - side.left, side.right - bar.right];
    return away.every((one) => Math.abs(one) < 1);
}"""
"""Whether the bar of a phone on its side is at the bottom of the column beside the board."""
COVERED = """() => {
    const [bar, board] = ['.desk .bar', '.shown .board'].map(
        (one) => document.querySelector(one).getBoundingClientRect());
    return bar.left < board.right && bar.top < board.bottom && bar.bottom > board.top;
}"""
SETTLE = """async ([left, top]) => {
    const board = document.querySelector('.shown .board');
    board.scrollTo({ left, top, behavior: 'instant' });
    scrollTo({ top: 0, behavior: 'instant' });
    if (plybook.desk) plybook.desk.put(document, plybook.setup, { quiet: false });
    else {
        const at = plybook.version;
        plybook.version = null;
        await plybook.go(at);
    }
    return [innerWidth, innerHeight, board.scrollLeft, board.scrollTop];
}"""
"""What a page does when it is opened, and with the answer to a step; from where it scrolled to."""
READY = ".preview, .send-turn"
"""A move or a turn that only needs to be confirmed."""
CONFIRMS = ".preview .main, .send-turn .main"
ENTERED = """(before) => document.querySelector('.preview, .send-turn') !== null
    || document.querySelectorAll('.desk .taken li').length > before"""


class Staged(NamedTuple):
    """A match to look at."""

    name: str
    id: str
    over: bool
    played: bool


def stage(table: Table, game: str, plies: int, seat: int, over: bool) -> str:  # noqa: FBT001
    """Play until it is ada's turn. What is drawn by lot can end a match before: then another."""
    tries = (_played(table, game, plies, seat) for _ in range(10))
    match = next(match for match in tries if match is not None)
    if over:
        request = ChangeRequest(table.ben.id, any_version=True)
        table.site.house.matches.act(request, match, Action("resign"))
    return match


def _played(table: Table, game: str, plies: int, seat: int) -> str | None:
    matches, queries = table.site.house.matches, table.site.house.queries
    ids = {seat: table.ada.id, 3 - seat: table.ben.id}
    wanted = NewMatch(game, seat=seat)
    match = matches.create(ChangeRequest(table.ada.id, any_version=True), wanted).shown.view.id
    matches.join(ChangeRequest(table.ben.id, any_version=True), match)
    for ply in range(60):
        mover = queries.show(Asker(), match).view.to_act
        if mover is None:
            return None
        if ply >= plies and mover == seat:
            return match
        moves = queries.list_legal_moves(Asker(ids[mover]), match).moves
        request = ChangeRequest(ids[mover], any_version=True)
        matches.play(request, match, moves[(7 * ply) % len(moves)]["move"])
    return None


@contextmanager
def window(browser: Chromium, table: Table, size: tuple[int, int]) -> Iterator[Page]:
    """Open a window of ada's on a screen, of a phone if it is small."""
    small = min(size) < TOUCHED
    cookies = table.ada.context.storage_state()
    with browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        storage_state=cookies,
        reduced_motion="reduce",
        has_touch=small and max(size) < 1100,
        is_mobile=small and max(size) < 1100,
    ) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        yield page


def open_match(page: Page, table: Table, match: str) -> None:
    page.goto(f"{table.site.url}/m/{match}")
    expect(page.locator("html.settled")).to_be_attached()
    wait_until(page, "typeof plybook !== 'undefined'")


def outside(page: Page, selector: str) -> str | None:
    """Return where something lies that is not wholly on the first screen, or None."""
    box = page.evaluate(BOX, selector)
    if box is None:
        return f"no {selector}"
    size = page.viewport_size
    assert size is not None
    inside = (
        box["left"] >= 0
        and box["top"] >= 0
        and box["right"] <= size["width"]
        and box["bottom"] <= size["height"]
    )
    return None if inside else f"{selector}: {box}"


def hit(page: Page, at: list[float]) -> None:
    """Click on a point, or touch it where there is no mouse."""
    if page.evaluate("matchMedia('(pointer: coarse)').matches"):
        page.touchscreen.tap(*at)
    else:
        page.mouse.click(*at)


class Screens:
    """One page on screens of several sizes of one kind of device, looked at in turns.

    What a page does by its size when it is opened and after each step, it does again at each of
    them: it brings what matters into sight. Only whether lists are folded is settled when it is
    opened, and goes by the kind of device.
    """

    def __init__(self, page: Page, sizes: list[tuple[int, int]]) -> None:
        self.page, self.sizes = page, sizes
        self._scrolled = {size: [0, 0] for size in sizes}

    def turn_to(self, size: tuple[int, int]) -> None:
        """Let the screen be of another size, and nothing else."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    def each(self) -> Iterator[tuple[int, int]]:
        """Let the page settle at each size in turn; at the first one last."""
        for size in self.sizes[1:] + self.sizes[:1]:
            self.turn_to(size)
            *inner, left, top = self.page.evaluate(SETTLE, self._scrolled[size])
            assert tuple(inner) == size
            self._scrolled[size] = [left, top]
            yield size


def enter(screens: Screens) -> Iterator[list[str]]:
    """Choose what is in sight at one size, until a whole move is shown; yield what is wrong."""
    page = screens.page
    for _ in range(8):
        if page.locator(READY).count():
            return
        before = page.locator(".desk .taken li").count()
        at = page.evaluate(WAY_IN_SIGHT) or page.evaluate(CHOICE_IN_SIGHT)
        if not at:
            return
        hit(page, at)
        wait_until(page, ENTERED, before)
        yield [f"the page scrolled to {top}"] if (top := page.evaluate("scrollY")) else []
        for size in screens.each():
            yield [f"{size}, on the way: {found}" for found in chosen(page)]
    yield ["no move came of it"]


def chosen(page: Page) -> list[str]:
    """Return what is wrong with how a move goes on, or with how it is confirmed."""
    wrong: list[str | None] = []
    lying = page.evaluate(f"innerHeight < {LYING} && innerWidth < {LARGE}")
    wrong += page.evaluate(SMALL_TEXTS)
    if lying and not page.evaluate(PINNED):
        wrong.append("the bar is not at the bottom beside the board")
    if page.locator(READY).count():
        wrong += [outside(page, ".shown .board"), outside(page, CONFIRMS)]
        if page.evaluate(COVERED):
            wrong.append("what is to be done covers the board")
        return [found for found in wrong if found]
    if not (page.evaluate(WAY_IN_SIGHT) or page.evaluate(CHOICE_IN_SIGHT)):
        wrong.append("nothing that can be chosen is in sight")
    return [*small_ways(page), *(found for found in wrong if found)]


def small_ways(page: Page) -> list[str]:
    """Return what can be chosen on the board or in the hand, and is too small to be hit."""
    coarse = page.evaluate("matchMedia('(pointer: coarse)').matches")
    found = []
    for space, wide, high, line in page.evaluate(WAYS):
        least = (28 if line else 44, 44) if coarse else (32, 32)
        if wide < least[0] or high < least[1]:
            found.append(f"{space} is {wide} x {high}")
    return found


def opened(page: Page, one: Staged) -> list[str]:
    """Return what is wrong with the first screen of a match."""
    wrong: list[Any] = [outside(page, ".shown .board")]
    if page.evaluate(CUT):
        wrong.append("the board is cut off")
    if not page.locator(READY).count():
        if not page.evaluate(LAST_IN_SIGHT):
            wrong.append("the last move is not in sight")
        if one.played and not page.locator(".shown .board .last").count():
            wrong.append("the last move is not marked")
    top = page.evaluate(BOX, ".top")
    if page.evaluate("innerWidth") < PHONE and top["bottom"] - top["top"] != 48:
        wrong.append(f"header: {top}")
    wrong += page.evaluate(SMALL_TEXTS) if one.over else chosen(page)
    if page.evaluate("innerWidth") >= LARGE:
        wrong += beside(page)
    return [found for found in wrong if found]


def beside(page: Page) -> list[Any]:
    """Return what is wrong with the column beside the board."""
    wrong: list[Any] = []
    if page.locator("#typed").count():
        wrong.append(outside(page, "#typed"))
        if page.evaluate(HIDDEN_IN_ITS_COLUMN):
            wrong.append("where a move is typed has to be scrolled to")
    if (seen := page.evaluate(ROUNDS_IN_SIGHT)) < ROUNDS:
        wrong.append(f"{seen} rounds of moves are in sight")
    if not page.evaluate(SHOWN_IN_SIGHT):
        wrong.append("the step that is shown is not in sight in the list of moves")
    return wrong


def looked_at(screens: Screens, one: Staged) -> list[str]:
    """Return what is wrong at any size with a match, and with how a move is entered there."""
    wrong = []
    for size in screens.each():
        wrong += [f"{size}: {found}" for found in opened(screens.page, one)]
    if not one.over:
        for found in enter(screens):
            wrong += found
    return wrong
