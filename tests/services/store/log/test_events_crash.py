"""A writer that is killed: what it acknowledged stays, and nothing stays by half."""

import subprocess
import sys
import threading
import time
from statistics import quantiles

import pytest

from domain.log.event_format import GENESIS, hash_bytes
from domain.match.events import Event
from services.store.db.engine import Database
from services.store.log import events as log
from tests.services.store.streams import MATCH, moves, of_one_match

KILLS = 4


def run_and_kill(url: str, seconds: float) -> int:
    """Let a writer work and kill it in the midst; return the last version it acknowledged."""
    command = [sys.executable, "-m", "tests.services.store.log.writer", url, MATCH]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline()]
        time.sleep(seconds)
        writer.kill()
        said += writer.stdout.readlines()
    # The last line may have been cut off by the kill; the one before it was not.
    whole = [line for line in said if line.endswith("\n")]
    return int(whole[-1])


@pytest.mark.slow
def test_a_killed_writer_loses_no_acknowledged_append_and_leaves_no_half(
    database: Database,
) -> None:
    stored: list[Event] = []
    for kill in range(KILLS):
        acknowledged = run_and_kill(database.url, 0.05 + 0.013 * kill)
        with database.write() as connection:
            stored = log.load(connection, MATCH)
        assert acknowledged <= len(stored) <= acknowledged + 3
        assert len(stored) % 3 == 0
    previous = GENESIS
    for version, event in enumerate(stored, 1):
        assert (event.version, event.previous) == (version, previous)
        previous = hash_bytes(event.body)
        assert event.hash == previous


@pytest.mark.slow
def test_eight_writers_share_sqlite_fairly(sqlite_database: Database) -> None:
    written: list[int] = []
    overtaken: list[int] = []

    def play(one: int) -> None:
        last = None
        for _ in range(40):
            events = moves(1, match=f"{one:016}", after=last)
            asked = len(written)
            with sqlite_database.write() as connection:
                overtaken.append(len(written) - asked)
                log.append(connection, of_one_match(events))
                written.append(one)
            last = events[-1]

    threads = [threading.Thread(target=play, args=(one,)) for one in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(overtaken) == 320
    # In turn, everybody waits for seven others. SQLite's busy handler lets the unlucky sleep again
    # and again, while others write dozens of times. (Counted, not timed: a disk may stand still for
    # half a second, and then all eight have waited for it.)
    assert quantiles(overtaken, n=100)[98] < 12
