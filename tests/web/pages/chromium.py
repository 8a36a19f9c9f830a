"""Chromium, a service for it to look at, and what axe finds there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Literal, NamedTuple

from axe_playwright_python.base import (  # type: ignore[import-untyped]
    AXE_SCRIPT,
    AxeResults,
)
from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright

from domain.match.clock import instant
from services.container import Services, build
from services.runtime.settings import Settings
from tests.support import servers
from tests.web import showcase
from web.app import create_app

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    # What would be drawn by a graphics card is drawn as plain pixels, not by a model of a card: a
    # sixth less processor time.
    "--disable-software-rasterizer",
    "--disable-background-networking",
]
PATIENCE = 20_000
"""Milliseconds that a busy machine may take for what a person would wait for."""

OPEN_ALL = """document.querySelectorAll('details').forEach((one) => {
    one.removeAttribute('name');
    one.open = true;
})"""
"""Unfolds whatever a page has folded away, also panels of which one is open at a time."""

# Axe leaves this one out unless it is asked for; WCAG 2.2 AA has it.
EVERY_RULE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}

# Looks differ in colours alone: there, only what depends on these (and on widths of edges) is
# asked again, and no style sheet is fetched to know which way up a page is.
RULES_OF_LOOKS = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size"]},
    "preload": False,
}

# What holds is not sent: it would take a third of the time.
RUN_AXE = "(options) => axe.run(options).then(({ violations }) => ({ violations }))"


class Look(NamedTuple):
    """What a reader's device prefers."""

    color_scheme: Literal["light", "dark"]
    contrast: Literal["no-preference", "more"] = "no-preference"


LOOKS = (Look("light"), Look("dark"), Look("light", "more"), Look("dark", "more"))


class Site(NamedTuple):
    """A running service."""

    house: Services
    app: Flask
    url: str

    def wait_until_behind(self, second: str) -> None:
        """Wait until the service's clock is past a second, given as pages write it."""
        ends = monotonic() + PATIENCE / 1000
        while instant(self.house.now()) < f"{second.removesuffix('Z')}.999999Z":
            assert monotonic() < ends, f"it does not become later than {second}"
            sleep(0.02)


@contextmanager
def serving(
    template: Path | None, path: Path, port: int = 0, settings: Settings | None = None
) -> Iterator[Site]:
    """Serve a service from a copy of a migrated database; None: go on with what is there."""
    if template is not None:
        shutil.copy(template, path)
    house = build(replace(settings or Settings(rate_limit=0), database_url=str(path)))
    app = create_app(house)
    showcase.install(app)
    try:
        with servers.serving(app, port) as url:
            yield Site(house, app, url)
    finally:
        house.close()


@contextmanager
def started(chromium: str) -> Iterator[Browser]:
    """Start Chromium, of which every test opens windows of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


def wait_until(page: Page, script: str, value: object = None, *, within: int = PATIENCE) -> None:
    """Wait, for so many milliseconds at most, until ``script`` is true of a page.

    Playwright's own ``wait_for_function`` evaluates it within the page, whose policy forbids that,
    unless it is true at once.
    """
    ends = monotonic() + within / 1000
    while not page.evaluate(script, value):
        assert monotonic() < ends, f"waited in vain for: {script}"
        page.wait_for_timeout(20)


SMALL_TEXTS = """() => [...document.querySelectorAll('.picture text')]
    .filter((one) => one.textContent && one.checkVisibility())
    .map((one) => {
        const { a, b } = one.getScreenCTM();
        const size = parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b);
        return [one.textContent, Math.round(size * 10) / 10];
    }).filter(([, size]) => size < 9)"""
"""What stands on boards, hands and piles in less than nine pixels."""

SHADES = """() => {
    const found = new Set();
    const clear = 'rgba(0, 0, 0, 0)', opaque = /^rgb\\(/;
    // What axe passes over must not count as looked at.
    const passed = (element) => !element.checkVisibility({ visibilityProperty: true })
        || element.closest(':disabled, [aria-disabled=true], [aria-hidden=true], [inert]')
        || element.closest('label')?.control?.disabled;
    const walk = (element, ground, around) => {
        const style = getComputedStyle(element);
        if (style.display === 'none' || style.clip !== 'auto' || style.clipPath !== 'none') return;
        const own = style.backgroundColor;
        let below = opaque.test(own) ? own : own === clear ? ground : `${own} on ${ground}`;
        if (style.backgroundImage !== 'none') below = `${style.backgroundImage} on ${below}`;
        for (const name of ['opacity', 'filter', 'mixBlendMode']) {
            if (!['1', 'none', 'normal'].includes(style[name])) below += ` at ${style[name]}`;
        }
        const pressed = element.matches('a, button, input, select, summary, textarea');
        const written = pressed || [...element.childNodes].some(
            (one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
        if (written && !passed(element)) {
            // Axe lets large texts, and bold ones that are nearly so, be paler.
            const large = parseFloat(style.fontSize) >= (style.fontWeight >= 700 ? 18.6 : 24);
            const edges = [style.textDecorationLine, style.borderTopWidth, style.borderLeftWidth];
            found.add([
                style.color, large, below, style.textShadow, ...(pressed ? [around, ...edges] : []),
            ].join('; '));
        }
        for (const one of element.children) walk(one, below, style.color);
    };
    walk(document.documentElement, 'white', '');
    return [...found];
}"""
"""What is written or pressed on a page: each ink, how large it is, and what it is written on.

What is pressed has edges, and texts around it, as well.
"""

_looked_at: dict[Look, set[str]] = {}
"""What has been on pages on which axe has found nothing, in each look."""


def check(page: Page, where: str, *looks: Look, rules: Mapping[str, object] = EVERY_RULE) -> None:
    """Let axe find nothing on a page, in each of some looks or, by ``rules``, as it is.

    It is asked everything in the first look. Of another look it is asked where a page has
    anything that looks as nothing has looked yet: most of a page looks as it does elsewhere.
    """
    page.evaluate(AXE_SCRIPT)
    if not looks:
        _find_nothing(page, where, rules)
    for number, look in enumerate(looks):
        page.emulate_media(color_scheme=look.color_scheme, contrast=look.contrast)
        if not number:
            _find_nothing(page, f"{where} in {look}", EVERY_RULE)
            continue
        seen, there = _looked_at.setdefault(look, set()), set(page.evaluate(SHADES))
        if there - seen:
            _find_nothing(page, f"{where} in {look}", RULES_OF_LOOKS)
            seen |= there


def _find_nothing(page: Page, where: str, rules: Mapping[str, object]) -> None:
    found = AxeResults(page.evaluate(RUN_AXE, rules))
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"
