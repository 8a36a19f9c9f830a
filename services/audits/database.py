"""All matches of a database: range by range, in several processes, in the order of their ids.

Memory stays flat, since a process holds one page of events and only so many ranges are under
way. What is told of is done, so the last cursor told is where to go on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, signal
from threading import current_thread, main_thread
from typing import NamedTuple, TypeAlias

from domain.game.registry import Games
from domain.games import load_games
from services.audits.audit import Audits
from services.audits.chain import Verdict
from services.store.db.engine import Database
from services.store.log import audits as audit_rows
from services.store.log.audits import RowSpan

MATCHES = 250
"""Lines of the lists to a range, which is one piece of work for a process."""
AHEAD = 3
"""Ranges given out for each process, so that none waits for another."""

Loader: TypeAlias = Callable[[], Games]
"""Gives the games; a function of a module, since each process calls it for itself."""


class AuditProgress(NamedTuple):
    """What a range came to: how much there was, and the verdicts of matches that do not hold.

    ``cursor`` is the last id of it, to go on behind; None: that was the end.
    """

    matches: int
    events: int
    broken: list[Verdict]
    cursor: str | None


class DatabaseAudit(NamedTuple):
    """An audit of all matches behind ``after``, by ``jobs`` processes."""

    audits: Audits
    after: str = audit_rows.FIRST
    jobs: int = 1
    chain_only: bool = False
    loader: Loader = load_games

    def run(self) -> Iterator[AuditProgress]:
        """Yield what each range came to, in the order of ids."""
        if self.jobs <= 1:
            for span in self._iter_spans():
                yield _verify(self.audits, span, chain_only=self.chain_only)
            return
        yield from self._run_in_processes()

    def _run_in_processes(self) -> Iterator[AuditProgress]:
        # Not forked: a fork would take open connections and running threads along.
        pool = ProcessPoolExecutor(
            self.jobs, get_context("spawn"), _begin, (self.audits.database.url, self.loader)
        )
        waiting: deque[Future[AuditProgress]] = deque()
        try:
            for span in self._iter_spans():
                with _deaf():
                    waiting.append(pool.submit(_work, span, self.chain_only))
                if len(waiting) >= AHEAD * self.jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _iter_spans(self) -> Iterator[RowSpan]:
        after: str = self.after
        while True:
            with self.audits.database.read() as connection:
                upto = audit_rows.find_boundary(connection, after, MATCHES)
            yield RowSpan(after, upto)
            if upto is None:
                return
            after = upto


@contextmanager
def _deaf() -> Iterator[None]:
    """Let processes that are begun in here leave Ctrl-C to this one, which ends them.

    A terminal sends it to all of them, and each would complain in its own words. What is ignored
    here stays so in them, from their first instant on. Only a main thread can ask for that.
    """
    if current_thread() is not main_thread():
        yield
        return
    before = signal(SIGINT, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGINT, before)


_own_audits: list[Audits] = []
"""The audits of this process, if it is one of the pool's."""


def _begin(url: str, loader: Loader) -> None:
    _own_audits.append(Audits(Database(url), loader()))


def _work(span: RowSpan, chain_only: bool) -> AuditProgress:  # noqa: FBT001 - a pool passes by position
    return _verify(_own_audits[0], span, chain_only=chain_only)


def _verify(audits: Audits, span: RowSpan, *, chain_only: bool) -> AuditProgress:
    matches, events, broken = 0, 0, []
    for verdict in audits.verify_span(span, chain_only=chain_only):
        matches, events = matches + 1, events + verdict.events
        if not verdict.holds:
            broken.append(verdict)
    return AuditProgress(matches, events, broken, span.upto)
