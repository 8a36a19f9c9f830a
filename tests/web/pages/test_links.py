"""No page that there is leads nowhere: every link, form, picture and script is followed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from flask import Flask

from services.container import Services
from services.runtime.settings import Settings
from tests.web.pages.browsing import Browser
from tests.web.pages.furnishing import Furnished, FurnishedFile, endpoint_of, page_endpoints
from tests.web.pages.readers import Element, read
from web.app import create_app

pytestmark = pytest.mark.slow

MISSING = ("/m/none", "/games/none", "/nothing")
HERE = "http://localhost"


@pytest.fixture(scope="module")
def whole_house(
    furnished_whole: FurnishedFile, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Services]:
    """Give a house with the games of the installation alone: each has a rule book."""
    path = tmp_path_factory.mktemp("links") / "links.sqlite"
    shutil.copy(furnished_whole.path, path)
    house = Services(Settings(database_url=str(path), rate_limit=0))
    yield house
    house.close()


@pytest.fixture(scope="module")
def whole_app(whole_house: Services) -> Flask:
    """Give its application."""
    return create_app(whole_house)


@pytest.fixture(scope="module")
def furnished(whole_app: Flask, furnished_whole: FurnishedFile) -> Furnished:
    """Say what there is on every page."""
    return furnished_whole.of(whole_app)


def test_every_page_that_there_is_has_an_address_here(
    whole_app: Flask, furnished: Furnished
) -> None:
    known = {endpoint_of(whole_app, one) for one in (*furnished.visitors, *furnished.players)}
    assert set(page_endpoints(whole_app)) - known == set()


def test_no_link_of_a_visitor_is_dead(whole_app: Flask, furnished: Furnished) -> None:
    assert _walk(whole_app, Browser(whole_app), furnished.visitors) > 100


def test_no_link_of_a_player_is_dead(whole_app: Flask, furnished: Furnished) -> None:
    assert _walk(whole_app, furnished.cora, furnished.players) > 100


def _walk(app: Flask, browser: Browser, begin: list[str]) -> int:
    """Follow all links from some addresses on; of those that differ in numbers alone, one."""
    waiting, known = list(begin), {_kind(app, one) for one in begin}
    adapter = app.url_map.bind("localhost")
    while waiting:
        address = waiting.pop()
        answer = browser.client.get(address)
        if answer.status_code == 303:
            waiting += _unknown(app, known, [_local(address, answer.headers["Location"])])
            continue
        assert (answer.status_code == 404) == (address.partition("?")[0] in MISSING), address
        assert answer.status_code in (200, 404), f"{address}: {answer.status_code}"
        if answer.mimetype != "text/html" or address.startswith("/api/"):
            answer.close()
            continue
        shown = read(answer.text)
        _is_clean(address, shown)
        for form in shown.all("form"):
            method = form.attributes.get("method", "get").upper()
            path = urlsplit(urljoin(address, form.attributes.get("action", ""))).path
            assert method == "DIALOG" or adapter.test(path, method), f"{address}: form to {path}"
        waiting += _unknown(app, known, _addresses(address, shown))
    return len(known)


def _is_clean(address: str, shown: Element) -> None:
    """Scripts and styles are files of ours, ids stand once, and what is written is no markup."""
    everything = shown.everything()
    for script in shown.all("script"):
        assert script.attributes["src"].startswith("/static/"), address
        assert not script.text
    assert not shown.all("style")
    names = {name for one in everything for name in one.attributes}
    assert not [name for name in names if name == "style" or name.startswith("on")], address
    ids = [one.attributes["id"] for one in everything if "id" in one.attributes]
    assert len(set(ids)) == len(ids), (
        f"{address}: {sorted(one for one in ids if ids.count(one) > 1)}"
    )
    assert not [one for one in shown.all("b") if "evil" in one.text], address


def _addresses(address: str, shown: Element) -> Iterator[str]:
    """Name what a page leads to or loads; its links to its own parts must lead to one."""
    ids = {one.attributes["id"] for one in shown.everything() if "id" in one.attributes}
    for one in shown.everything():
        found = one.attributes.get("href") or one.attributes.get("src")
        if found is None:
            continue
        if found.startswith("#"):
            # What is marked as shown now stands in a list that has a mark or is not begun.
            assert found[1:] in ids or found == "#now", f"{address}: {found}"
            continue
        yield _local(address, found)


def _local(address: str, found: str) -> str:
    whole = urljoin(f"{HERE}{address}", found)
    assert whole.startswith(f"{HERE}/"), f"{address} leads away, to {whole}"
    return whole.removeprefix(HERE).partition("#")[0]


def _unknown(
    app: Flask, known: set[tuple[object, ...]], found: list[str] | Iterator[str]
) -> list[str]:
    fresh = []
    for one in found:
        kind = _kind(app, one)
        if kind not in known:
            known.add(kind)
            fresh.append(one)
    return fresh


def _kind(app: Flask, address: str) -> tuple[object, ...]:
    """Return what tells an address from others: where it leads, and what it asks for.

    Of the steps of a replay or of a move being entered, one on each match stands for all.
    """
    parts = urlsplit(address)
    asked = parse_qsl(parts.query, keep_blank_values=True)
    endpoint = endpoint_of(app, address)
    if endpoint is None or endpoint.startswith("api."):
        return (parts.path,)
    return (parts.path, *sorted({name for name, _ in asked}))
