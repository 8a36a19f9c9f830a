"""A page becomes what it should be, and what the reader has opened stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium

from tests.web.pages.chromium import serving

MORPH = Path(__file__).parents[4] / "web" / "static" / "js" / "common" / "morph.js"

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BECOME = """async ([before, after]) => {
    const { become } = await import("/morph.js");
    const place = document.createElement("div");
    place.innerHTML = before;
    place.querySelector("details").open = true;
    become(place, after);
    return [...place.querySelectorAll("details")].map((one) => [one.dataset.key, one.open]);
}"""


def test_an_opened_part_stays_open_and_none_opens_in_its_place(
    sqlite_template: Path, tmp_path: Path, browser: Chromium
) -> None:
    def part(*keys: str) -> str:
        return "".join(f'<details data-key="{key}"><p>{key}</p></details>' for key in keys)

    with serving(sqlite_template, tmp_path / "morph.sqlite") as site, browser.new_page() as page:
        page.route("**/morph.js", lambda route: route.fulfill(path=MORPH))
        page.goto(site.url)
        told = page.evaluate(BECOME, [part("lines", "chat"), part("chat", "lines", "notes")])
        assert told == [["chat", False], ["lines", True], ["notes", False]]
        told = page.evaluate(BECOME, [part("lines", "notes"), part("watchers", "notes")])
        assert told == [["watchers", False], ["notes", False]]
