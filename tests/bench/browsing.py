"""A browser going through a match of 500 moves: how long a step takes, once it is loaded."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean

from playwright.sync_api import sync_playwright

from services.matches.actions import Action
from services.matches.requests import Request
from services.runtime.logs import configure_logs
from tests.bench.databases import Bed
from tests.bench.rounds import Ratio
from tests.bench.turning import Player
from tests.support.servers import serving
from web.app import create_app

STEPS = 500
FRAME_MS = 1000 / 60
"""How long a screen of 60 pictures a second shows one of them."""

_STEP_THROUGH = """async () => {
    const { stage, frames, setup } = globalThis.plybook;
    await globalThis.plybook.loaded;
    const times = [];
    for (let version = setup.first; version <= setup.last; version += 1) {
        stage.expect(frames.at(version)); // as the player does for the step that is to come
        await new Promise((then) => setTimeout(then, 40));
        await new Promise(requestAnimationFrame);
        const began = performance.now();
        stage.show(frames.at(version));
        document.body.getBoundingClientRect(); // whoever asks for a size has the layout made
        times.push(performance.now() - began);
    }
    return times;
}"""


def stepping(bed: Bed, _: int) -> Iterator[Ratio]:
    """Measure script, style and layout of every step of a card match, against one frame.

    It is the game with most to draw. What painting takes comes on top, and is the browser's.
    """
    chromium = os.environ.get("TEST_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        print("The site is not measured: there is no Chromium.")
        return
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    configure_logs(replace(bed.house.settings, log_level="error"))
    match = _long_match(bed)
    with serving(create_app(bed.house)) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(600_000)
        page.goto(f"{url}/m/{match}?at=1")
        page.locator("html.scripted").wait_for(state="attached")
        times = page.evaluate(_STEP_THROUGH)
        browser.close()
    times.sort()
    middle, late = times[len(times) // 2], times[len(times) * 95 // 100]
    mean = fmean(times)
    detail = (
        f"{len(times)} steps: mean {mean:.1f} ms, median {middle:.1f} ms, "
        f"95 of 100 under {late:.1f} ms, longest {times[-1]:.1f} ms"
    )
    name = f"stepping in a browser against one frame a step, {bed.name}"
    yield Ratio(name, mean / FRAME_MS, 1.0, detail, at_most=True)


def _long_match(bed: Bed) -> str:
    """Play a match of so many events, and end it, so that every card shows."""
    for seed in range(20):
        player = Player(bed, seed)
        made = 0
        while made < STEPS and player.turns() >= 0:
            player.move()
            made += 1
        if made == STEPS:
            resigning = Request(player.players[0], any_version=True)
            bed.house.matches.act(resigning, player.match, Action("resign"))
            return player.match
    raise RuntimeError(f"no match comes to {STEPS} moves")
