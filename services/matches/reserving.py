"""What has to hold when somebody sits down, looked at in the transaction of the events.

Accounts may be closed and invitations be made while a match is created or joined. Whoever comes
second has to see it: hence the locks, which are held until the transaction ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection

from domain.errors import SeatReserved
from domain.i18n import say
from services.errors import Unauthenticated, UnknownOpponent
from services.matches import absences
from services.matches.repository import Appended
from services.store import challenges as starting
from services.store import matches as readmodels
from services.store import players

if TYPE_CHECKING:
    from services.matches.requests import Beside, Request


def still_here(request: Request, opponent: str | None) -> Beside:
    """Return a look at whether caller and opponent have open accounts, before ``beside``."""

    def look(connection: Connection, appended: Appended) -> None:
        caller_is_open(connection, request.caller)
        if opponent is not None and not players.hold_open(connection, opponent):
            raise UnknownOpponent(say("There is no player of that name."), pointer="/opponent")
        if request.beside is not None:
            request.beside(connection, appended)

    return look


def seat_is_free(request: Request, match_id: str, now: str) -> Beside:
    """Return a look at whether the free seat is still to be had, before ``beside``.

    It may be kept for an invitation; whoever is ``invited`` uses one up.
    """

    def look(connection: Connection, appended: Appended) -> None:
        caller_is_open(connection, request.caller)
        readmodels.get(connection, match_id, lock=True)
        if not request.invited and starting.count_live(connection, match_id, now):
            raise SeatReserved(say("This seat is kept for somebody who was invited by a link."))
        absences.must_be_so_still(connection, appended.match)
        if request.beside is not None:
            request.beside(connection, appended)

    return look


def caller_is_open(connection: Connection, player: str) -> None:
    """Refuse a caller whose account was closed a moment ago. Raises ``Unauthenticated``."""
    if not players.hold_open(connection, player):
        raise Unauthenticated(say("This account was closed."))
