"""Ends by time: whoever meets a match whose time is up appends that end, and once only."""

from __future__ import annotations

from dataclasses import dataclass

from domain import commands
from domain.clock import CHALLENGE_FOR
from domain.decide import Chance, decide
from domain.errors import Refusal
from domain.match import OPEN, Match, is_due
from domain.pace import DAY
from services import absences
from services.answering import Answering
from services.repository import Appended, Repository
from services.store.engine import Database
from services.store.events import LinesKept, VersionTaken
from services.waking import Waker

ATTEMPTS = 5
"""How often an end is tried when other writers are there first."""


@dataclass(frozen=True, slots=True)
class Timekeeper:
    """Decides at an instant, and ends what time has ended.

    ``challenge_days``: how long challenges wait that are made from now on.
    """

    database: Database
    repository: Repository
    answering: Answering
    waker: Waker
    chance: Chance
    challenge_days: int = CHALLENGE_FOR // DAY

    def decided(self, match: Match, command: commands.Command) -> Appended:
        """Decide on a command now, and on what follows from it. Raises a ``Refusal``."""
        at = self.repository.present(match)
        decided = decide(match, command, self.chance, at=at)
        sealed = self.repository.seal(match, decided, at)
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
        for _ in range(ATTEMPTS):
            appended = self.decided(match, command)
            try:
                with self.database.write() as connection:
                    self.repository.write(connection, appended)
            except VersionTaken:
                return False
            except LinesKept:
                self.answering.expect(match.id)
                continue
            self.announce(appended)
            return True
        return False

    def end_if_due(self, match_id: str) -> str | None:
        """End a match if its time is up; return how (``timeout``, ``lapsed``), or None."""
        for _ in range(ATTEMPTS):
            with self.database.read() as connection:
                match = self.repository.load(connection, match_id)
            if match is None or not is_due(match, self.repository.present(match)):
                return None
            try:
                if self.end(match):
                    return "lapsed" if match.status == OPEN else "timeout"
            except Refusal:
                return None
        return None

    def announce(self, appended: Appended) -> None:
        """Tell this process of what is committed."""
        self.repository.remember(appended.match)
        self.waker.wake(appended.match.id, appended.match.version)
        self.waker.call(*appended.match.seats, appended.match.opponent)
