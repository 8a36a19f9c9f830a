"""The documentation of the API in a browser: all of it from here, nothing against the policy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import ConsoleMessage, Request, sync_playwright

from tests.support.servers import serving
from web.api.operations import OPERATIONS


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    """Serve the application, and give its address."""
    with serving(app) as url:
        yield url


def test_the_page_and_its_files_come_from_here(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/api/docs")
    assert page.mimetype == "text/html"
    assert "<script>" not in page.text
    assert "style=" not in page.text
    for name in ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "init.js"):
        assert f'"docs/{name}"' in page.text
        answer = client.get(f"/api/docs/{name}")
        assert answer.status_code == 200
        again = client.get(f"/api/docs/{name}", headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304


@pytest.mark.browser
def test_the_page_shows_every_operation_within_its_policy(served: str, chromium: str) -> None:
    complaints: list[str] = []
    asked: set[str] = set()

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def see(request: Request) -> None:
        asked.add(request.url)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", see)
        page.goto(f"{served}/api/docs")
        page.wait_for_selector(".opblock")
        assert page.locator(".opblock").count() == len(OPERATIONS)
        page.locator(".opblock-summary-control").first.click()
        page.wait_for_selector(".opblock-body")
        browser.close()
    assert complaints == []
    assert {url for url in asked if not url.startswith((served, "data:"))} == set()
