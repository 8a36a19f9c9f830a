"""What time does to matches: it ends them, and lets clocks stand that a vacation stops.

``Timeouts`` decides on commands at an instant. Whoever meets a match whose time is up (the next
command, or the sweep) appends that end; it is for one version, like every event, so it is appended
once. Time in which the service was away is given back before anything else is decided.

``Sweep`` looks for all matches that are due, though nobody comes by. Several may do so at once.
What else there is to do now and then is passed in as chores, which this module knows by name.

A player may be on vacation when a match begins: then the clock stands from its first instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import structlog
from sqlalchemy import Connection

from domain.errors import Corruption, Refusal
from domain.match import commands
from domain.match.clock import CHALLENGE_FOR, DAY, NEVER, SECOND, moved, span
from domain.match.decide import decide
from domain.match.decide_clock import allows_vacation, lost_time
from domain.match.draft import Chance
from domain.match.state import ACTIVE, OPEN, Match, is_due
from services.matches.conditional_execution import ConditionalExecution
from services.matches.downtime import Downtime
from services.matches.repository import Appended, Repository
from services.runtime.clock import Now, instant
from services.runtime.notifier import Notifier
from services.store import accounts, vacations
from services.store.db import heartbeat
from services.store.db.engine import Database
from services.store.log.events import ConditionalMovesStored, VersionTaken
from services.store.matches import FIRST, DueMatch, due_matches

ATTEMPTS = 5
"""How often an end is tried when other writers are there first."""

AT_ONCE = 100
"""How many matches are listed at a time."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Decides at an instant, and ends what time has ended.

    Time in which the service was away is given back before anything else is decided.
    ``challenge_days``: how long challenges wait that are made from now on.
    """

    database: Database
    repository: Repository
    answering: ConditionalExecution
    waker: Notifier
    chance: Chance
    downtime: Downtime
    challenge_days: int = CHALLENGE_FOR // DAY

    def decided(self, match: Match, command: commands.Command) -> Appended:
        """Decide on a command now, and on what follows from it. Raises a ``Refusal``."""
        at = self.repository.present(match)
        given = self._lost_time(match, at)
        if given is None:
            decided = decide(match, command, self.chance, at=at)
            sealed = self.repository.seal(match, decided, at)
        else:
            decided = decide(given.match, command, self.chance, at=at)
            sealed = self.repository.seal_at_once(given, decided)
        appended = self.answering.follow(match, sealed)
        if match.status != OPEN or appended.match.clock is None:
            return appended
        with self.database.read() as connection:
            return let_absent_clocks_stand(connection, self.repository, appended, self.chance)

    def end(self, match: Match) -> bool:
        """Append the end that time has brought to ``match``; False: the match has gone on.

        Raises a ``Refusal`` if its time is not up.
        """
        command = commands.LapseMatch() if match.status == OPEN else commands.TimeOut()
        return self._append(lambda: self.decided(match, command))

    def give_back(self, match: Match) -> bool:
        """Give a match the time that its clock lost while the service was away.

        False: it has lost none, or the match has gone on.
        """
        at = self.repository.present(match)
        given = self._lost_time(match, at)
        return given is not None and self._append(lambda: self.answering.follow(match, given))

    def _lost_time(self, match: Match, at: str) -> Appended | None:
        """Return what gives a match the time back that its clock has lost by ``at``, or None."""
        if match.clock is None or match.status != ACTIVE:
            return None
        command = lost_time(match, self.downtime.away(at), at)
        if command is None:
            return None
        return self.repository.seal(match, decide(match, command, self.chance, at=at), at)

    def _append(self, decided: Callable[[], Appended]) -> bool:
        """Append what is decided on a match; False: the match has gone on."""
        for _ in range(ATTEMPTS):
            appended = decided()
            try:
                with self.database.write() as connection:
                    self.repository.write(connection, appended)
            except VersionTaken:
                return False
            except ConditionalMovesStored:
                continue
            self.announce(appended)
            return True
        return False

    def end_if_due(self, match_id: str) -> str | None:
        """End a match if its time is up; return how (``timeout``, ``lapsed``), or None.

        ``given``: its time is not up, since it was given some back.
        """
        given = None
        for _ in range(ATTEMPTS):
            with self.database.read() as connection:
                match = self.repository.load(connection, match_id)
            if match is None or not is_due(match, self.repository.present(match)):
                return given
            if self.give_back(match):
                given = "given"
                continue
            try:
                if self.end(match):
                    return "lapsed" if match.status == OPEN else "timeout"
            except Refusal:
                return given
        return given

    def will_go_on(self, match_id: str) -> bool:
        """Whether the time that a match will be given back keeps it from being ended."""
        with self.database.read() as connection:
            match = self.repository.load(connection, match_id)
        if match is None:
            return False
        at = self.repository.present(match)
        counted = self.downtime.counted(match, at)
        return counted is not match and not is_due(counted, at)

    def announce(self, appended: Appended) -> None:
        """Tell this process of what is committed."""
        self.repository.remember(appended.match)
        if appended.passing:
            self.answering.settle_later(appended.match.id, self.announce)
        self.waker.wake(appended.match.id, appended.match.head)
        self.waker.call(*appended.match.seats, appended.match.opponent)


def let_absent_clocks_stand(
    connection: Connection, repository: Repository, appended: Appended, chance: Chance
) -> Appended:
    """Let the clocks of those who are on vacation stand in a match that has just begun.

    That is decided with the beginning and written with it.
    """
    for seat, seconds in _absences(connection, appended.match):
        if seconds:
            match = appended.match
            away = commands.GoAway(seat, seconds)
            decided = decide(match, away, chance, at=match.updated_at)
            appended = repository.seal_at_once(appended, decided)
    return appended


def clocks_must_stand_still(connection: Connection, match: Match) -> None:
    """Hold both players, and see to it that the clocks stand as their vacations have it.

    A vacation that begins or ends at the same moment is seen by whoever comes second.

    Raises ``VersionTaken`` if a vacation has begun or ended since that was decided.
    """
    if match.clock is None:
        return
    for player in sorted(filter(None, match.seats)):
        accounts.hold_open(connection, player)
    for seat, seconds in _absences(connection, match):
        until = moved(match.updated_at, seconds * SECOND) if seconds else NEVER
        if match.clock.away_until[seat - 1] != until:
            raise VersionTaken


def _absences(connection: Connection, match: Match) -> Sequence[tuple[int, int]]:
    """Return each seat and how many seconds its player is still away: whole ones, rounded up."""
    if not allows_vacation(match):
        return []
    found = []
    for seat, player in enumerate(match.seats, 1):
        current = vacations.vacation_at(connection, player, match.updated_at)
        left = 0 if current is None else span(match.updated_at, current.ends_at)
        found.append((seat, -(-left // SECOND)))
    return found


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
class Sweep:
    """Sweeps. ``chores``: by what they count in ``Swept``, and each returns how much that was."""

    timekeeper: Timeouts
    now: Now
    chores: Mapping[str, Callable[[], int]]
    _damaged: set[str] = field(default_factory=set, init=False)

    def sweep(self) -> Swept:
        """Append what is due, behind the time that is to be given back."""
        given = self._give_back()
        end = self.timekeeper.end_if_due
        ends = [self._unless_damaged(end, one.match) for one in self._listed()]
        given += ends.count("given")
        done = {name: chore() for name, chore in self.chores.items()}
        return Swept(ends.count("timeout"), ends.count("lapsed"), given=given, **done)

    def due(self) -> Iterator[DueMatch]:
        """Yield the matches that a sweep would end, those that have waited longest first."""
        go_on = self.timekeeper.will_go_on
        return (one for one in self._listed() if self._unless_damaged(go_on, one.match) is False)

    def _unless_damaged(self, do: Callable[[str], T], match_id: str) -> T | None:
        """Do something about a match; one that cannot be read stops nobody, and is told of once."""
        try:
            return do(match_id)
        except Corruption as error:
            if match_id not in self._damaged:
                _log.error("damaged_match", match=match_id, reason=str(error))
                self._damaged.add(match_id)
            return None

    def _give_back(self) -> int:
        """Give all running matches the time back in which the service was away.

        Their deadlines are right then, in lists and for reminders. It is only a matter of when:
        whoever decides on one of them before gives it its time. Returns how many got some.
        """
        keeper, number = self.timekeeper, 0
        with keeper.database.read() as connection:
            waiting = heartbeat.to_give(connection)
        for giving in waiting if keeper.downtime.grace > 0 else ():
            through, one = False, giving
            while not through:
                with keeper.database.read() as connection:
                    page = heartbeat.running(connection, one, AT_ONCE)
                number += sum(bool(self._unless_damaged(self._gave_back, id_)) for id_ in page)
                through = len(page) < AT_ONCE
                one = one._replace(given_up_to=page[-1] if page else one.given_up_to)
                with keeper.database.write() as connection:
                    at = instant(self.now()) if through else None
                    heartbeat.save_given(connection, one, at)
        return number

    def _gave_back(self, match_id: str) -> bool:
        with self.timekeeper.database.read() as connection:
            match = self.timekeeper.repository.load(connection, match_id)
        return match is not None and self.timekeeper.give_back(match)

    def _listed(self) -> Iterator[DueMatch]:
        """Yield the matches that are due by the lists, in that order."""
        now, last = instant(self.now()), FIRST
        while True:
            with self.timekeeper.database.read() as connection:
                page = due_matches(connection, now, last, AT_ONCE)
            yield from page
            if len(page) < AT_ONCE:
                return
            last = page[-1]
