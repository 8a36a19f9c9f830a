"""What holds for every page: caching, headers, links that lead somewhere, errors that help."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.game.registry import Games
from services.container import Services
from services.first_seat import load_first_seat
from tests.support.games import FIRST_MARATHON
from tests.texts import WEB
from tests.web.pages.conftest import Players
from tests.web.pages.readers import read
from web.pages.lobby import agenda


@pytest.fixture
def addresses(players: Players) -> list[str]:
    """Give one address of each kind of page, errors among them."""
    match = players.start("path-capture", {"steps": 3})
    return ["/", f"/m/{match}", f"/m/{match}?at=1", "/games/path-capture", "/m/none", "/nothing"]


DOT_BETWEEN_LINKS = re.compile(r"</a>(?:\{%[^%]*%\}|\s)*(?:&#160;)?·\s*(?:\{%[^%]*%\}\s*)*<a\b")


def test_no_dot_parts_two_links_since_it_would_end_a_line() -> None:
    templates = sorted((WEB / "templates").rglob("*.html"))
    assert templates
    for path in templates:
        assert not DOT_BETWEEN_LINKS.search(path.read_text(encoding="utf-8")), path


def test_a_page_that_has_not_changed_is_not_sent_again(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start()
    for address in ("/", f"/m/{match}", "/games/path-capture"):
        first = visitor.get(address)
        assert first.headers["Cache-Control"] == "no-cache"
        again = visitor.get(address, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    tag = visitor.get(f"/m/{match}").headers["ETag"]
    players.play(match, {"steps": 1})
    assert visitor.get(f"/m/{match}", headers={"If-None-Match": tag}).status_code == 200


def test_head_gives_the_headers_alone(addresses: list[str], visitor: FlaskClient) -> None:
    for address in addresses:
        got, head = visitor.get(address), visitor.head(address)
        assert (head.status_code, head.data) == (got.status_code, b"")
        assert head.headers["Content-Length"] == got.headers["Content-Length"]


def test_pages_may_load_our_own_styles_and_scripts_and_nothing_else(
    addresses: list[str], visitor: FlaskClient
) -> None:
    for address in addresses:
        answer = visitor.get(address)
        parts = answer.headers["Content-Security-Policy"].split(";")
        policy = dict(part.strip().split(" ", 1) for part in parts)
        assert policy["default-src"] == "'none'"
        assert policy["style-src"] == "'self'"
        assert policy["script-src"] == policy["connect-src"] == "'self'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        shown = read(answer.text)
        for script in shown.all("script"):
            assert script.attributes["src"].startswith("/static/")
            assert script.attributes["type"] == "module"
            assert not script.text
        handlers = {name for one in shown.everything() for name in one.attributes}
        assert not [name for name in handlers if name.startswith("on")]
        assert not shown.all("style")
        assert 'style="' not in answer.text


def test_no_link_is_dead(addresses: list[str], visitor: FlaskClient) -> None:
    # The games of the tests have no rule books.
    seen = {f"/games/{slug}" for slug in ("marathon", "whisper")}
    for address in addresses:
        shown = read(visitor.get(address).text)
        ids = {one.attributes["id"] for one in shown.everything() if "id" in one.attributes}
        for one in shown.everything():
            href = one.attributes.get("href") or one.attributes.get("src")
            if href is None:
                continue
            path, _, anchor = href.removeprefix("http://localhost").partition("#")
            if not path:
                assert anchor in ids, f"{address}: #{anchor}"
            elif path not in seen:
                seen.add(path)
                assert path.startswith("/")
                # What is for players alone leads to the log-in.
                answer = visitor.get(path, follow_redirects=True)
                assert answer.status_code == 200, f"{address}: {path}"
                answer.close()
    assert len(seen) > 10


def test_ids_stand_once_on_a_page(addresses: list[str], visitor: FlaskClient) -> None:
    for address in addresses:
        found = read(visitor.get(address).text).everything()
        ids = [one.attributes["id"] for one in found if "id" in one.attributes]
        assert len(set(ids)) == len(ids), address


def test_a_game_page_is_its_rule_book(visitor: FlaskClient) -> None:
    shown = read(visitor.get("/games/path-capture").text)
    assert shown.one("h1").text == "Path Capture"
    assert "Go 1, 2 or 3 nodes forward" in shown.one("article").text


def test_a_match_of_older_rules_leads_to_the_rule_book_that_it_goes_by(
    players: Players, visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "web.pages.games.read_rulebook", lambda game: f"# Rules {game.rules_version}"
    )
    before = Services(players.house.settings, games=Games([FIRST_MARATHON]))
    matches = Players(before).start("marathon"), players.start("marathon")
    before.close()
    shown = []
    for match in matches:
        links = read(visitor.get(f"/m/{match}").text).one("p", class_="kicker").all("a")
        page = read(visitor.get(links[0].attributes["href"]).text)
        elsewhere = [one.attributes["href"] for one in page.one("article").all("a")]
        shown.append((page.one("h1").text, elsewhere))
    assert shown == [("Rules 1", ["/games/marathon"]), ("Rules 2", [])]
    for version in ("3", "-1", "x"):
        assert visitor.get(f"/games/marathon?rules_version={version}").status_code == 404


def test_a_game_page_says_what_it_is_worth_to_begin(
    visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = " ".join(read(visitor.get("/games/grid-power").text).one("article").text.split())
    usual, komi = load_first_seat("grid-power")
    assert f"The first player scored {usual.per_mille / 10:g} of 100 points" in told
    assert f"With komi: 25, the first player scored {komi.per_mille / 10:g} of 100" in told
    assert f"The margin of error is {komi.give} points." in told
    monkeypatch.setattr("web.pages.games.load_first_seat", lambda _: ())
    assert "Who begins" not in visitor.get("/games/grid-power").text


def test_html_in_a_rule_book_stays_text(
    visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = (
        "# Rules\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n| a |\n|---|\n| b |\n"
    )
    monkeypatch.setattr("web.pages.games.read_rulebook", lambda _: book)
    shown = read(visitor.get("/games/path-capture").text)
    assert not shown.one("article").all("script")
    assert not [one for one in shown.all("a") if "javascript" in one.attributes["href"]]
    assert shown.one("article").one("td").text == "b"


@pytest.mark.parametrize("address", ["/nothing", "/m/none", "/games/chess", "/games/"])
def test_an_unknown_address_gets_a_page_that_helps(visitor: FlaskClient, address: str) -> None:
    answer = visitor.get(address)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    shown = read(answer.text)
    assert shown.one("h1").text == "There is nothing here"
    assert shown.one("a", class_="button").attributes["href"] == "/"


@pytest.mark.parametrize(
    ("address", "hint", "logs_in"),
    [
        ("/p/nobody", "the account may be closed", False),
        ("/m/none", "the match may be private", True),
        ("/series/none", "the series may be private", True),
        ("/nothing", "the page may be gone", False),
    ],
)
def test_a_page_that_is_not_there_says_why_by_its_kind(
    visitor: FlaskClient, address: str, hint: str, *, logs_in: bool
) -> None:
    shown = read(visitor.get(address).text)
    assert hint in shown.one("main").text
    assert ("if this is for its players only" in shown.one("main").text) is logs_in


def test_a_fault_of_ours_says_nothing_of_the_inside(
    visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the password is hunter2")

    monkeypatch.setattr(agenda, "answer_page", fail)
    answer = visitor.get("/")
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert "hunter2" not in answer.text
    assert read(answer.text).one("h1").text == "Something went wrong on our side"


def test_too_many_requests_are_told_to_wait(make_app: Callable[..., Flask]) -> None:
    eager = make_app(rate_limit=2).test_client()
    answers = [eager.get("/") for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert answers[-1].mimetype == "text/html"
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert read(answers[-1].text).one("h1").text == "One moment, please"


def test_a_page_takes_no_post(visitor: FlaskClient) -> None:
    answer = visitor.post("/")
    assert (answer.status_code, answer.mimetype) == (405, "text/html")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
