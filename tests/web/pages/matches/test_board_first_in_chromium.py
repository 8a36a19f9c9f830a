"""A match is seen at once: the board, whole, and what is to be done, on pages of any size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.chromium import PATIENCE, wait_until
from tests.web.pages.seats import Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DEVICES = {
    "with a mouse": [(1280, 720), (1440, 900), (1920, 1080)],
    "touched": [(768, 1024), (390, 844), (360, 740), (844, 390), (740, 360)],
}
"""Sizes of screens; those of phones upright, and on their sides."""
TOUCHED = 800
"""Narrower pages than this are touched by fingers here."""
PHONE = 400
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
HIDDEN_IN_ITS_LIST = """() => {
    const [typed, list] = ['#typed', '.listed'].map(
        (one) => document.querySelector(one).getBoundingClientRect());
    return typed.bottom > list.bottom + 1;
}"""
CHOICE_IN_SIGHT = """() => {
    const one = document.querySelector('.bar .choice');
    if (!one) return null;
    const box = one.getBoundingClientRect();
    const at = [box.left + box.width / 2, box.top + box.height / 2];
    return document.elementFromPoint(...at)?.closest('.choice') === one ? at : null;
}"""
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


@pytest.fixture(scope="module")
def staged(table: Table) -> list[Staged]:
    """Give a match of every game with ada at either seat and to move, and one that is over."""
    return [
        Staged(
            f"{game} after {plies}, seat {seat}{', over' if over else ''}",
            _stage(table, game, plies, seat, over),
            over,
            plies > 0 and game != "power-lines",  # whose draws and shuffles leave no mark
        )
        for game, plies in PLIES
        for seat, over in ((1, False), (2, False), (2, True))
    ]


def _stage(table: Table, game: str, plies: int, seat: int, over: bool) -> str:  # noqa: FBT001
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
        moves = queries.legal_moves(Asker(ids[mover]), match).moves
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
    expect(page.locator("html.scripted")).to_be_attached()
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
    if page.locator(READY).count():
        wrong = [outside(page, ".shown .board"), outside(page, CONFIRMS)]
        if page.evaluate(COVERED):
            wrong.append("what is to be done covers the board")
        return [found for found in wrong if found]
    if page.evaluate(WAY_IN_SIGHT) or page.evaluate(CHOICE_IN_SIGHT):
        return small_ways(page)
    return [*small_ways(page), "nothing that can be chosen is in sight"]


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
    if not one.over:
        wrong += chosen(page)
    if page.locator("#typed").is_visible() and page.evaluate("innerWidth") > TOUCHED:
        wrong.append(outside(page, "#typed"))
        if page.evaluate(HIDDEN_IN_ITS_LIST):
            wrong.append("where a move is typed has to be scrolled to")
    return [found for found in wrong if found]


def looked_at(screens: Screens, one: Staged) -> list[str]:
    """Return what is wrong at any size with a match, and with how a move is entered there."""
    wrong = []
    for size in screens.each():
        wrong += [f"{size}: {found}" for found in opened(screens.page, one)]
    if not one.over:
        for found in enter(screens):
            wrong += found
    return wrong


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("moves", PLIES, ids=lambda one: f"{one[0]} after {one[1]}")
def test_board_and_confirmation_are_on_the_first_screen_in_every_game(
    table: Table, browser: Chromium, staged: list[Staged], moves: tuple[str, int], device: str
) -> None:
    wrong = {}
    sizes = DEVICES[device]
    with window(browser, table, sizes[0]) as page:
        for number, one in enumerate(staged):
            if not one.name.startswith(f"{moves[0]} after {moves[1]},"):
                continue
            # At which size a move is entered changes, so that every size has its turns.
            first = sum(not earlier.over for earlier in staged[:number]) % len(sizes)
            screens = Screens(page, sizes[first:] + sizes[:first])
            screens.turn_to(screens.sizes[0])
            open_match(page, table, one.id)
            found = looked_at(screens, one)
            if found:
                wrong[one.name] = found
    assert wrong == {}


def of(staged: list[Staged], name: str) -> Staged:
    return next(one for one in staged if one.name == name)


def test_lists_are_folded_at_a_finger_and_stay_as_the_reader_leaves_them(
    table: Table, browser: Chromium, staged: list[Staged]
) -> None:
    match = of(staged, "grid-power after 0, seat 1")
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, match.id)
        listed = page.locator("details.listed")
        expect(listed).not_to_have_attribute("open", "")
        expect(page.locator(".by-keys")).to_have_count(1)
        listed.locator("summary").click()
        expect(page.locator(".by-keys")).to_be_hidden()
        page.evaluate("scrollTo(0, 0)")
        hit(page, page.evaluate(WAY_IN_SIGHT))
        wait_until(page, ENTERED, 0)
        expect(listed).to_have_attribute("open", "")
    with window(browser, table, (1280, 720)) as page:
        open_match(page, table, match.id)
        expect(page.locator("details.listed")).to_have_attribute("open", "")
        expect(page.locator(".by-keys")).to_be_visible()


def test_lists_stand_open_without_scripts(
    table: Table, browser: Chromium, staged: list[Staged]
) -> None:
    match = of(staged, "grid-power after 0, seat 1")
    with browser.new_context(
        viewport={"width": 390, "height": 844},
        storage_state=table.ada.context.storage_state(),
        java_script_enabled=False,
    ) as context:
        page = context.new_page()
        page.goto(f"{table.site.url}/m/{match.id}#entry")
        expect(page.locator("details.listed .choice").first).to_be_visible()
        # A step leads to the desk, and the board stays where it is.
        page.locator(".shown a.way .go-edge").first.click()
        expect(page.locator(".desk .taken li")).to_have_count(1)
        expect(page.locator(".shown .board")).to_be_in_viewport(ratio=1)


def test_steps_bring_the_last_move_into_sight_and_a_field_zooms(
    table: Table, browser: Chromium, staged: list[Staged]
) -> None:
    match = of(staged, "power-lines after 22, seat 2, over")
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, match.id)
        marked = 0
        while page.evaluate("plybook.version > plybook.setup.first"):
            before = page.evaluate("plybook.version")
            page.keyboard.press("ArrowLeft")
            wait_until(page, "(before) => plybook.version < before", before)
            marked += page.locator(".shown .board .last").count()
            assert page.evaluate(LAST_IN_SIGHT), before
        assert marked
        page.keyboard.press("End")
        width = "document.querySelector('.shape-field').getBoundingClientRect().width"
        usual = page.evaluate(width)
        page.locator(".more-ways summary").tap()
        page.get_by_role("button", name="Zoom in").tap()
        larger = page.evaluate(width)
        assert larger > usual
        for _ in range(8):
            page.get_by_role("button", name="Zoom out").tap()
        box = page.evaluate("document.querySelector('.shown .board').clientWidth")
        assert page.evaluate(width) <= box


BASE_IN_SIGHT = """(seat) => {
    const board = document.querySelector('.shown .board').getBoundingClientRect();
    const base = document.querySelector(`.shown .board .token.seat-${seat}:has(.keep)`);
    const box = base.getBoundingClientRect();
    return box.left >= board.left && box.right <= board.right
        && box.top >= board.top && box.bottom <= board.bottom;
}"""


@pytest.mark.parametrize("seat", [1, 2])
def test_entering_brings_the_own_base_into_sight(
    table: Table, browser: Chromium, staged: list[Staged], seat: int
) -> None:
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, of(staged, f"power-lines after 3, seat {seat}").id)
        page.evaluate("document.querySelector('.shown .board').scrollTo(9999, 0)")
        assert not page.evaluate(BASE_IN_SIGHT, seat)
        hit(page, page.evaluate(WAY_IN_SIGHT))
        wait_until(page, ENTERED, 0)
        assert page.evaluate(BASE_IN_SIGHT, seat)
        assert page.evaluate(WAY_IN_SIGHT)


def test_who_watches_sees_a_base_where_no_move_is_marked(
    table: Table, browser: Chromium, staged: list[Staged]
) -> None:
    match = of(staged, "power-lines after 22, seat 2, over")
    with browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True) as context:
        page = context.new_page()
        open_match(page, table, match.id)
        page.evaluate("document.querySelector('.shown .board').scrollTo(9999, 9999)")
        assert not page.evaluate(BASE_IN_SIGHT, 1)
        page.keyboard.press("Home")
        wait_until(page, "plybook.version === plybook.setup.first")
        assert page.locator(".shown .board .last").count() == 0
        assert page.evaluate(BASE_IN_SIGHT, 1)


def _before_the_first_turn(table: Table, deck: list[int]) -> str:
    """Set up a match of cards in which both have such decks and ada is to move; return its id."""
    matches, ids = table.site.house.matches, (table.ada.id, table.ben.id)
    wanted = NewMatch("power-lines", seat=1, settings={"deck": deck})
    match = matches.create(ChangeRequest(ids[0], any_version=True), wanted).shown.view.id
    shown = matches.join(ChangeRequest(ids[1], any_version=True), match, {"deck": deck}).shown
    while shown.view.ply < 6 or shown.view.to_act != 1:
        mover = ids[(shown.view.to_act or 1) - 1]
        moves = table.site.house.queries.legal_moves(Asker(mover), match).moves
        shown = matches.play(ChangeRequest(mover, any_version=True), match, moves[0]["move"]).shown
    return match


def test_a_turn_of_draws_takes_two_taps_an_action_and_one_that_sends_it(
    table: Table, browser: Chromium
) -> None:
    match = _before_the_first_turn(table, [1] * 26)  # each draws a card when it is played
    before = table.moves(match)
    with window(browser, table, (360, 740)) as page:
        open_match(page, table, match)
        for action in (1, 2, 3):
            hit(page, page.evaluate(WAY_IN_SIGHT))
            expect(page.locator(".bar > .taken:not(.planned) li")).to_have_count(1)
            hit(page, page.evaluate(WAY_IN_SIGHT))
            expect(page.locator(READY)).to_have_count(1)
            expect(page.locator(".planned li")).to_have_count(min(action, 2))
            assert table.moves(match) == before
            assert outside(page, CONFIRMS) is None
        page.locator(CONFIRMS).tap()
        expect(page.locator("#desk-title")).to_have_text("Your opponent’s turn")
    assert table.moves(match) == before + 3


def test_two_fingers_zoom_the_field_and_not_the_page(
    table: Table, browser: Chromium, staged: list[Staged]
) -> None:
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, of(staged, "power-lines after 22, seat 2, over").id)
        width = "document.querySelector('.shape-field').getBoundingClientRect().width"
        usual = page.evaluate(width)
        fingers = page.context.new_cdp_session(page)
        for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80)):
            points = [{"x": 190 + side * apart, "y": 300, "id": side} for side in (0, 1)]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        wait_until(page, f"(usual) => {width} > usual", usual)
        assert page.evaluate("visualViewport.scale") == 1


def test_controls_are_one_small_row_until_the_fifth_move(
    table: Table, browser: Chromium, staged: list[Staged]
) -> None:
    with window(browser, table, (1280, 720)) as page:
        open_match(page, table, of(staged, "path-capture after 2, seat 1").id)
        box = page.evaluate(BOX, ".controls")
        assert box["bottom"] - box["top"] < 50
        expect(page.locator(".graph")).to_have_count(0)
        open_match(page, table, of(staged, "power-line after 5, seat 1").id)
        expect(page.locator(".graph")).to_have_count(1)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["1280x720", "390x844"])
def test_practice_embedded_and_tried_boards_are_seen_at_once_too(
    table: Table, browser: Chromium, staged: list[Staged], size: tuple[int, int]
) -> None:
    wrong = {}
    at = table.site.house.queries.show(Asker(), of(staged, "grid-power after 5, seat 1").id)
    match = at.view.id
    with window(browser, table, size) as page:
        for address in (f"/m/{match}/embed", f"/m/{match}/line?at={at.view.version}"):
            page.goto(table.site.url + address)
            wrong[address] = outside(page, ".shown .board")
        page.goto(f"{table.site.url}/practice?game=energy-capture")
        page.get_by_role("button", name="Practise alone").click()
        expect(page.locator("#desk-title")).to_have_text("Your turn")
        wrong["practice"] = outside(page, ".shown .board")
        assert page.evaluate("scrollY") == 0
        # Who waits for the house's move sees the board as well.
        page.goto(f"{table.site.url}/practice?game=power-lines")
        page.get_by_label("The second").check()
        page.get_by_role("button", name="Level 1").click()
        expect(page.locator("#desk-title")).to_have_text(re.compile("turn"))
        wrong["house"] = outside(page, ".shown .board")
        assert page.evaluate("scrollY") == 0
    assert {name: found for name, found in wrong.items() if found} == {}


BOARD = "JSON.stringify(document.querySelector('.shown .board').getBoundingClientRect())"


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["desktop", "phone"])
def test_more_opens_over_the_board_and_the_board_is_flipped_in_place(
    table: Table, browser: Chromium, staged: list[Staged], size: tuple[int, int]
) -> None:
    match = of(staged, "grid-power after 5, seat 1")
    with window(browser, table, size) as page:
        open_match(page, table, match.id)
        page.locator(".shown a.way .go-edge").first.click()
        expect(page.locator(".desk .taken li")).to_have_count(1)
        before, held = page.evaluate("scrollY"), page.evaluate(BOARD)
        page.evaluate("document.stays = true")
        page.click(".more-ways summary")
        assert page.evaluate(BOARD) == held
        box = page.locator(".ways-to-look").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        names = page.locator(".shown .axes text").all_text_contents()
        page.click("[data-do=flip]")
        wait_until(
            page, "(old) => document.querySelector('.axes text').textContent !== old", names[0]
        )
        assert page.evaluate("document.stays === true && scrollY") == before
        assert "flip=" in page.url
        expect(page.locator(".desk .taken li")).to_have_count(1)
        expect(page.locator(".ways-to-look")).to_be_hidden()
        page.click(".more-ways summary")
        page.click("[data-do=flip]")
        wait_until(
            page, "(old) => document.querySelector('.axes text').textContent === old", names[0]
        )
        assert "flip=" not in page.url


def test_at_another_step_nothing_can_be_chosen_until_one_is_back(
    table: Table, browser: Chromium, staged: list[Staged]
) -> None:
    with window(browser, table, (1280, 720)) as page:
        open_match(page, table, of(staged, "grid-power after 5, seat 1").id)
        page.locator(".shown a.way .go-edge").first.click()
        expect(page.locator(".desk .taken li")).to_have_count(1)
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".desk .taken, .desk .choice").first).to_be_hidden()
        page.get_by_role("button", name="To the present position").click()
        expect(page.locator(".desk .taken li")).to_be_visible()
        expect(page.get_by_role("button", name="To the present position")).to_be_hidden()


SLIDES = """document.getAnimations().filter((one) => one.effect.target.matches('[data-token]'))
    .map((one) => one.effect.getTiming().duration)"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_pieces_slide_unless_nothing_is_to_move(
    table: Table,
    browser: Chromium,
    staged: list[Staged],
    motion: Literal["no-preference", "reduce"],
) -> None:
    match = of(staged, "path-capture after 2, seat 1")
    with browser.new_context(reduced_motion=motion) as context:
        page = context.new_page()
        open_match(page, table, match.id)
        slides = page.evaluate(f"plybook.go(plybook.version - 1).then(() => {SLIDES})")
        assert slides == ([150] if motion == "no-preference" else [])


def test_a_choice_from_the_list_below_brings_the_board_back(
    table: Table, browser: Chromium, staged: list[Staged]
) -> None:
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, of(staged, "grid-power after 5, seat 1").id)
        page.locator(".listed summary").tap()
        choice = page.locator(".listed .choice").first
        choice.scroll_into_view_if_needed()
        choice.tap()
        expect(page.locator(".desk .taken li")).to_have_count(1)
        expect(page.locator(".shown .board")).to_be_in_viewport(ratio=1)
