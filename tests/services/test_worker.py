"""The worker does each chore at its interval, once in all workers, and tries again what failed."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Any

import pytest
import structlog
from typing_extensions import override

from domain.errors import Corruption
from services.container import Services
from services.errors import Unavailable
from services.store.db import heartbeat
from services.store.db.engine import Database
from services.worker import Chore, Worker, list_chores
from tests.services.conftest import Clock
from tests.services.matches.test_timeouts import DAYS
from tests.services.people import table
from tests.support.ports import free_port
from tests.support.waiting import wait_until

Log = list[Any]


@pytest.fixture
def log() -> Iterator[Log]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.INFO))
    with structlog.testing.capture_logs() as written:
        yield written


@contextmanager
def answering(status: int = 200, port: int = 0) -> Iterator[str]:
    """Give the address of something that answers whatever it is asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        @override
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def working(database: Database, *rows: Chore) -> Iterator[Worker]:
    worker = Worker(database, rows, Event())
    worker.start()
    try:
        yield worker
    finally:
        worker.stopping.set()
        for thread in worker.threads:
            thread.join(20)
    assert worker.end()


def told(log: Log, event: str) -> Log:
    return [one for one in log if one["event"] == event]


class Counting:
    """A chore that counts how often it is done, and by how many at a time."""

    def __init__(self, *fails: Exception, seconds: float = 0) -> None:
        self.done = self.most = self._now = 0
        self.fails = list(fails)
        self._seconds = seconds
        self._lock = Lock()

    def __call__(self) -> Mapping[str, int]:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        sleep(self._seconds)
        with self._lock:
            self._now -= 1
            if self.fails:
                raise self.fails.pop(0)
            self.done += 1
        return {"things": self.done}


def row(do: Counting, *, interval: float = 0.01, alone: bool = True, name: str = "one") -> Chore:
    return Chore(name, interval, do, alone)


def test_a_chore_is_done_at_once_and_then_at_its_interval(house: Services, log: Log) -> None:
    quick, slow, never = Counting(), Counting(), Counting()
    with working(
        house.database,
        row(quick, name="quick"),
        row(slow, interval=3600, name="slow"),
        row(never, interval=0, name="never"),
    ):
        wait_until(lambda: quick.done > 3 and slow.done)
    assert (slow.done, never.done) == (1, 0)
    assert told(log, "worker_started") == [
        {"event": "worker_started", "chores": "quick slow", "log_level": "info"}
    ]
    assert told(log, "chore_done")[-1]["things"] >= 1


def test_of_several_workers_one_does_a_chore_and_another_goes_on_where_it_ends(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.worker.LEASE_AGAIN", 0.01)
    other = Database(house.database.url)
    chore = Counting(seconds=0.005)
    with working(house.database, row(chore)) as first, working(other, row(chore)):
        wait_until(lambda: chore.done > 20)
        assert chore.most == 1
        first.stopping.set()
        before = chore.done
        wait_until(lambda: chore.done > before + 20)
    assert chore.most == 1
    other.dispose()


def test_what_needs_no_lease_is_done_by_all_at_a_time(house: Services) -> None:
    other = Database(house.database.url)
    chore = Counting(seconds=0.1)
    shared = row(chore, alone=False)
    with working(house.database, shared), working(other, shared):
        wait_until(lambda: chore.most == 2)
    other.dispose()


def test_a_chore_thatfails_is_told_in_a_line_and_tried_again_after_growing_pauses(
    house: Services, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.worker.FIRST_PAUSE", 0.01)
    chore, beside = Counting(Unavailable("away"), OSError("gone"), Corruption("bad")), Counting()
    with working(house.database, row(chore), row(beside, name="beside")):
        wait_until(lambda: chore.done > 1)
    assert [(one["reason"], one["again_in"]) for one in told(log, "chore_failed")] == [
        ("Unavailable: away", 0.01),
        ("OSError: gone", 0.02),
        ("Corruption: bad", 0.04),
    ]
    assert beside.done


def test_pauses_begin_anew_once_it_has_gone_well_and_have_a_longest(
    house: Services, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.worker.FIRST_PAUSE", 0.01)
    chore = Counting(*[OSError("gone")] * 4)
    with working(house.database, Chore("one", 0.01, chore, alone=True, longest_pause=0.02)):
        wait_until(lambda: chore.done)
        chore.fails.append(OSError("again"))
        wait_until(lambda: len(told(log, "chore_failed")) > 4)
    assert [one["again_in"] for one in told(log, "chore_failed")] == [0.01, 0.02, 0.02, 0.02, 0.01]


def test_of_a_defect_the_log_tells_where_it_is_and_no_value(house: Services, log: Log) -> None:
    chore = Counting(KeyError("a secret"), Unavailable("first\nsecond: a secret"))
    worker = Worker(house.database, [row(chore)], Event())
    assert not worker.run_once()
    assert not worker.run_once()
    assert worker.run_once()
    defect, outage = told(log, "chore_failed")
    assert defect["reason"].startswith("KeyError in __call__, test_worker.py:")
    assert outage["reason"] == "Unavailable: first"
    assert "secret" not in str(log)


def test_once_does_every_chore_though_one_fails_and_leaves_what_another_worker_does(
    house: Services, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.worker.LEASE_AGAIN", 0.01)
    held, failing, last = Counting(), Counting(OSError("gone")), Counting()
    other = Database(house.database.url)
    rows = [row(held, name="held"), row(failing, name="failing"), row(last, name="last")]
    with working(other, row(held, interval=3600, name="held")):
        wait_until(lambda: held.done)
        assert not Worker(house.database, rows, Event()).run_once()
    assert (held.done, failing.done, last.done) == (1, 0, 1)
    assert [one["chore"] for one in told(log, "chore_is_another_workers")] == ["held"]
    assert Worker(house.database, rows, Event()).run_once()
    other.dispose()


def test_a_chore_that_takes_long_does_not_hold_up_the_end(house: Services, log: Log) -> None:
    go_on, begun = Event(), Event()

    def wait() -> Mapping[str, int]:
        begun.set()
        go_on.wait(20)
        return {}

    worker = Worker(house.database, [Chore("long", 1, wait, alone=False)], Event())
    worker.start()
    assert begun.wait(20)
    began = monotonic()
    assert not worker.end()
    assert monotonic() - began < 1
    assert told(log, "worker_stopped")[0]["unfinished"] == "long"
    go_on.set()
    worker.threads[0].join(20)


def test_it_counts_what_it_does(house: Services) -> None:
    from prometheus_client import generate_latest

    worker = Worker(house.database, [row(Counting(OSError("gone")))], Event())
    for _ in range(3):
        worker.run_once()
    text = generate_latest(worker.figures.registry).decode()
    assert 'plybook_chore_runs_total{chore="one"} 3.0' in text
    assert 'plybook_chore_failures_total{chore="one"} 1.0' in text
    assert 'plybook_chore_seconds_total{chore="one"}' in text


# --- the chores ---------------------------------------------------------------------------------


def last_beat(house: Services) -> str | None:
    with house.database.read() as connection:
        return heartbeat.find_last_beat(connection)


def all_of(house: Services, server: str) -> Worker:
    return Worker(house.database, list_chores(house, server, Event(), patience=0), Event())


def test_the_chores_end_what_time_has_ended_and_sign_and_beat(
    house: Services, clock: Clock, log: Log
) -> None:
    there = table(house).start(pace=DAYS)
    clock.advance(days=3)
    with answering() as server:
        assert all_of(house, server).run_once()
    assert there.shown().view.result == {"winner": 2, "reason": "timeout"}
    assert house.checkpoints.get().size == 1
    assert last_beat(house) == "2026-11-30T22:00:00.000000Z"
    done = {one.pop("chore"): one for one in told(log, "chore_done")}
    assert done["sweep"]["timeouts"] == 1
    assert done["checkpoints"]["signed"] == 1
    assert done["ratings"]["counted"] == 1


def test_what_the_settings_turn_off_is_not_done(house: Services) -> None:
    from dataclasses import replace

    house.settings = replace(house.settings, sweep_interval=0, checkpoint_interval=0)
    rows = list_chores(house, "", Event(), patience=0)
    done = [one.name for one in rows if one.interval]
    assert done == ["heartbeat", "checkpoints", "ratings", "house", "analysis", "notices", "mail"]


@pytest.mark.parametrize("status", [None, 503])
def test_nothing_beats_where_no_server_answers(
    house: Services, log: Log, status: int | None
) -> None:
    """A worker that is alone is no service: players cannot move."""
    if status is None:
        assert not all_of(house, f"http://127.0.0.1:{free_port()}").run_once()
    else:
        with answering(status) as server:
            assert not all_of(house, server).run_once()
    assert last_beat(house) is None
    [failed] = told(log, "chore_failed")
    assert failed["chore"] == "heartbeat"
    assert failed["reason"].startswith("NoServer: no server answers at http://127.0.0.1:")


def test_the_heartbeat_waits_for_a_server_that_is_about_to_start(house: Services) -> None:
    port = free_port()
    beat = list_chores(house, f"http://127.0.0.1:{port}", Event(), patience=20)[0]
    beating = Thread(target=beat.do)
    beating.start()
    with answering(port=port):
        beating.join(20)
    assert last_beat(house) is not None


def test_a_worker_that_waits_for_a_server_ends_when_it_is_told_to(house: Services) -> None:
    stopping = Event()
    beat = list_chores(house, f"http://127.0.0.1:{free_port()}", stopping, patience=20)[0]
    with working(house.database, beat) as worker:
        worker.stopping.set()
        stopping.set()
        began = monotonic()
    assert monotonic() - began < 1
