"""What pages cost their readers in Chromium, each against what it may: bytes, requests, seconds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from services.store.schema import upgrade
from tests.bench.databases import Bed
from tests.bench.rounds import Ratio
from tests.web.pages.chromium import started
from tests.web.pages.metering import (
    FIRST_PAGE_BYTES,
    HOUR_BYTES,
    RELOAD_REQUESTS,
    REPLAY_BYTES,
    REQUESTS,
    USABLE_WITHIN,
    Staged,
    Tab,
    metered,
    open_for_an_hour,
    staged,
    usable_after,
)


def site(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure pages of a real server; they are the same over every database, so SQLite does."""
    del rounds
    if bed.name != "SQLite":
        return
    browser = os.environ.get("TEST_CHROMIUM")
    if not browser:
        print("site is left out: set TEST_CHROMIUM=/path/to/chromium")
        return
    with TemporaryDirectory() as folder:
        database = Path(folder) / "site.sqlite"
        upgrade(str(database))
        with staged(database) as stage, started(browser) as chromium:
            yield from _opened(stage, chromium)
            yield from _left_open(stage, chromium)
            yield from _used(stage, chromium)


def _opened(stage: Staged, chromium: Browser) -> Iterator[Ratio]:
    with chromium.new_context() as context, metered(context) as (page, meter):
        page.goto(stage.url, wait_until="networkidle")
        page.evaluate("plybook.loaded")
        told = f"{meter.bytes / 1000:.1f} kB, {len(meter.requests)} requests"
        yield _at_most("kB of the first page", meter.bytes / 1000, FIRST_PAGE_BYTES / 1000, told)
        yield _at_most("requests of the first page", len(meter.requests), REQUESTS, told)
    with chromium.new_context() as context, metered(context) as (page, meter):
        page.goto(f"{stage.url}/m/{stage.over}?at=60", wait_until="networkidle")
        page.evaluate("plybook.loaded")
        told = f"{meter.bytes / 1000:.1f} kB, {len(meter.requests)} requests"
        yield _at_most(
            "kB of a replay of 130 events", meter.bytes / 1000, REPLAY_BYTES / 1000, told
        )
        yield _at_most("requests of it", len(meter.requests), REQUESTS, told)
        meter.reset()
        page.reload(wait_until="networkidle")
        page.evaluate("plybook.loaded")
        told = f"{meter.bytes / 1000:.1f} kB"
        yield _at_most("requests of a reload of it", len(meter.requests), RELOAD_REQUESTS, told)


def _left_open(stage: Staged, chromium: Browser) -> Iterator[Ratio]:
    pages = {"a match": f"/m/{stage.running}", "a replay": f"/m/{stage.over}", "the agenda": "/"}
    for name, address in pages.items():
        for hidden in (False, True):
            with chromium.new_context() as context:
                stage.of_player(context)
                with metered(context) as (page, meter):
                    [cost] = open_for_an_hour(Tab(page, meter, stage.url + address, hidden))
                    told = f"{len(meter.requests)} requests"
            how = "hidden" if hidden else "seen"
            yield _at_most(f"kB of an hour of {name}, {how}", cost / 1000, HOUR_BYTES / 1000, told)


def _used(stage: Staged, chromium: Browser) -> Iterator[Ratio]:
    for sample in stage.pages:
        took = usable_after(chromium, stage, sample, USABLE_WITHIN)
        told = "360 px, 1.6 Mbit/s, 150 ms, processor four times slower"
        name = f"seconds until {sample.name} can be used"
        yield _at_most(name, took / 1000, USABLE_WITHIN / 1000, told)


def _at_most(name: str, value: float, goal: float, told: str) -> Ratio:
    return Ratio(name, value, goal, told, at_most=True)
