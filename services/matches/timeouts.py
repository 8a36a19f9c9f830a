"""The sweep: looks for all matches that are due, though nobody comes by. Several may do so at once.

What else there is to do now and then is passed in as chores, which this module knows by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import structlog

from domain.errors import Corruption, UnknownGame
from domain.match.state import is_due
from services.matches.commands import MatchCommands
from services.store.db import heartbeat
from services.store.matches import FIRST, DueMatch, list_due_matches

AT_ONCE = 100
"""How many matches are listed at a time."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


class Swept(NamedTuple):
    """What a sweep has done: matches ended by the clock, and open ones that have lapsed.

    ``practices``: practice matches that nobody holds any more, ended and let go. ``expired``:
    kept answers, sessions, tokens and notices whose time is over, removed. ``closed``: accounts
    whose players asked for it a week ago. ``given``: matches that were given the time back in
    which the service was away. ``low_on_time``: players who are to be told that little time is
    left to them.
    """

    timeouts: int = 0
    lapsed: int = 0
    practices: int = 0
    expired: int = 0
    given: int = 0
    low_on_time: int = 0
    closed: int = 0


@dataclass(frozen=True, slots=True)
class Sweep:
    """Sweeps. ``chores``: by what they count in ``Swept``, and each returns how much that was."""

    matches: MatchCommands
    chores: Mapping[str, Callable[[], int]]
    _damaged: set[str] = field(default_factory=set, init=False)

    def sweep(self) -> Swept:
        """Give back the time that was lost, append the ends that are due, and do the chores."""
        given = self._give_back()
        end = self.matches.end_if_due
        ends = [self._do_unless_damaged(end, one.match) for one in self._iter_listed()]
        given += ends.count("given")
        done = {name: chore() for name, chore in self.chores.items()}
        return Swept(ends.count("timeout"), ends.count("lapsed"), given=given, **done)

    def iter_due(self) -> Iterator[DueMatch]:
        """Yield the matches that a sweep would end, those that have waited longest first."""
        go_on = self._will_go_on
        return (
            one for one in self._iter_listed() if self._do_unless_damaged(go_on, one.match) is False
        )

    def _do_unless_damaged(self, do: Callable[[str], T], match_id: str) -> T | None:
        """Do something about a match; one that cannot be read stops nobody, and is told of once."""
        try:
            return do(match_id)
        except (Corruption, UnknownGame) as error:
            if match_id not in self._damaged:
                _log.error("damaged_match", match=match_id, reason=str(error))
                self._damaged.add(match_id)
            return None

    def _will_go_on(self, match_id: str) -> bool:
        """Whether the time that a match will be given back keeps it from being ended."""
        match = self.matches.load(match_id)
        if match is None:
            return False
        at = self.matches.repository.get_instant(match)
        counted = self.matches.downtime.add_lost_time(match, at)
        return counted is not match and not is_due(counted, at)

    def _give_back(self) -> int:
        """Give all running matches the time back in which the service was away.

        Their deadlines are right then, in lists and for reminders. It is only a matter of when:
        whoever decides on one of them before gives it its time. Returns how many got some.
        """
        number = 0
        with self.matches.database.read() as connection:
            waiting = heartbeat.list_to_give(connection)
        for giving in waiting if self.matches.downtime.grace > 0 else ():
            through, one = False, giving
            while not through:
                with self.matches.database.read() as connection:
                    page = heartbeat.list_running(connection, one, AT_ONCE)
                number += sum(
                    bool(self._do_unless_damaged(self._give_back_to, id_)) for id_ in page
                )
                through = len(page) < AT_ONCE
                one = one._replace(given_up_to=page[-1] if page else one.given_up_to)
                with self.matches.database.write() as connection:
                    at = self.matches.repository.get_instant() if through else None
                    heartbeat.save_given(connection, one, at)
        return number

    def _give_back_to(self, match_id: str) -> bool:
        match = self.matches.load(match_id)
        return match is not None and self.matches.give_back(match)

    def _iter_listed(self) -> Iterator[DueMatch]:
        now, last = self.matches.repository.get_instant(), FIRST
        while True:
            with self.matches.database.read() as connection:
                page = list_due_matches(connection, now, last, AT_ONCE)
            yield from page
            if len(page) < AT_ONCE:
                return
            last = page[-1]
