"""The sweep: what time has brought about is appended, though nobody comes by.

Any process may sweep; a lease lets one do it at a time, so that several do not read the same
lists. That is thrift, not safety: an end is appended at a version like every event, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from secrets import token_hex
from threading import Event, Thread
from typing import NamedTuple

import structlog

from domain.errors import Refusal
from services.accounts.known_addresses import KNOWN_FOR
from services.errors import reason_of
from services.lobby.practice import Practising
from services.matches.timekeeping import Timekeeper
from services.runtime.clock import Now, instant
from services.store import accounts, idempotency
from services.store.db import heartbeat as downtimes
from services.store.db.leases import take_lease
from services.store.matches import FIRST, Due, due_matches

LEASE = "sweep"

AT_ONCE = 100
"""How many matches are listed at a time."""

ANSWERS_KEPT = timedelta(hours=48)
"""How long an answer is kept to be given again; 24 hours are promised."""

TOKENS_LISTED = timedelta(days=30)
"""How long a token that has expired is still listed to its owner."""

FORGOTTEN_AT_ONCE = 500
"""Answers that are removed in one transaction: on SQLite a move may have to wait for it."""

_log = structlog.get_logger(__name__)


class Swept(NamedTuple):
    """What a sweep has done: matches ended by the clock, and open ones that have lapsed.

    ``practices``: practice matches that nobody holds any more, ended and let go. ``expired``:
    kept answers, sessions and tokens whose time is over, removed. ``given``: matches that were
    given the time back in which the service was away.
    """

    timeouts: int = 0
    lapsed: int = 0
    practices: int = 0
    expired: int = 0
    given: int = 0


@dataclass(frozen=True, slots=True)
class Sweeping:
    """Sweeps. ``holder``: the name of this process on the lease."""

    timekeeper: Timekeeper
    practising: Practising
    now: Now
    holder: str = field(default_factory=lambda: token_hex(16))

    def sweep(self) -> Swept:
        """Append what is due, behind the time that is to be given back."""
        given = self._give_back()
        ends = [self.timekeeper.end_if_due(due.match) for due in self._listed()]
        practices = self.practising.clear()
        given += ends.count("given")
        return Swept(ends.count("timeout"), ends.count("lapsed"), practices, self._forget(), given)

    def _forget(self) -> int:
        """Remove what is kept for a while only; return how much that was."""
        database, now = self.timekeeper.database, self.now()
        old, count = instant(now - ANSWERS_KEPT), 0
        while True:
            with database.write() as connection:
                answers = idempotency.delete_older(connection, old, FORGOTTEN_AT_ONCE)
            count += answers
            if answers < FORGOTTEN_AT_ONCE:
                break
        with database.write() as connection:
            count += accounts.delete_expired_sessions(connection, instant(now))
            count += accounts.delete_older(connection, instant(now - KNOWN_FOR))
            return count + accounts.delete_expired_tokens(connection, instant(now - TOKENS_LISTED))

    def due(self) -> Iterator[Due]:
        """Yield the matches that a sweep would end, those that have waited longest first."""
        return (due for due in self._listed() if not self.timekeeper.will_go_on(due.match))

    def _give_back(self) -> int:
        """Give all running matches the time back in which the service was away.

        Their deadlines are right then, in lists and for reminders. It is only a matter of when:
        whoever decides on one of them before gives it its time. Returns how many got some.
        """
        keeper, number = self.timekeeper, 0
        with keeper.database.read() as connection:
            waiting = downtimes.to_give(connection)
        for giving in waiting if keeper.downtime.grace > 0 else ():
            through, one = False, giving
            while not through:
                with keeper.database.read() as connection:
                    page = downtimes.running(connection, one, AT_ONCE)
                number += sum(map(self._gave_back, page))
                through = len(page) < AT_ONCE
                one = one._replace(given_up_to=page[-1] if page else one.given_up_to)
                with keeper.database.write() as connection:
                    at = instant(self.now()) if through else None
                    downtimes.save_given(connection, one, at)
        return number

    def _gave_back(self, match_id: str) -> bool:
        with self.timekeeper.database.read() as connection:
            match = self.timekeeper.repository.load(connection, match_id)
        return match is not None and self.timekeeper.give_back(match)

    def _listed(self) -> Iterator[Due]:
        """Yield the matches that are due by the lists, in that order."""
        now, last = instant(self.now()), FIRST
        while True:
            with self.timekeeper.database.read() as connection:
                page = due_matches(connection, now, last, AT_ONCE)
            yield from page
            if len(page) < AT_ONCE:
                return
            last = page[-1]

    def sweep_in_turn(self, seconds: float) -> Swept | None:
        """Sweep if no other process has done so for ``seconds``; None: another does it."""
        now = self.now()
        until = instant(now + timedelta(seconds=seconds))
        with self.timekeeper.database.write() as connection:
            ours = take_lease(connection, LEASE, self.holder, instant(now), until)
        return self.sweep() if ours else None

    def keep_sweeping(self, interval: float, stopping: Event) -> Thread:
        """Sweep every ``interval`` seconds in a thread of its own until ``stopping`` is set."""
        thread = Thread(target=self._run, args=(interval, stopping), name="sweep", daemon=True)
        thread.start()
        return thread

    def _run(self, interval: float, stopping: Event) -> None:
        while not stopping.wait(interval):
            try:
                # Longer than the interval, so that who sweeps goes on to, as long as it lives.
                swept = self.sweep_in_turn(interval * 2.5)
            except Refusal as error:
                _log.warning("sweep_failed", reason=reason_of(error))
                continue
            except Exception:  # noqa: BLE001 - whatever it is, the next round tries again
                # The database may be away for a while; the next round finds what this one left.
                _log.exception("sweep_failed")
                continue
            if swept is not None and any(swept):
                _log.info("swept", **swept._asdict())
