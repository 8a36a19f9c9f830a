"""``plybook remote`` on lines that break, on terminals and in pipes."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from shutil import copyfile
from subprocess import PIPE, STDOUT
from threading import Thread
from typing import IO

import pytest
from typing_extensions import override

from cli.remote.connection import Connection
from cli.remote.replays import follow_events
from tests.cli.processes import CODE, PATIENCE, Terminal, environment, piped
from tests.cli.remote.someone import Someone, begun
from tests.docs.cutting import Cutter
from tests.support.ports import free_port
from tests.support.servers import running_server
from tests.support.warm import WarmPopen

pytestmark = pytest.mark.slow


def watching(told: list[str], *words: str, **env: str) -> Thread:
    """Watch a match in a process of its own; what it prints is added to ``told``."""

    def run() -> None:
        done = piped(["remote", "watch", *words], environment(Path("/nowhere"), **env))
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)

    watcher = Thread(target=run)
    watcher.start()
    return watcher


def test_a_match_is_watched_to_its_end_through_a_broken_line(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    token = json.loads(bob.file.read_text(encoding="utf-8"))["token"]
    told: list[str] = []
    with Cutter(ada.url, breaks=3) as cutter:
        watcher = watching(told, match, "--json", PLYBOOK_URL=cutter.url, PLYBOOK_TOKEN=token)
        ada.done("move", match, "3=3")
        bob.done("move", match, "5=2")
        ada.done("resign", match, "--yes")
        watcher.join(60)
    versions = [json.loads(line)["version"] for line in told[0].splitlines()]
    last = json.loads(ada.done("show", match, "--json"))["version"]
    # Nothing is missed, and nothing comes twice.
    assert versions == list(range(1, last + 1))
    assert json.loads(told[0].splitlines()[-1])["kind"] == "match-ended"


def test_who_watches_is_told_when_a_backup_takes_the_place_of_the_match(
    sqlite_template: Path, tmp_path: Path
) -> None:
    path, copy, port = tmp_path / "served.sqlite3", tmp_path / "copy.sqlite3", free_port()
    copyfile(sqlite_template, path)
    told: list[str] = []
    with ExitStack() as stack:
        with running_server(str(path), port=port, log_in_limit=0) as first:
            ada, bob = (Someone(first.url, name, tmp_path / name) for name in ("ada", "bob"))
            match = begun(ada, bob)
            ada.done("move", match, "3=3")
            with closing(sqlite3.connect(path)) as there, closing(sqlite3.connect(copy)) as back_up:
                there.backup(back_up)
            bob.done("move", match, "5=2")
            env = environment(Path("/nowhere"), XDG_CONFIG_HOME=str(ada.home))
            watcher = stack.enter_context(Terminal(["remote", "watch", match], env))
            reader = Thread(target=lambda: told.append(printed(["watch", match, "--json"], env)))
            reader.start()
            watcher.until("to move")
            time.sleep(1)
        stack.enter_context(running_server(str(copy), port=port, log_in_limit=0))
        watcher.until("A backup has taken the place")
        watcher.until("P2 bob to move")
        bob.done("move", match, "6=1")
        watcher.until("bob places")
        bob.done("resign", match, "--yes")
        assert watcher.ends() == 0
        reader.join(60)
        last = json.loads(ada.done("show", match, "--json"))["version"]
    before, note, after = told[0].partition("A backup has taken the place of this match.")
    assert note
    versions = [json.loads(line)["version"] for line in after.splitlines()[1:]]
    assert versions == list(range(1, last + 1))
    assert len(before.splitlines()) == last - 1


def test_a_stream_that_was_replaced_is_opened_again_after_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = b'retry: 1\n\nid: 1-a\ndata: {"version": 1}\n\nevent: replaced\ndata: {}\n\n'
    second = b'id: 2-b\ndata: {"version": 2}\n\n'
    answers = iter([first, second, None])
    asked: list[str] = []
    slept: list[float] = []

    class There(Connection):
        @contextmanager
        @override
        def stream(self, path: str, last: str) -> Iterator[IO[bytes] | None]:
            asked.append(last)
            answer = next(answers)
            yield None if answer is None else io.BytesIO(answer)

    monkeypatch.setattr("cli.remote.replays.time.sleep", slept.append)
    found = list(follow_events(There("http://nowhere", None), "m", "0"))
    assert found == [{"version": 1}, {"version": 2}]
    assert asked == ["0", "1-a", "2-b"]
    assert slept == [60.0]


def printed(words: list[str], env: dict[str, str]) -> str:
    """Return what `plybook remote` prints on both of its outputs, in order."""
    with WarmPopen(CODE, "remote", *words, env=env, stdout=PIPE, stderr=STDOUT) as process:
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, out
    return out


def test_who_watches_sees_the_moves_and_how_it_ended(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    env = environment(Path("/nowhere"), XDG_CONFIG_HOME=str(ada.home))
    with Terminal(["remote", "watch", match], env) as watcher:
        watcher.until("to move")
        ada.done("move", match, "3=3")
        watcher.until(f"{ada.name} places")
        bob.done("resign", match, "--yes")
        assert watcher.ends() == 0
        assert watcher.plain().rstrip().endswith("wins (resignation).")


def test_pipes_get_no_colours_and_say_so_on_a_terminal_too(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    env = environment(Path("/nowhere"), XDG_CONFIG_HOME=str(ada.home))
    assert "\x1b" not in piped(["remote", "show", match], env).stdout
    for more, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        with Terminal(["remote", "show", match], {**env, **more}) as terminal:
            assert terminal.ends() == 0
            assert ("\x1b[3" in terminal.raw or "\x1b[1;3" in terminal.raw) == coloured


def test_a_token_does_not_follow_to_another_service(ada: Someone) -> None:
    from http.server import BaseHTTPRequestHandler, HTTPServer

    seen: list[str | None] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["Authorization"])
            self.send_response(302)
            self.send_header("Location", f"http://localhost:{port}/other")
            self.end_headers()

        @override
        def log_message(self, format: str, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Elsewhere)
    port = server.server_port
    thread = Thread(target=server.handle_request)
    thread.start()
    refused = ada("turns", PLYBOOK_URL=f"http://127.0.0.1:{port}", PLYBOOK_TOKEN="secret")
    thread.join()
    server.server_close()
    assert refused.exit_code == 1
    assert seen == ["Bearer secret"]


def test_no_database_is_touched(ada: Someone, tmp_path: Path) -> None:
    assert ada("turns").exit_code == 0
    assert not (tmp_path / "nowhere").exists()
    assert not os.path.exists("/nowhere")  # noqa: PTH110 - as the setting has it
