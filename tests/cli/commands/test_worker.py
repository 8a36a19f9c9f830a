"""`plybook worker` as a process: it works until told to end, and `serve` keeps one running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.container import Services
from services.runtime.settings import Settings
from services.store.db import heartbeat
from services.store.db.engine import Database
from services.worker import UNTIL_SERVED
from tests.cli.calls import Plybook, json_lines
from tests.cli.commands.test_serve import get, read_until, running
from tests.cli.commands.test_serve_sweep import waiting
from tests.cli.processes import PATIENCE, PROGRAM, ROOT, environment
from tests.support.ports import free_port
from tests.support.waiting import wait_until

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def url(migrated_url: str) -> str:
    return migrated_url


def beaten(url: str) -> bool:
    database = Database(url)
    with database.read() as connection:
        last = heartbeat.find_last_beat(connection)
    database.dispose()
    return last is not None


def children(process: int, words: str) -> set[int]:
    """Return the processes that a process has started, by their command lines."""
    asked = ["pgrep", "-P", str(process), "-f", "--", words]
    found = subprocess.run(asked, check=False, capture_output=True, text=True)
    return set(map(int, found.stdout.split()))


def lives(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


# --- once ---------------------------------------------------------------------------------------


def test_once_does_every_chore_and_says_what_it_did(plybook: Plybook, database: Path) -> None:
    match = waiting(database)
    done = plybook("worker", "--once", "--server", NOWHERE)
    # No server: the heartbeat fails, all else is done.
    assert done.exit_code == 1
    assert "Error: Not every chore was done; the log says why." in done.stderr
    [shown] = json_lines(plybook("match", "show", match, "--json"))
    assert shown["result"] == {"winner": 2, "reason": "timeout"}
    assert json_lines(plybook("checkpoint", "show", "--json"))[0]["size"] == 2
    assert not beaten(str(database))


def test_an_address_of_a_server_that_is_none_is_refused(plybook: Plybook) -> None:
    refused = plybook("worker", "--server", "file:///etc/passwd")
    assert refused.exit_code == 2
    assert refused.stderr == "Error: --server is an address such as https://plybook.example.\n"


# --- a process of its own -----------------------------------------------------------------------


@contextmanager
def working(url: str, *words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    with running(Path(url), "worker", *words, PLYBOOK_DATABASE_URL=url, **more) as process:
        yield process


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_works_and_ends_soon_after_it_is_told_to(url: str, number: int) -> None:
    with working(url, "--server", NOWHERE, PLYBOOK_LOG_FORMAT="json") as process:
        assert (
            '"chores":"heartbeat sweep checkpoints ratings house analysis notices mail"'
            in read_until(process, "worker_started")
        )
        began = time.monotonic()
        process.send_signal(number)
        _, log = process.communicate(timeout=PATIENCE)
        # Beside other tests: it would wait for a server for so long, or for a chore.
        assert time.monotonic() - began < UNTIL_SERVED / 3
    assert process.returncode == 0
    assert "worker_stopped" in log
    assert "Traceback" not in log


@pytest.mark.slow
def test_two_workers_end_a_match_once_and_sign_once(url: str) -> None:
    more = {"PLYBOOK_SWEEP_INTERVAL": "1", "PLYBOOK_CHECKPOINT_INTERVAL": "1"}
    match = waiting(url)
    with (
        working(url, "--server", NOWHERE, **more) as one,
        working(url, "--server", NOWHERE, **more) as two,
    ):
        house = Services(Settings(database_url=url))
        wait_until(lambda: house.audits.verify(match).holds and signed(house.database))
        time.sleep(2)
        logs = []
        for process in (one, two):
            process.terminate()
            logs.append(process.communicate(timeout=PATIENCE)[1])
    told = "".join(logs)
    assert told.count("chore_done chore=sweep timeouts=1") == 1
    assert "Traceback" not in told
    assert house.audits.verify(match).holds
    house.close()


def signed(database: Database) -> bool:
    from sqlalchemy import text

    with database.read() as connection:
        return bool(connection.scalar(text("SELECT count(*) FROM checkpoints")))


# --- beside the servers -------------------------------------------------------------------------


@pytest.mark.slow
def test_serve_keeps_a_worker_that_beats_as_long_as_it_answers(database: Path) -> None:
    port = free_port()
    with running(database, "serve", "--port", str(port)) as service:
        get(f"http://127.0.0.1:{port}/healthz")
        wait_until(lambda: b'"there"' in get(f"http://127.0.0.1:{port}/readyz"))
        wait_until(lambda: children(service.pid, "--beside"))
        [first] = children(service.pid, "--beside")
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: children(service.pid, "--beside") - {first})
        [second] = children(service.pid, "--beside") - {first}
        service.send_signal(signal.SIGINT)
        _, log = service.communicate(timeout=PATIENCE)
    assert service.returncode == 0
    assert "worker_died" in log
    assert "Traceback" not in log
    assert not lives(second)


@pytest.mark.slow
def test_the_worker_ends_where_the_process_that_started_it_was_killed(database: Path) -> None:
    starts = (
        "import subprocess, os, sys, time; "
        "subprocess.Popen([*sys.argv[1:], '--beside', str(os.getpid())]); time.sleep(60)"
    )
    words = [sys.executable, "-c", starts, *PROGRAM, "worker", "--server", NOWHERE]
    process = subprocess.Popen(
        words, cwd=ROOT, env=environment(database), stderr=subprocess.PIPE, text=True
    )
    try:
        read_until(process, "worker_started")
        [worker] = children(process.pid, "--beside")
    finally:
        process.kill()
        process.wait(PATIENCE)
        assert process.stderr is not None
    wait_until(lambda: not lives(worker))
    assert "worker_stopped" in process.stderr.read()
    process.stderr.close()


@pytest.mark.slow
def test_serve_starts_no_worker_where_it_is_told_not_to_and_one_apart_finds_the_server(
    database: Path,
) -> None:
    port, figures = free_port(), free_port()
    more = {
        "PLYBOOK_METRICS": f"127.0.0.1:{figures}",
        "PROMETHEUS_MULTIPROC_DIR": str(database.parent),
        "PLYBOOK_PORT": str(port),
        "PLYBOOK_DOWNTIME_GRACE": "4",
    }
    with running(database, "serve", "--no-worker", **more) as service:
        wait_until(lambda: b'"missing"' in get(f"http://127.0.0.1:{port}/readyz"))
        assert not children(service.pid, "--beside")
        with working(str(database), **more) as worker:
            wait_until(lambda: b'"there"' in get(f"http://127.0.0.1:{port}/readyz"))
            wait_until(lambda: b'chore="heartbeat"' in get(f"http://127.0.0.1:{figures}/metrics"))
            worker.terminate()
            assert "Traceback" not in worker.communicate(timeout=PATIENCE)[1]
        wait_until(lambda: b'"missing"' in get(f"http://127.0.0.1:{port}/readyz"))
