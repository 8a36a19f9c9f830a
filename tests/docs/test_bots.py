"""The bot of the documentation plays, whatever breaks: killed, cut off, told old things."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest

from tests.docs.cutting import Cutter
from tests.support.servers import running_server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BOT = ROOT / "docs" / "examples" / "random_bot.py"
PASSWORD = "correct horse battery"
PATIENCE = 60.0


Join: TypeAlias = Callable[..., "Player"]


class Player:
    """Somebody with a token, at a running server."""

    def __init__(self, url: str, name: str, *scopes: str) -> None:
        self.http = httpx.Client(base_url=f"{url}/api/v1", timeout=30)
        account = {"name": name, "password": PASSWORD}
        assert self.http.post("/players", json=account).status_code == 201
        asked = {**account, "scopes": list(scopes)} if scopes else account
        self.token: str = self.http.post("/tokens", json=asked).json()["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def challenge(self, name: str) -> str:
        asked = {"game": "path-capture", "opponent": name, "options": {"length": 21}, "seat": 1}
        answer = self.http.post("/matches", json=asked)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def look(self, match: str) -> Any:  # noqa: ANN401 - JSON
        return self.http.get(f"/matches/{match}").json()

    def until(self, match: str, *, turn: bool) -> Any:  # noqa: ANN401 - JSON
        """Wait until this player is to act (``turn``), or the match is over."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            now = self.look(match)
            if now["status"] in ("finished", "aborted") or (turn and now["to_act"] == now["you"]):
                return now
            time.sleep(0.02)
        raise AssertionError(f"waited in vain: {self.look(match)}")

    def move(self, match: str) -> None:
        legal = self.http.get(f"/matches/{match}/legal-moves").json()
        body = {"move": legal["moves"][0]["move"], "expected_version": legal["version"]}
        assert self.http.post(f"/matches/{match}/moves", json=body).status_code == 201

    def events(self, match: str) -> list[Any]:
        found = self.http.get(f"/matches/{match}/events", params={"limit": 100}).json()
        return list(found["events"])


@contextmanager
def running(url: str, token: str) -> Iterator[subprocess.Popen[str]]:
    """Run the bot as a reader of the documentation would, until the block is left."""
    process = subprocess.Popen(
        [sys.executable, str(BOT), url, token],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


def output(process: subprocess.Popen[str]) -> str:
    """End the bot, and return what it has said."""
    process.kill()
    assert process.stdout is not None
    return process.stdout.read()


@pytest.fixture(scope="module")
def server(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("bots") / "plybook.sqlite"
    path.write_bytes(sqlite_template.read_bytes())
    with running_server(str(path)) as started:
        yield started.url


@pytest.fixture
def join(server: str) -> Iterator[Join]:
    """Give a function that signs somebody up."""
    with ExitStack() as stack:

        def sign_up(name: str, *scopes: str) -> Player:
            player = Player(server, name, *scopes)
            stack.callback(player.http.close)
            return player

        yield sign_up


def bot_moves(player: Player, match: str) -> list[Any]:
    made = [one for one in player.events(match) if one["kind"] == "move-made"]
    return [one for one in made if one["data"]["seat"] == 2]


def test_the_bot_takes_a_challenge_and_plays_to_the_end(server: str, join: Join) -> None:
    ada, bot = join("ada"), join("bot-1", "match:read", "match:play", "bot")
    match = ada.challenge("bot-1")
    with running(server, bot.token) as process:
        while ada.until(match, turn=True)["status"] == "active":
            ada.move(match)
        assert "refused" not in output(process)
    made = bot_moves(ada, match)
    assert made
    assert {one["data"]["cause"] for one in made} == {"bot"}


def test_a_bot_that_was_killed_goes_on_where_it_was(server: str, join: Join) -> None:
    cleo, bot = join("cleo"), join("bot-2")
    match = cleo.challenge("bot-2")
    for _ in range(2):
        with running(server, bot.token):
            cleo.until(match, turn=True)
        # While it is away, a move for it to answer.
        if cleo.look(match)["status"] == "active":
            cleo.move(match)
    with running(server, bot.token) as process:
        now = cleo.until(match, turn=True)
        assert now["status"] != "open"
        assert "refused" not in output(process)
    assert len(bot_moves(cleo, match)) >= 2


def test_a_retry_after_a_lost_answer_is_not_refused(server: str, join: Join) -> None:
    """The move was made, its answer never came; asked again, it is answered, not made again."""
    dora, bot = join("dora"), join("bot-3")
    match = dora.challenge("bot-3")
    with Cutter(server) as cutter, running(cutter.url, bot.token) as process:
        cutter.lose_answers("/moves", 1)
        dora.until(match, turn=True)
        dora.move(match)
        cutter.wait_for_answers("/moves", 2)
        told = output(process)
    assert "no answer, asking again" in told
    assert "refused" not in told
    assert cutter.lost == 1
    first, again = cutter.answers("/moves")[:2]
    assert (first[0], again[0]) == (201, 201)
    assert "idempotent-replayed" in again[1]
    assert len(bot_moves(dora, match)) == 1


def test_a_stale_line_does_not_make_a_bot_play_the_same_move_twice(server: str, join: Join) -> None:
    """The stream breaks after every line, and each opening tells of the present again."""
    emma, bot = join("emma"), join("bot-4")
    match = emma.challenge("bot-4")
    with Cutter(server, stutter=3) as cutter, running(cutter.url, bot.token) as process:
        emma.until(match, turn=True)
        emma.move(match)
        now = emma.until(match, turn=True)
        time.sleep(1.5)
        told = output(process)
    assert "refused" not in told
    assert emma.look(match)["version"] == now["version"]
    assert len(bot_moves(emma, match)) == 1


def test_a_move_decided_on_a_stale_line_changes_nothing(join: Join) -> None:
    """A program that is less careful: it sends what an old line led it to, twice."""
    fred, bot = join("fred"), join("bot-5")
    match = fred.challenge("bot-5")
    assert bot.http.post(f"/matches/{match}/join").status_code == 200
    fred.move(match)
    legal = bot.http.get(f"/matches/{match}/legal-moves").json()
    body = {"move": legal["moves"][0]["move"], "expected_version": legal["version"]}
    path = f"/matches/{match}/moves"
    assert bot.http.post(path, json=body).status_code == 201
    fred.move(match)
    assert bot.http.post(path, json=body).status_code == 412
    assert len(bot_moves(fred, match)) == 1


def test_the_page_shows_the_program_as_it_is() -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    assert BOT.read_text(encoding="utf-8") in page
