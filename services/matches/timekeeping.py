"""Ends by time: whoever meets a match whose time is up appends that end, and once only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from domain.errors import Refusal
from domain.match import commands
from domain.match.clock import CHALLENGE_FOR, DAY
from domain.match.decide import decide
from domain.match.decide_clock import lost_time
from domain.match.draft import Chance
from domain.match.state import ACTIVE, OPEN, Match, is_due
from services.matches import absences
from services.matches.conditional_execution import Answering
from services.matches.downtime import Downtime
from services.matches.repository import Appended, Repository
from services.runtime.notifier import Waker
from services.store.db.engine import Database
from services.store.log.events import LinesKept, VersionTaken

ATTEMPTS = 5
"""How often an end is tried when other writers are there first."""


@dataclass(frozen=True, slots=True)
class Timekeeper:
    """Decides at an instant, and ends what time has ended.

    Time in which the service was away is given back before anything else is decided.
    ``challenge_days``: how long challenges wait that are made from now on.
    """

    database: Database
    repository: Repository
    answering: Answering
    waker: Waker
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
            return absences.begun(connection, self.repository, appended, self.chance)

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
            except LinesKept:
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
