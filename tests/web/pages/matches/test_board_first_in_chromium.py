"""A match is seen at once: the board, whole, and what is to be done, on pages of any size."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.chromium import SMALL_TEXTS, wait_until
from tests.web.pages.matches.screens import (
    BOX,
    CHOICE_IN_SIGHT,
    CONFIRMS,
    DEVICES,
    ENTERED,
    LAST_IN_SIGHT,
    PLIES,
    READY,
    WAY_IN_SIGHT,
    Screens,
    Staged,
    hit,
    looked_at,
    open_match,
    outside,
    stage,
    window,
)
from tests.web.pages.seats import Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Stages:
    """A match of every game with ada at either seat and to move, and one that is over.

    Each is played once it is asked for: tests of this module run in several processes.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._made: dict[str, Staged] = {}
        self.plans = {
            f"{game} after {plies}, seat {seat}{', over' if over else ''}": (
                game,
                plies,
                seat,
                over,
            )
            for game, plies in PLIES
            for seat, over in ((1, False), (2, False), (2, True))
        }

    def of(self, name: str) -> Staged:
        """Give a match by its name."""
        if name not in self._made:
            game, plies, seat, over = self.plans[name]
            self._made[name] = Staged(
                name,
                stage(self._table, game, plies, seat, over),
                over,
                plies > 0 and game != "power-lines",  # whose draws and shuffles leave no mark
            )
        return self._made[name]


@pytest.fixture(scope="module")
def staged(table: Table) -> Stages:
    """Give matches to look at."""
    return Stages(table)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("moves", PLIES, ids=lambda one: f"{one[0]} after {one[1]}")
def test_board_and_confirmation_are_on_the_first_screen_in_every_game(
    table: Table, browser: Chromium, staged: Stages, moves: tuple[str, int], device: str
) -> None:
    wrong = {}
    sizes = DEVICES[device]
    with window(browser, table, sizes[0]) as page:
        running = 0
        for name, plan in staged.plans.items():
            # At which size a move is entered changes, so that every size has its turns.
            first = running % len(sizes)
            running += not plan[-1]
            if plan[:2] != moves:
                continue
            one = staged.of(name)
            screens = Screens(page, sizes[first:] + sizes[:first])
            screens.turn_to(screens.sizes[0])
            open_match(page, table, one.id)
            found = looked_at(screens, one)
            if found:
                wrong[one.name] = found
    assert wrong == {}


def test_lists_are_folded_at_a_finger_and_stay_as_the_reader_leaves_them(
    table: Table, browser: Chromium, staged: Stages
) -> None:
    match = staged.of("grid-power after 0, seat 1")
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, match.id)
        listed = page.locator("details.listed")
        expect(listed).not_to_have_attribute("open", "")
        expect(page.locator("#typed")).to_be_hidden()
        expect(page.locator(".by-keys")).to_have_count(1)
        listed.locator("summary").click()
        expect(page.locator(".by-keys")).to_be_hidden()
        page.evaluate("scrollTo(0, 0)")
        hit(page, page.evaluate(WAY_IN_SIGHT))
        wait_until(page, ENTERED, 0)
        expect(listed).to_have_attribute("open", "")
        expect(page.locator("#typed")).to_be_visible()
    # On a low page moves have the room of the list, and a move is typed all the same.
    for size, folded in (((1920, 1080), False), ((1280, 720), True)):
        with window(browser, table, size) as page:
            open_match(page, table, match.id)
            expect(page.locator("#typed")).to_be_visible()
            expect(page.locator(".by-keys")).to_be_visible(visible=not folded)


def test_lists_stand_open_without_scripts(table: Table, browser: Chromium, staged: Stages) -> None:
    match = staged.of("grid-power after 0, seat 1")
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
    table: Table, browser: Chromium, staged: Stages
) -> None:
    match = staged.of("power-lines after 22, seat 2, over")
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
    table: Table, browser: Chromium, staged: Stages, seat: int
) -> None:
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, staged.of(f"power-lines after 3, seat {seat}").id)
        page.evaluate("document.querySelector('.shown .board').scrollTo(9999, 0)")
        assert not page.evaluate(BASE_IN_SIGHT, seat)
        hit(page, page.evaluate(WAY_IN_SIGHT))
        wait_until(page, ENTERED, 0)
        assert page.evaluate(BASE_IN_SIGHT, seat)
        assert page.evaluate(WAY_IN_SIGHT)


def test_who_watches_sees_a_base_where_no_move_is_marked(
    table: Table, browser: Chromium, staged: Stages
) -> None:
    match = staged.of("power-lines after 22, seat 2, over")
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
        moves = table.site.house.queries.list_legal_moves(Asker(mover), match).moves
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
        expect(page.locator("#desk-title")).to_have_text("Your opponent's turn")
    assert table.moves(match) == before + 3


def test_two_fingers_zoom_the_field_and_not_the_page(
    table: Table, browser: Chromium, staged: Stages
) -> None:
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, staged.of("power-lines after 22, seat 2, over").id)
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
    table: Table, browser: Chromium, staged: Stages
) -> None:
    with window(browser, table, (1280, 720)) as page:
        open_match(page, table, staged.of("path-capture after 2, seat 1").id)
        box = page.evaluate(BOX, ".controls")
        assert box["bottom"] - box["top"] < 50
        expect(page.locator(".graph")).to_have_count(0)
        open_match(page, table, staged.of("power-line after 5, seat 1").id)
        expect(page.locator(".graph")).to_have_count(1)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["1280x720", "390x844"])
def test_practice_embedded_and_tried_boards_are_seen_at_once_too(
    table: Table, browser: Chromium, staged: Stages, size: tuple[int, int]
) -> None:
    wrong = {}
    at = table.site.house.queries.show(Asker(), staged.of("grid-power after 5, seat 1").id)
    match = at.view.id
    with window(browser, table, size) as page:
        for address in (f"/m/{match}/embed", f"/m/{match}/line?at={at.view.version}"):
            page.goto(table.site.url + address)
            wrong[address] = outside(page, ".shown .board")
        page.goto(f"{table.site.url}/practice?game=energy-capture")
        page.get_by_role("button", name="Play both seats").click()
        expect(page.locator("#desk-title")).to_have_text("Your turn")
        wrong["practice"] = outside(page, ".shown .board")
        assert page.evaluate("scrollY") == 0
        # Who waits for the house's move sees the board as well.
        page.goto(f"{table.site.url}/practice?game=power-lines")
        page.get_by_label("Second", exact=True).check()
        page.get_by_role("button", name="Level 1").click()
        expect(page.locator("#desk-title")).to_have_text(re.compile("turn"))
        wrong["house"] = outside(page, ".shown .board")
        assert page.evaluate("scrollY") == 0
    assert {name: found for name, found in wrong.items() if found} == {}


SEEN_WHOLE = """() => {
    const side = document.querySelector('.side');
    const low = side.getBoundingClientRect().bottom;
    const shown = side.querySelector('.asks[open], .preview');
    return [side.scrollHeight - side.clientHeight, shown.getBoundingClientRect().bottom - low];
}"""


def test_what_is_opened_beside_the_board_is_whole(
    table: Table, browser: Chromium, staged: Stages
) -> None:
    with window(browser, table, (1280, 720)) as page:
        for game in ("power-line after 5", "grid-power after 5", "energy-capture after 4"):
            open_match(page, table, staged.of(f"{game}, seat 1").id)
            page.get_by_text("Draw, takeback").click()
            assert max(page.evaluate(SEEN_WHOLE)) <= 0, game
            page.get_by_text("Draw, takeback").click()
            while not page.locator(".preview").count():
                before = page.locator(".desk .taken li").count()
                hit(page, page.evaluate(WAY_IN_SIGHT) or page.evaluate(CHOICE_IN_SIGHT))
                wait_until(page, ENTERED, before)
            assert max(page.evaluate(SEEN_WHOLE)) <= 0, game


BASES_AND_LAST = """() => {
    const board = document.querySelector('.shown .board');
    const box = board.getBoundingClientRect();
    const wanted = [...board.querySelectorAll('.last, .token:has(.keep)')]
        .map((one) => one.getBoundingClientRect());
    const [left, top] = ['left', 'top'].map((one) => Math.min(...wanted.map((at) => at[one])));
    const [right, low] = ['right', 'bottom'].map((one) => Math.max(...wanted.map((at) => at[one])));
    const fit = right - left < box.width - 30 && low - top < box.height - 30;
    const seen = left >= box.left && right <= box.right && top >= box.top && low <= box.bottom;
    return [fit, seen];
}"""


@pytest.mark.parametrize("size", [(1280, 720), (800, 500)], ids=["large", "small"])
def test_an_embedded_field_shows_both_bases_and_the_last_move(
    table: Table, browser: Chromium, staged: Stages, size: tuple[int, int]
) -> None:
    match = staged.of("power-lines after 22, seat 2, over")
    with window(browser, table, size) as page:
        page.goto(f"{table.site.url}/m/{match.id}/embed")
        expect(page.locator("html.settled")).to_be_attached()
        found = []
        for _ in range(12):
            assert page.evaluate(LAST_IN_SIGHT)
            found.append(tuple(page.evaluate(BASES_AND_LAST)))
            before = page.evaluate("plybook.version")
            page.keyboard.press("ArrowLeft")
            wait_until(page, "(before) => plybook.version < before", before)
        assert (True, False) not in found  # what barely has no room may be seen all the same
        assert (True, True) in found


def test_all_that_is_written_in_an_embed_or_a_start_position_can_be_read_on_a_phone(
    table: Table, browser: Chromium, staged: Stages
) -> None:
    over = (name for name in staged.plans if name.endswith("over"))
    addresses = {f"/m/{staged.of(name).id}/embed" for name in over}
    matches, request = table.site.house.matches, ChangeRequest(table.ada.id, any_version=True)
    for game in {game for game, _ in PLIES}:
        addresses.add(f"/m/{matches.create(request, NewMatch(game)).shown.view.id}")
    small = {}
    for mobile in (True, False):
        with browser.new_context(
            viewport={"width": 360, "height": 740}, has_touch=mobile, is_mobile=mobile
        ) as context:
            page = context.new_page()
            for address in sorted(addresses):
                page.goto(table.site.url + address)
                small[address, mobile] = page.evaluate(SMALL_TEXTS)
    assert [found for found in small.values() if found] == []


BOARD = "JSON.stringify(document.querySelector('.shown .board').getBoundingClientRect())"


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["desktop", "phone"])
def test_more_opens_over_the_board_and_the_board_is_flipped_in_place(
    table: Table, browser: Chromium, staged: Stages, size: tuple[int, int]
) -> None:
    match = staged.of("grid-power after 5, seat 1")
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
    table: Table, browser: Chromium, staged: Stages
) -> None:
    with window(browser, table, (1280, 720)) as page:
        open_match(page, table, staged.of("grid-power after 5, seat 1").id)
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
    staged: Stages,
    motion: Literal["no-preference", "reduce"],
) -> None:
    match = staged.of("path-capture after 2, seat 1")
    with browser.new_context(reduced_motion=motion) as context:
        page = context.new_page()
        open_match(page, table, match.id)
        slides = page.evaluate(f"plybook.go(plybook.version - 1).then(() => {SLIDES})")
        assert slides == ([150] if motion == "no-preference" else [])


def test_a_choice_from_the_list_below_brings_the_board_back(
    table: Table, browser: Chromium, staged: Stages
) -> None:
    with window(browser, table, (390, 844)) as page:
        open_match(page, table, staged.of("grid-power after 5, seat 1").id)
        page.locator(".listed summary").tap()
        choice = page.locator(".listed .choice").first
        choice.scroll_into_view_if_needed()
        choice.tap()
        expect(page.locator(".desk .taken li")).to_have_count(1)
        expect(page.locator(".shown .board")).to_be_in_viewport(ratio=1)
