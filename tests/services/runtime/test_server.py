"""The server that is really run: it streams, shares its figures, and ends when told to."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from threading import Barrier, Thread

import httpx
import pytest

from services.container import Services
from services.runtime.settings import Settings
from tests.support.ports import free_port
from tests.support.servers import Server, running_server


@pytest.fixture
def database_path(migrated_sqlite_url: str) -> str:
    """Give a migrated database."""
    return migrated_sqlite_url


def a_match(path: str) -> str:
    from services.matches.requests import ChangeRequest, NewMatch

    house = Services(Settings(database_url=path))
    player = house.accounts.get_local_player("ada")
    done = house.matches.create(ChangeRequest(player.id), NewMatch("path-capture"))
    house.close()
    return done.shown.view.id


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_promptly_with_open_streams(database_path: str, number: int) -> None:
    match = a_match(database_path)
    all_listen = Barrier(7)
    ended: list[bytes] = []

    def listen(url: str) -> None:
        with httpx.stream("GET", f"{url}/api/v1/matches/{match}/stream", timeout=60) as answer:
            chunks = answer.iter_raw()
            next(chunks)
            all_listen.wait(60)
            # A connection that is cut raises here.
            ended.append(b"".join(chunks))

    with running_server(database_path, workers=2) as server:
        listeners = [Thread(target=listen, args=(server.url,)) for _ in range(6)]
        for one in listeners:
            one.start()
        all_listen.wait(60)
        # More streams than a server without threads to spare could still answer beside.
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        seconds, status = server.stop(number)
        for one in listeners:
            one.join(10)
    assert len(ended) == len(listeners)
    assert status == 0
    assert seconds < 6


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_promptly_while_one_of_its_processes_still_starts(
    database_path: str, tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYBOOK_TEST_STARTING", str(tmp_path / "starting"))
    with running_server(database_path, workers=2, target="tests.support.slow_start:app") as server:
        seconds, status = server.stop(number)
    assert status == 0
    assert seconds < 6


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_all_processes_answer_with_the_figures_of_all(database_path: str, workers: int) -> None:
    where = f"127.0.0.1:{free_port()}"
    with running_server(database_path, workers=workers, metrics=where) as server:
        for _ in range(30):
            # A new connection each time, so that both processes get some.
            httpx.get(f"{server.url}/api/v1/games")
        assert figure(where, "/api/v1/games") == 30
        assert httpx.get(f"{server.url}/metrics").status_code == 404


def figure(where: str, route: str) -> float | None:
    """Return how often a route was asked for, by the figures at an address."""
    text = httpx.get(f"http://{where}/metrics").text
    counted = re.search(rf'requests_total{{method="GET",route="{route}",status="200"}} (\S+)', text)
    return float(counted[1]) if counted else None


@pytest.mark.slow
def test_the_service_runs_without_figures(database_path: str) -> None:
    with running_server(database_path, metrics="off") as server:
        assert httpx.get(f"{server.url}/api/v1/games").status_code == 200
        assert httpx.get(f"{server.url}/metrics").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_the_service_outlives_its_processes_however_quickly_they_are_killed(
    database_path: str, workers: int
) -> None:
    where = f"127.0.0.1:{free_port()}"
    with running_server(database_path, workers=workers, metrics=where) as server:
        httpx.get(f"{server.url}/api/v1/games")
        killed: set[int] = set()
        for _ in range(4):
            living = next_process(server, killed)
            os.kill(living, signal.SIGKILL)
            killed.add(living)
        answered_again(server)
        assert server.process.poll() is None
        # What the killed ones have counted still counts.
        assert figure(where, "/api/v1/games") == 1
        seconds, status = server.stop()
    assert status == 0
    assert seconds < 6


@pytest.mark.slow
@pytest.mark.parametrize("noticed", [False, True])
def test_the_server_ends_while_it_waits_to_replace_a_process(
    database_path: str, *, noticed: bool
) -> None:
    with running_server(database_path) as server:
        killed: set[int] = set()
        for _ in range(6):
            living = next_process(server, killed)
            os.kill(living, signal.SIGKILL)
            killed.add(living)
        while noticed and processes(server):
            time.sleep(0.05)
        time.sleep(0.5 * noticed)
        seconds, status = server.stop()
    assert status == 0
    assert seconds < 6


@pytest.mark.slow
def test_a_first_process_that_is_killed_leaves_none_that_holds_the_port(
    database_path: str,
) -> None:
    with running_server(database_path, workers=2) as server:
        left = processes(server)
        assert left
        server.process.kill()
        server.process.wait()
        ends = time.monotonic() + 60
        while any(map(is_running, left)):
            assert time.monotonic() < ends, left
            time.sleep(0.1)
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{server.url}/healthz")


def is_running(process: int) -> bool:
    """Tell whether a process is there and has not ended; one that nobody waited for is a zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}


def processes(server: Server) -> set[int]:
    """Return the processes of the server, those among them that it has not yet seen die."""
    asked = ["pgrep", "-P", str(server.process.pid)]
    found = subprocess.run(asked, check=False, capture_output=True, text=True)
    return set(map(int, found.stdout.split()))


def next_process(server: Server, killed: set[int]) -> int:
    """Return a process of the server that has not been killed, as soon as there is one."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        if living := processes(server) - killed:
            return min(living)
        time.sleep(0.05)
    raise AssertionError(f"no process has come: {server.logged()[-2000:]}")


def answered_again(server: Server) -> None:
    """Wait until the server answers, after it has lost its processes."""
    ends = time.monotonic() + 120
    while time.monotonic() < ends:
        try:
            if httpx.get(f"{server.url}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"it does not answer any more: {server.logged()[-2000:]}")


def test_the_server_does_not_start_on_a_database_without_schema(tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    with pytest.raises(RuntimeError), running_server(str(empty)):
        pass
