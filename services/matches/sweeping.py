"""The sweep: what time has brought about is appended, though nobody comes by.

Any process may sweep, several at a time too: an end is appended at a version like every event,
once. What else there is to do now and then is passed in as chores, which this room knows by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from services.matches.timekeeping import Timekeeper
from services.runtime.clock import Now, instant
from services.store.db import heartbeat as downtimes
from services.store.matches import FIRST, Due, due_matches

AT_ONCE = 100
"""How many matches are listed at a time."""


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
    """Sweeps. ``chores``: by what they count in ``Swept``, and each returns how much that was."""

    timekeeper: Timekeeper
    now: Now
    chores: Mapping[str, Callable[[], int]]

    def sweep(self) -> Swept:
        """Append what is due, behind the time that is to be given back."""
        given = self._give_back()
        ends = [self.timekeeper.end_if_due(due.match) for due in self._listed()]
        given += ends.count("given")
        done = {name: chore() for name, chore in self.chores.items()}
        return Swept(ends.count("timeout"), ends.count("lapsed"), given=given, **done)

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
