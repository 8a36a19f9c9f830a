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
from services.talk.chat import Speaker
from tests.web.pages.browsing import Browser, Pair, identity
from web.pages.common.news import News
from web.site import site_of


def events(raw: bytes) -> list[tuple[int, str]]:
    """Return the ids and kinds of a stream's messages."""
    found = []
    for block in raw.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "id" in lines:
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


def test_the_page_of_a_match_names_a_stream_of_its_own_and_a_frame_of_others_the_public_one(
    pair: Pair, private: str
) -> None:
    public = pair.start("path-capture")
    for address, stream in (
        (private, f"{private}/stream"),
        (public, f"{public}/stream"),
        (f"{public}/embed", f"/api/v1/matches/{identity(public)}/stream"),
    ):
        board = pair.browsers[0].page(address).one("section", id="board")
        assert orjson.loads(board.attributes["data-replay"])["stream"] == stream


def news(raw: bytes) -> dict[str, str]:
    """Return what a stream tells beside events: names and data, the last of each."""
    blocks = [one.splitlines() for one in raw.decode().split("\n\n") if "event: " in one]
    return {
        lines[0].removeprefix("event: "): lines[1].removeprefix("data: ")
        for lines in blocks
        if lines[0].startswith("event: ")
    }


def test_it_tells_how_many_matches_wait_and_that_something_was_said(pair: Pair) -> None:
    match, other = pair.start("path-capture"), pair.start("path-capture")
    answer = opened(pair.browsers[1], match)
    chunks = answer.iter_encoded()
    next(chunks)
    begun = news(next(chunks))
    assert begun == {"turns": "0", "talk": "0.0"}
    move(pair, other)
    assert news(next(chunks)) == {"turns": "1"}
    pair.house.chat.say(pair.ids[0], identity(match), "players", "hello")
    assert news(next(chunks)) == {"talk": "1.1"}
    pair.house.chat.delete(Speaker(pair.ids[0]), identity(match), "players", 1)
    assert news(next(chunks)) == {"talk": "1.0"}
    shown = pair.browsers[1].page(match).one("details", data_key="players")
    assert shown.attributes["data-mark"] == "1.0"
    answer.close()


def test_players_hear_nothing_of_what_is_said_by_those_who_watch(pair: Pair, app: Flask) -> None:
    match = pair.start("path-capture")
    eve = Browser(app).sign_up("eve")
    watching, playing = opened(eve, match), opened(pair.browsers[1], match)
    told = [answer.iter_encoded() for answer in (watching, playing)]
    for chunks in told:
        next(chunks)
    assert [news(next(chunks)) for chunks in told] == [{"turns": "0", "talk": "0.0"}] * 2
    watcher = pair.house.accounts.find("eve")
    assert watcher is not None
    pair.house.chat.say(watcher.id, identity(match), "spectators", "node 7!")
    assert news(next(told[0])) == {"talk": "1.1"}
    pair.house.chat.say(pair.ids[0], identity(match), "players", "hello")
    assert news(next(told[1])) == {"talk": "1.1"}
    for answer in (watching, playing):
        answer.close()


def test_who_looks_on_sees_what_all_see_who_do_also_with_an_account(
    pair: Pair, somebody: Browser, app: Flask
) -> None:
    match = pair.start("power-lines")
    told = []
    for one in (somebody, Browser(app).sign_up("eve")):
        answer = opened(one, match)
        chunks = answer.iter_encoded()
        next(chunks)
        told.append(next(chunks).partition(b"event: ")[0])
        answer.close()
    assert told[0] == told[1]
    assert events(told[0])


def test_a_poll_says_the_same_as_the_stream(pair: Pair, somebody: Browser) -> None:
    match = identity(pair.start("path-capture"))
    pair.house.chat.say(pair.ids[0], match, "players", "hello")
    for one, said in ((pair.browsers[1], "1.1"), (somebody, "0.0")):
        assert one.get(f"/caller?of={match}").headers["Plybook-Talk"] == said
        assert "Plybook-Talk" not in one.get("/caller?of=nothing").headers
        assert "Plybook-Talk" not in one.get("/caller").headers
    private = identity(pair.start("path-capture", visibility="private", opponent="dan"))
    assert "Plybook-Talk" not in somebody.get(f"/caller?of={private}").headers


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
    last = house.queries.show_events(Asker(pair.ids[0]), identity(private)).version
    answer = opened(pair.browsers[1], private, f"?after={last}")
    assert (answer.status_code, answer.data) == (204, b"")


def test_who_was_there_at_the_end_hears_what_comes_after_it(pair: Pair, app: Flask) -> None:
    match = pair.start("path-capture")
    eve = Browser(app).sign_up("eve")
    playing, watching = (opened(one, match) for one in (pair.browsers[1], eve))
    told = [answer.iter_encoded() for answer in (playing, watching)]
    for chunks in told:
        next(chunks)
        next(chunks)
    pair.browsers[0].send(f"{match}?ask=resign", f"{match}/actions")
    for chunks in told:
        assert events(next(chunks))[-1][1] == "match-ended"
    watcher = pair.house.accounts.find("eve")
    assert watcher is not None
    pair.house.chat.say(watcher.id, identity(match), "spectators", "well played")
    assert [news(next(chunks))["talk"] for chunks in told] == ["0.0-1.1", "1.1"]
    assert pair.browsers[0].send(match, f"{match}/rematch").status_code == 303
    asked = news(next(told[0]))["talk"]
    assert asked.endswith(".open")
    assert pair.browsers[1].get(f"/caller?of={identity(match)}").headers["Plybook-Talk"] == asked
    mark = pair.browsers[1].page(match).one("details", data_key="players").attributes["data-mark"]
    assert mark == asked
    for answer in (playing, watching):
        answer.close()


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


def test_a_move_of_others_costs_who_watches_it_no_look_at_their_own_matches(
    pair: Pair, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = pair.start("path-capture")
    eve = Browser(app).sign_up("eve")
    answer = opened(eve, match)
    chunks = answer.iter_encoded()
    next(chunks)
    assert news(next(chunks)) == {"turns": "0", "talk": "0.0"}
    monkeypatch.setattr(News, "_format_new", lambda _: b"event: looked\ndata: 1\n\n")
    move(pair, match)
    told = next(chunks)
    assert (events(told)[0][1], news(told)) == ("move-made", {})
    watcher = pair.house.accounts.find("eve")
    assert watcher is not None
    pair.house.chat.say(watcher.id, identity(match), "spectators", "node 7!")
    assert news(next(chunks)) == {"looked": "1"}
    answer.close()


def counting(browser: Browser) -> TestResponse:
    return browser.client.get("/turns", buffered=False)


def test_a_page_without_a_match_is_told_how_many_wait_as_it_changes(
    pair: Pair, somebody: Browser
) -> None:
    match = pair.start("path-capture")
    answer = counting(pair.browsers[1])
    assert (answer.content_type, answer.headers["Cache-Control"]) == (
        "text/event-stream",
        "no-store",
    )
    chunks = answer.iter_encoded()
    assert next(chunks) == b"retry: 2000\n\n"
    own = pair.house.agenda.make_mark(pair.ids[1])
    assert news(next(chunks)) == {"turns": "0", "own": own}
    move(pair, match)
    own = pair.house.agenda.make_mark(pair.ids[1])
    assert news(next(chunks)) == {"turns": "1", "own": own}
    pair.browsers[1].log_out()
    move_back = ChangeRequest(pair.ids[1], any_version=True)
    pair.house.matches.play(move_back, identity(match), {"steps": 1})
    assert list(chunks) == []
    assert counting(somebody).status_code == 204
    answer.close()


def test_a_player_holds_few_of_these_and_the_newest_have_the_places(pair: Pair, app: Flask) -> None:
    streams = site_of(app).streams
    answers = [counting(pair.browsers[0]) for _ in range(3)]
    assert streams.taken == 2
    chunks = answers[0].iter_encoded()
    next(chunks)
    assert next(chunks) == b"event: replaced\ndata: {}\n\n"
    for one in answers:
        one.close()
    assert streams.taken == 0
    streams.most = 2
    other = counting(pair.browsers[1])
    following = opened(pair.browsers[0], pair.start("path-capture"))
    assert counting(pair.browsers[1]).status_code == 200
    assert streams.taken == 2
    for one in (other, following):
        one.close()
