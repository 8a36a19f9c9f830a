"""A private match is followed by its players, whom the cookie of their browser names."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest
from tests.web.pages.browsing import Browser, Pair, identity
from web.site import site_of


def events(raw: bytes) -> list[tuple[int, str]]:
    """Return the ids and kinds of a stream's messages."""
    found = []
    for block in raw.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in lines:
            found.append((int(lines["id"].partition("-")[0]), orjson.loads(lines["data"])["kind"]))
    return found


def opened(browser: Browser, match: str, query: str = "", **headers: str) -> TestResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return browser.client.get(f"{match}/stream{query}", headers=named, buffered=False)


def move(pair: Pair, match: str) -> None:
    """Let cora move."""
    request = ChangeRequest(pair.ids[0], any_version=True)
    pair.house.matches.play(request, identity(match), {"steps": 1})


@pytest.fixture
def private(pair: Pair) -> str:
    """Start a private match; give its address."""
    match = pair.browsers[0].new_match("path-capture", visibility="private", opponent="dan")
    assert pair.browsers[1].join(match).status_code == 303
    return match


def test_the_page_of_a_private_match_names_a_stream_of_its_own(pair: Pair, private: str) -> None:
    public = pair.start("path-capture")
    for match, stream in (
        (private, f"{private}/stream"),
        (public, f"/api/v1/matches/{identity(public)}/stream"),
    ):
        board = pair.browsers[0].page(match).one("section", id="board")
        assert orjson.loads(board.attributes["data-replay"])["stream"] == stream


def test_players_are_told_at_once_and_only_what_they_may_see(pair: Pair, private: str) -> None:
    answer = opened(pair.browsers[1], private)
    assert answer.content_type == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    chunks = answer.iter_encoded()
    assert next(chunks) == b"retry: 2000\n\n"
    before = events(next(chunks))
    assert [version for version, _ in before] == list(range(1, len(before) + 1))
    move(pair, private)
    assert events(next(chunks)) == [(len(before) + 1, "move-made")]
    answer.close()
    assert events(next(_rest(pair.browsers[1], private, "?after=2")))[0][0] == 3
    assert events(next(_rest(pair.browsers[1], private, "?after=1", Last_Event_ID="3")))[0][0] == 4


def _rest(browser: Browser, match: str, query: str, **headers: str) -> Iterator[bytes]:
    answer = opened(browser, match, query, **headers)
    chunks = answer.iter_encoded()
    next(chunks)
    yield next(chunks)
    answer.close()


def test_nobody_else_can_follow_it(pair: Pair, private: str, app: Flask) -> None:
    for other in (Browser(app), Browser(app).sign_up("eve")):
        answer = opened(other, private)
        assert answer.status_code == 404
        answer.close()
    assert opened(pair.browsers[0], private, "?after=x").status_code == 400
    assert opened(pair.browsers[0], private, Last_Event_ID="x").status_code == 400


def test_it_ends_when_the_player_logs_out(pair: Pair, private: str) -> None:
    answer = opened(pair.browsers[0], private)
    chunks = answer.iter_encoded()
    next(chunks)
    next(chunks)
    pair.browsers[0].log_out()
    move(pair, private)
    assert list(chunks) == []
    answer.close()


def test_one_who_has_everything_of_a_match_that_is_over_need_not_come_back(
    pair: Pair, private: str, house: Services
) -> None:
    pair.browsers[0].send(f"{private}?ask=resign", f"{private}/actions")
    last = house.looking.events(Asker(pair.ids[0]), identity(private)).version
    answer = opened(pair.browsers[1], private, f"?after={last}")
    assert (answer.status_code, answer.data) == (204, b"")


def test_an_open_stream_holds_a_place_and_gives_it_back(
    pair: Pair, private: str, app: Flask
) -> None:
    streams = site_of(app).streams
    answer = opened(pair.browsers[0], private)
    assert streams.taken == 1
    answer.close()
    assert streams.taken == 0
    assert pair.browsers[0].client.head(f"{private}/stream").content_type == "text/event-stream"
    assert streams.taken == 0
