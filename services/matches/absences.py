"""Players who are on vacation when their match begins: their clocks stand from its first instant.

That is decided with the beginning and written with it. A vacation that begins or ends at the same
moment is seen by whoever comes second: both hold the player.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from domain.match import commands
from domain.match.clock import NEVER, SECOND, moved, span
from domain.match.decide import decide
from domain.match.decide_clock import allows_vacation
from domain.match.draft import Chance
from domain.match.state import Match
from services.matches.repository import Appended, Repository
from services.store import accounts
from services.store import vacations as timekeeping
from services.store.log.events import VersionTaken


def begun(
    connection: Connection, repository: Repository, appended: Appended, chance: Chance
) -> Appended:
    """Let the clocks of those who are away stand in a match that has just begun."""
    for seat, seconds in _absences(connection, appended.match):
        if seconds:
            match = appended.match
            away = commands.GoAway(seat, seconds)
            decided = decide(match, away, chance, at=match.updated_at)
            appended = repository.seal_at_once(appended, decided)
    return appended


def must_be_so_still(connection: Connection, match: Match) -> None:
    """Hold both players, and see to it that the clocks stand as the vacations have it.

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
        current = timekeeping.vacation_at(connection, player, match.updated_at)
        left = 0 if current is None else span(match.updated_at, current.ends_at)
        found.append((seat, -(-left // SECOND)))
    return found
