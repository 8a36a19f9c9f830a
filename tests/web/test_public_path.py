"""The service at an address with a path of its own, behind a proxy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, sync_playwright

from services.runtime.settings import from_environment
from tests.cli.remote.someone import Someone, begun
from tests.support.nginx import documented, running_nginx
from tests.support.ports import free_port
from tests.support.servers import running_server
from tests.web.pages.readers import read
from tests.web.people import PASSWORD, Person

PUBLIC = "https://games.example/plybook"
ROOT = "/plybook"


@pytest.fixture
def client(make_app: Callable[..., Flask]) -> FlaskClient:
    return make_app(public_url=PUBLIC).test_client()


def addresses(page: str) -> list[str]:
    """Return every address in a page of HTML."""
    return re.findall(r'(?:href|src|action|formaction|data-[a-z-]+)="(/[^"]*)"', page)


@pytest.mark.parametrize("before", ["", ROOT])
def test_every_address_on_pages_is_below_the_path(
    client: FlaskClient, ada: Person, bob: Person, before: str
) -> None:
    running = ada.start(bob)["id"]
    opened = ada.create()["id"]
    paths = ("/", "/matches", "/log-in", "/sign-up", "/practice", "/games/power-lines")
    looks = (f"/m/{running}", f"/m/{running}?at=3", f"/m/{running}/embed", f"/m/{opened}", "/none")
    for path in (*paths, *looks):
        answer = client.get(before + path)
        found = addresses(answer.text)
        assert found
        assert {one for one in found if not one.startswith(f"{ROOT}/")} <= {ROOT}, path
        assert f"{PUBLIC}{ROOT}" not in answer.text


@pytest.mark.parametrize("before", ["", ROOT])
def test_addresses_of_the_api_are_below_the_path(client: FlaskClient, before: str) -> None:
    anyone = Person(client)
    ada = anyone.sign_up("ada")
    for _ in range(2):
        ada.create()
    base = f"{before}/api/v1"
    listed = client.get(f"{base}/matches?limit=1")
    assert listed.headers["Link"].startswith(f"<{ROOT}/api/v1/matches?")
    assert anyone.visit(f"{base}/openapi.json").json["servers"] == [{"url": f"{ROOT}/api/v1"}]
    assert anyone.visit(f"{base}/none").json["type"] == f"{PUBLIC}/api/v1/problems/not-found"
    made = ada.ask("POST", f"http://localhost{base}/matches", json={"game": "power-line"})
    assert made.headers["Location"] == f"{ROOT}/api/v1/matches/{made.json['id']}"
    invited = ada.ask("POST", f"http://localhost{base}/matches/{made.json['id']}/invitations")
    assert invited.json["url"].startswith(f"{PUBLIC}/i/")
    exported = anyone.visit(f"{base}/matches/{made.json['id']}/export")
    assert exported.headers["Link"].startswith(f"<{ROOT}/api/v1/verifier>")


def test_the_documentation_names_its_files_from_where_it_is(client: FlaskClient) -> None:
    page = client.get("/api/docs").text
    names = {one for one in re.findall(r'(?:href|src)="([^"]*)"', page) if one[0] != "#"}
    assert len(names) > 3
    for name in names:
        address = urljoin(f"{PUBLIC}/api/docs", name)
        assert address.startswith(f"{PUBLIC}/")
        assert client.get(urlsplit(address).path).status_code == 200


def test_cookies_are_for_the_path_alone(client: FlaskClient) -> None:
    cookie = client.get("/sign-up").headers["Set-Cookie"]
    assert cookie.startswith("__Secure-plybook=")
    assert f"Path={ROOT};" in f"{cookie};"
    assert "Secure" in cookie


def test_who_must_log_in_first_comes_back_below_the_path(client: FlaskClient) -> None:
    led = client.get("/new?game=power-line")
    assert led.headers["Location"] == f"{ROOT}/log-in?next={ROOT}/new?game%3Dpower-line"
    form = read(client.get(led.headers["Location"]).text)
    nexts = [one for one in form.all("input") if one.attributes.get("name") == "next"]
    assert {one.attributes["value"] for one in nexts} >= {f"{ROOT}/new?game=power-line"}
    other = client.get("/log-in?next=/other-application").text
    assert 'value="/other-application"' not in other


def test_a_prefix_is_believed_of_trusted_proxies_alone(make_app: Callable[..., Flask]) -> None:
    def link(prefix: str, **settings: Any) -> str:  # noqa: ANN401 - any setting
        client = make_app(**settings).test_client()
        page = client.get("/", headers={"X-Forwarded-Prefix": prefix}).text
        return next(one for one in addresses(page) if one.endswith("/log-in"))

    assert link("/games", trusted_proxies=1) == "/games/log-in"
    assert link("/spoofed, /games/", trusted_proxies=1) == "/games/log-in"
    assert link("/games") == "/log-in"
    assert link("/games", trusted_proxies=1, public_url=PUBLIC) == f"{ROOT}/log-in"
    for wrong in ("//evil.example", "https://evil.example", "/a b", '/"><script>', "/a//b", "/"):
        assert link(wrong, trusted_proxies=1) == "/log-in"


def test_an_address_whose_path_cannot_be_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYBOOK_PUBLIC_URL", "https://games.example/a b")
    with pytest.raises(ValueError, match="PLYBOOK_PUBLIC_URL may have letters"):
        from_environment()


class Behind(NamedTuple):
    """The service behind nginx: its public address, and what nginx logs."""

    url: str
    log: Path


@pytest.fixture(
    scope="module", params=["/plybook", ""], ids=["below a path", "on a host of its own"]
)
def behind(
    request: pytest.FixtureRequest, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Behind]:
    """Serve behind nginx for all of these tests: the players of each have names of their own."""
    place = tmp_path_factory.mktemp("behind")
    path = str(copyfile(sqlite_template, place / "plybook.sqlite"))
    port, own = free_port(), free_port()
    url = f"http://127.0.0.1:{port}{request.param}"
    blocks = documented(path=bool(request.param))
    with (
        running_nginx(place / "nginx", blocks, port, own) as log,
        running_server(path, port=own, public_url=url, trusted_proxies=1),
    ):
        yield Behind(url, log)


@pytest.mark.slow
def test_the_api_works_behind_nginx(behind: Behind) -> None:
    url = behind.url
    with httpx.Client(timeout=30) as http:
        account = {"name": "ada", "password": PASSWORD}
        assert http.post(f"{url}/api/v1/players", json=account).status_code == 201
        issued = http.post(f"{url}/api/v1/tokens", json={**account, "label": "x"}).json()
        token = {"Authorization": f"Bearer {issued['token']}"}
        wanted = {"game": "power-line"}
        http.post(f"{url}/api/v1/matches", json=wanted, headers=token)
        made = http.post(f"{url}/api/v1/matches", json=wanted, headers=token)
        shown = http.get(urljoin(url, made.headers["Location"]))
        assert shown.json()["id"] == made.json()["id"]
        listed = http.get(f"{url}/api/v1/matches?limit=1")
        following = re.findall(r"<(.*?)>", listed.headers["Link"])[0]
        assert http.get(urljoin(url, following)).status_code == 200
        served = http.get(f"{url}/api/v1/openapi.json").json()["servers"][0]["url"]
        assert http.get(urljoin(url, f"{served}/games")).status_code == 200
        problem = http.get(f"{url}/api/v1/none").json()
        assert http.get(problem["type"]).status_code == 200
        stream = f"{url}/api/v1/matches/{made.json()['id']}/stream"
        with http.stream("GET", stream) as told:
            lines = told.iter_lines()
            assert next(line for line in lines if line.startswith("data:"))
    # An invitation may be in a path: the document has nginx log none.
    assert not behind.log.exists() or behind.log.read_text() == ""


@pytest.mark.slow
def test_the_program_plays_behind_nginx(behind: Behind, tmp_path: Path) -> None:
    ada = Someone(behind.url, "adam", tmp_path / "ada")
    bob = Someone(behind.url, "bert", tmp_path / "bob")
    match = begun(ada, bob)
    assert match in ada.done("turns")
    link = re.search(r"http\S+/i/\S+", ada.done("challenge", "power-line", "--invite"))
    assert link is not None
    assert link[0].startswith(f"{behind.url}/i/")
    assert httpx.get(link[0]).status_code == 200


@pytest.mark.slow
@pytest.mark.browser
def test_people_play_behind_nginx(behind: Behind, chromium: str) -> None:
    wrong: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on(
            "request",
            lambda asked: None if asked.url.startswith(behind.url) else wrong.append(asked.url),
        )
        click_through(page, behind.url)
        browser.close()
    assert wrong == []


def click_through(page: Page, url: str) -> None:
    """Sign up, begin a practice match and let the scripts load it, look at the documentation."""
    page.goto(f"{url}/")
    page.locator("header a[href$='/sign-up']").first.click()
    page.fill("input[name=name]", "alma")
    page.fill("input[name=password]", PASSWORD)
    page.fill("input[name=again]", PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.get_by_role("button", name="Log out").first.wait_for(state="attached")
    page.goto(f"{url}/practice")
    page.locator("main a[href$='game=power-line']").first.click()
    page.get_by_role("button", name="Play both seats").click()
    page.wait_for_url(re.compile(r"/m/[0-9a-z]{16}"))
    page.locator("html.settled").wait_for(state="attached")
    assert page.evaluate("globalThis.plybook.loaded.then(() => true)")
    assert page.evaluate("document.styleSheets.length") > 0
    names = {one["name"]: one["path"] for one in page.context.cookies()}
    assert names == dict.fromkeys(("plybook", "plybook-practice"), urlsplit(url).path or "/")
    page.goto(f"{url}/api/docs")
    page.wait_for_selector("details.operation")
