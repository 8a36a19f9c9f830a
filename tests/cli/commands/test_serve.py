"""The service as a process: it starts, says where, answers, and stops when it is told to."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.cli.calls import Plybook
from tests.cli.processes import CODE, PATIENCE, Terminal, environment, piped
from tests.support.ports import free_port
from tests.support.warm import WarmPopen

pytestmark = pytest.mark.slow


@contextmanager
def running(
    database: Path, *words: str, code: str = CODE, **more: str
) -> Iterator[subprocess.Popen[str]]:
    """Run the program until the test is over."""
    env = environment(database, **{"PLYBOOK_METRICS": "off", **more})
    process = WarmPopen(code, *words, env=env, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=PATIENCE)


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """Read standard error up to the line that holds ``text``."""
    assert process.stderr is not None
    read = ""
    for line in process.stderr:
        read += line
        if text in line:
            return read
    raise AssertionError(f"it ended without {text!r}:\n{read}")


def get(url: str) -> bytes:
    """Ask until the server, which takes a moment to import the application, answers."""
    for _ in range(int(PATIENCE / 0.2)):
        try:
            with urlopen(url, timeout=PATIENCE) as answer:
                body: bytes = answer.read()
                return body
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"{url} does not answer")


def test_the_demo_makes_a_database_loads_matches_and_serves_them(tmp_path: Path) -> None:
    port = free_port()
    database = tmp_path / "new" / "demo.sqlite3"
    with running(database, "demo", "--port", str(port)) as demo:
        read_until(demo, f"Plybook serves on http://127.0.0.1:{port} ")
        listed = json.loads(get(f"http://127.0.0.1:{port}/api/v1/matches"))
        assert len(listed["matches"]) > 5
        demo.send_signal(signal.SIGINT)
        shown, errors = demo.communicate(timeout=PATIENCE)
        assert demo.returncode == 0
        assert "Plybook has stopped." in errors
        assert "Traceback" not in errors
        assert f"http://127.0.0.1:{port}/m/" in shown
        assert " replay " in shown


def test_at_a_terminal_the_demo_says_what_to_try_in_lines_to_be_copied(tmp_path: Path) -> None:
    port, database = free_port(), tmp_path / "demo.sqlite3"
    words, url = ("demo", "--port", str(port)), f"http://127.0.0.1:{port}"
    with Terminal(words, environment(database), columns=60) as terminal:
        terminal.until("In a browser:\n")
        told = terminal.until("Plybook serves on").splitlines()
        get(f"{url}/healthz")
        terminal.press("\x03")
        assert terminal.ends() == 0
    assert told[0] == f"  {url}/"
    assert told[1].startswith(f"  {url}/m/")
    assert f"  curl {url}/api/v1/games" in told


def test_the_service_runs_in_several_processes(database: Path) -> None:
    port = free_port()
    with running(database, "serve", "--port", str(port), "--workers", "2") as service:
        read_until(service, "Plybook serves on")
        # Not before the port is open: whoever reads that may ask at once.
        with urlopen(f"http://127.0.0.1:{port}/api/v1/games", timeout=PATIENCE) as answer:
            assert answer.read(1) == b"{"
        service.terminate()
        service.communicate(timeout=PATIENCE)
        assert service.returncode == 0


def test_a_port_that_is_taken_is_said_at_once(plybook: Plybook) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused = plybook("serve", "--port", str(port))
    assert refused.exit_code == 1
    assert refused.stderr == (
        f"Error: Cannot serve on 127.0.0.1, port {port}: Address already in use. "
        "Choose another with --port.\n"
    )


def test_figures_have_an_address_of_their_own(database: Path) -> None:
    port, other = free_port(), free_port()
    told = {"PLYBOOK_METRICS": f"127.0.0.1:{other}"}
    with running(database, "serve", "--port", str(port), **told) as service:
        where = f"http://127.0.0.1:{other}/metrics"
        assert f"Figures for Prometheus are at {where}." in read_until(service, "Figures")
        get(f"http://127.0.0.1:{port}/api/v1/games")
        assert b'route="/api/v1/games"' in get(where)
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE)


def test_an_address_of_figures_that_is_taken_is_said_at_once(database: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        env = environment(database, PLYBOOK_METRICS=f"127.0.0.1:{port}")
        refused = piped(("serve", "--port", str(free_port())), env)
    assert refused.returncode == 1
    assert f"Cannot show figures on 127.0.0.1, port {port}: Address already in use." in (
        refused.stderr
    )
    assert "PLYBOOK_METRICS=off" in refused.stderr


@pytest.mark.parametrize("wrong", ["9464", "here:", ":9464", "127.0.0.1:99999", "127.0.0.1:x"])
def test_an_address_of_figures_that_is_none_is_refused(wrong: str, plybook: Plybook) -> None:
    refused = plybook("serve", "--port", str(free_port()), PLYBOOK_METRICS=wrong)
    assert refused.exit_code in (1, 2)
    assert "PLYBOOK_METRICS is an address and a port" in refused.stderr


@pytest.mark.parametrize(
    ("files", "said"), [(600, "so it takes 300 connections"), (100, "too few")]
)
def test_a_low_limit_of_open_files_is_said_at_the_start(
    database: Path, files: int, said: str
) -> None:
    fewer = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))"
    port = free_port()
    with running(database, "serve", "--port", str(port), code=f"{fewer}; {CODE}") as service:
        told = read_until(service, said)
        assert f"no more than {files} files" in told
        assert "LimitNOFILE=" in told
        if said == "too few":
            assert service.wait(PATIENCE) == 1
        else:
            assert get(f"http://127.0.0.1:{port}/api/v1/games").startswith(b"{")


def test_a_host_that_is_no_address_is_refused(plybook: Plybook) -> None:
    refused = plybook("serve", "--host", "nowhere.invalid")
    assert refused.exit_code == 1
    assert "Cannot serve on nowhere.invalid" in refused.stderr
