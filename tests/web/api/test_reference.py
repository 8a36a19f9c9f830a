"""The documentation of the API in a browser: all of it from here, read without a script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import ConsoleMessage, Request, sync_playwright

from tests.support.servers import serving
from tests.web.pages.chromium import LOOKS, check
from tests.web.pages.readers import read
from web.api.openapi import build_document
from web.api.operations import OPERATIONS


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    """Serve the application, and give its address."""
    with serving(app) as url:
        yield url


def test_every_operation_and_every_schema_stands_on_the_page(app: Flask) -> None:
    answer = app.test_client().get("/api/docs")
    assert answer.mimetype == "text/html"
    shown = read(answer.text)
    assert not shown.all("script")
    assert "style=" not in answer.text
    told = [one.one("summary").text for one in shown.all("details")]
    assert len(told) == len(OPERATIONS) + len(build_document()["components"]["schemas"])
    assert any(one.startswith("POST /matches Create a match") for one in told)
    there = {one.attributes["id"] for one in shown.all("details")}
    there |= {one.attributes["id"] for one in shown.all("h2")}
    links = {one.attributes["href"] for one in shown.all("a")}
    assert {one[1:] for one in links if one.startswith("#")} - {"main"} <= there
    assert "/api/v1/openapi.json" in links


def test_it_comes_once_as_long_as_it_stays_the_same(app: Flask) -> None:
    client = app.test_client()
    answer = client.get("/api/docs")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    again = client.get("/api/docs", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.browser
def test_axe_finds_nothing_on_it_opened_or_not_and_it_asks_nobody_else(
    served: str, chromium: str
) -> None:
    complaints: list[str] = []
    asked: set[str] = set()

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def see(request: Request) -> None:
        asked.add(request.url)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 320, "height": 640})
        page.on("console", hear)
        page.on("request", see)
        page.goto(f"{served}/api/docs")
        check(page, "/api/docs", *LOOKS[:2])
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        # All of it is alike, and takes axe minutes.
        page.evaluate(
            """document.querySelectorAll('details:nth-of-type(n + 2)')
              .forEach((one) => (one.open = false))"""
        )
        check(page, "/api/docs with one of each kind open", *LOOKS[2:])
        browser.close()
    assert complaints == []
    assert {url for url in asked if not url.startswith((served, "data:"))} == set()
