"""Several processes' worth of the service on one database, each by a clock of its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from threading import Barrier, Thread, local

from domain.errors import Refusal


class Clocks:
    """A clock for each thread: those of two processes that look at the same moment, or nearly."""

    def __init__(self, start: datetime) -> None:
        self.start = start
        self.own = local()

    def __call__(self) -> datetime:
        now: datetime = getattr(self.own, "now", self.start)
        return now


def at_once(clocks: Clocks, *tasks: tuple[datetime, Callable[[], object]]) -> list[object]:
    """Do several things at the same moment, each by a clock of its own; return what came of it."""
    barrier, results = Barrier(len(tasks)), [object()] * len(tasks)

    def run(index: int, now: datetime, task: Callable[[], object]) -> None:
        clocks.own.now = now
        barrier.wait()
        try:
            results[index] = task()
        except Refusal as refusal:
            results[index] = refusal.code

    threads = [Thread(target=run, args=(index, *one)) for index, one in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
