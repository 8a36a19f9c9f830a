"""POST of a move with eight clients beside ten thousand notices that are sent, against without."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from subprocess import PIPE, Popen

from domain.match.clock import format_instant
from domain.match.notices import TURN
from services.errors import Unavailable
from services.notices.webhooks import NewWebhook
from services.store.db.engine import fetch, run
from services.store.notices import deliveries
from services.store.notices.deliveries import DeliveryRow
from tests.bench.databases import Bed
from tests.bench.posting import CLIENTS, mover, served
from tests.bench.rounds import Ratio
from tests.bench.thinking import beside, until, worker

DUE = 10_000
WEBHOOKS = 10
TRIES = 5


def telling(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure moves of people with and without the worker at work, in turns."""
    with (
        _receiver() as url,
        served(bed.url, "ours_app") as ours,
        worker(bed.url, ours.url),
    ):
        movers = [mover(ours.url, bed.house, f"telling-{one}")[1] for one in range(CLIENTS)]
        yield from beside(_Notices(bed, url), movers, bed.name, rounds)


@contextmanager
def _receiver() -> Iterator[str]:
    """Give the address of somebody who takes what is sent, in a process of its own.

    They would be on another machine; here they stand back.
    """
    command = ["nice", sys.executable, "-m", "tests.support.receiver"]
    with Popen(command, stdout=PIPE, text=True) as process:
        if process.stdout is None:
            raise TypeError("a process without the pipe that it was given")
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


class _Notices:
    """Notices of one player, at some webhooks, that are due again each time."""

    name = f"{DUE:,} notices are due"
    what = "notices sent"

    def __init__(self, bed: Bed, url: str) -> None:
        services, self.bed = bed.house, bed
        self.database, self.now = services.database, services.now
        player = services.accounts.get_local_player("bench-told").id
        webhooks = replace(services.webhooks, private=True)
        made = [
            webhooks.make(player, NewWebhook(f"{url}/ok"))[0].webhook.id for _ in range(WEBHOOKS)
        ]
        at = format_instant(self.now())
        with self.database.write() as connection:
            for number in range(DUE):
                row = DeliveryRow(number, made[number % WEBHOOKS], TURN, "m", 9, "move-made", at)
                deliveries.save(connection, row._replace(due_at=at))
        self._stop()

    @property
    def found(self) -> int:
        with self.database.read() as connection:
            sql = "SELECT count(*) FROM notice_deliveries WHERE state = 'sent' AND attempts > 0"
            return int(fetch(connection, sql, [])[0][0])

    @contextmanager
    def going(self) -> Iterator[None]:
        """Let all of them be due."""
        self._set("waiting", format_instant(self.now()))
        until(lambda: self.found > 0)
        self._checkpoint()
        try:
            yield
        finally:
            if self.found == DUE:
                raise RuntimeError("there are too few notices: all of them were sent")
            self._stop()

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let none be due."""
        self._checkpoint()
        yield

    def _stop(self) -> None:
        self._set("failed", None)

    def _set(self, state: str, due_at: str | None) -> None:
        sql = "UPDATE notice_deliveries SET state = ?, due_at = ?, attempts = 0"
        for _ in range(TRIES):
            # The worker may be noting some of the rows, in an order of its own: then PostgreSQL
            # ends one of the two, which tries again.
            with suppress(Unavailable), self.database.write() as connection:
                run(connection, "UPDATE notice_channels SET held_until = ?", [due_at or "9"])
                run(connection, sql, [state, due_at])
                return
        raise AssertionError("the worker always came first")

    def _checkpoint(self) -> None:
        """Bring into SQLite's file what was set at once for all.

        Else the first move would do so, and wait a tenth of a second: notices become due by events,
        each of which writes its own.
        """
        if self.bed.name == "SQLite":
            self.bed.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
