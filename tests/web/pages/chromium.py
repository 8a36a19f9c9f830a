"""Chromium, a service for it to look at, and what axe finds there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
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

from domain.match.clock import format_instant
from services.container import Services
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
    # Of such lists the last counts, so playwright's is repeated, but for other systems. Behind it:
    # a document of its own for each page takes a tenth more processor time.
    (
        "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,"
        "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,"
        "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,"
        "NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
        "RenderDocument"
    ),
]
PATIENCE = 20_000
"""Milliseconds that a busy machine may take for what a person would wait for."""

OPEN_ALL = """document.querySelectorAll('details').forEach((one) => {
    one.removeAttribute('name');
    one.open = true;
})"""
"""Unfolds whatever a page has folded away, also panels of which one is open at a time."""

# Axe leaves this one out unless it is asked for; WCAG 2.2 AA has it.
# No style sheet is fetched: the rule that reads them, by which way up a page is, is an experiment.
EVERY_RULE = {
    "resultTypes": ["violations"],
    "rules": {"target-size": {"enabled": True}},
    "preload": False,
}

# Looks differ in colours alone: there, only what depends on these (and on widths of edges) is
# asked again.
RULES_OF_LOOKS = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size"]},
    "preload": False,
}

# What goes by colours takes two thirds of axe's time: it is asked of what is marked alone.
INSTALL_AXE = f"""{AXE_SCRIPT};
axe.configure({{ rules: [
    {{ id: 'color-contrast', selector: '[data-fresh]' }},
    {{ id: 'link-in-text-block', selector: ':is(a[href], [role=link])[data-fresh]' }},
] }});"""

# What holds is not sent: it would take a third of the time.
RUN_AXE = """([options, fresh]) => {
    const marked = fresh.flatMap((shade) => plybookShades.get(shade));
    for (const one of marked) one.dataset.fresh = '';
    return axe.run(options).then(({ violations }) => ({ violations })).finally(() => {
        for (const one of marked) delete one.dataset.fresh;
    });
}"""


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
        while format_instant(self.house.now()) < f"{second.removesuffix('Z')}.999999Z":
            assert monotonic() < ends, f"it does not become later than {second}"
            sleep(0.02)


@contextmanager
def serving(
    template: Path | None, path: Path, port: int = 0, settings: Settings | None = None
) -> Iterator[Site]:
    """Serve a service from a copy of a migrated database; None: go on with what is there."""
    if template is not None:
        shutil.copy(template, path)
    house = Services(replace(settings or Settings(rate_limit=0), database_url=str(path)))
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
    .filter((one) => one.getBoundingClientRect().width && one.checkVisibility())
    .map((one) => {
        const { a, b } = one.getScreenCTM();
        const size = parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b);
        return [one.textContent, Math.round(size * 10) / 10];
    }).filter(([, size]) => size < 9)"""
"""What stands on boards, hands and piles in less than nine pixels."""

SHADES = """() => {
    const found = globalThis.plybookShades = new Map(), painted = [], inks = [];
    const clear = 'rgba(0, 0, 0, 0)', opaque = /^rgb\\(/;
    // What axe passes over must not count as looked at.
    const passed = (element) => !element.checkVisibility({ visibilityProperty: true })
        || element.closest(':disabled, [aria-disabled=true], [aria-hidden=true], [inert]')
        || element.closest('label')?.control?.disabled;
    const walk = (element, ground, around) => {
        const style = getComputedStyle(element);
        if (style.display === 'none' || style.clipPath === 'inset(50%)') return;
        const own = style.backgroundColor;
        let below = opaque.test(own) ? own : own === clear ? ground : `${own} on ${ground}`;
        if (style.backgroundImage !== 'none') below = `${style.backgroundImage} on ${below}`;
        if (own !== clear || style.backgroundImage !== 'none') {
            painted.push([element, element.getBoundingClientRect(), below]);
        }
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
            inks.push([element, [
                style.color, large, below, style.textShadow, ...(pressed ? [around, ...edges] : []),
            ].join('; ')]);
        }
        for (const one of element.children) walk(one, below, style.color);
    };
    walk(document.documentElement, 'white', '');
    for (const [element, ink] of inks) {
        const box = element.getBoundingClientRect();
        const others = painted.filter(([one, { left, top, right, bottom }]) =>
            left < box.right - 1 && right > box.left + 1
            && top < box.bottom - 1 && bottom > box.top + 1
            && !one.contains(element) && !element.contains(one));
        const shade = [ink, ...new Set(others.map(([, , below]) => below))].join(' beside ');
        found.set(shade, [...(found.get(shade) ?? []), element]);
    }
    return [...found.keys()];
}"""
"""What is written or pressed on a page: each ink, how large it is, and what it is written on.

What is pressed has edges, and texts around it, as well. What it is written on are the elements
around it, and whatever lies over or under it from elsewhere.
"""

_looked_at: set[str] = set()
"""What has been on pages on which axe has found nothing."""


def check(page: Page, where: str, *looks: Look, whole: bool = True) -> None:
    """Let axe find nothing on a page, in each of some looks or as it is.

    It is asked everything once; not ``whole``: only what goes by colours. Of these, it is asked
    where a page has anything that looks as nothing has looked yet: most of a page looks as it does
    elsewhere.
    """
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(INSTALL_AXE)
    for number, look in enumerate(looks or (None,)):
        if look:
            page.emulate_media(color_scheme=look.color_scheme, contrast=look.contrast)
        fresh = [shade for shade in page.evaluate(SHADES) if shade not in _looked_at]
        everything = whole and not number
        if fresh or everything:
            rules = EVERY_RULE if everything else RULES_OF_LOOKS
            found = AxeResults(page.evaluate(RUN_AXE, [rules, fresh]))
            assert found.violations_count == 0, f"{where} in {look}: {found.generate_report()}"
            _looked_at.update(fresh)
