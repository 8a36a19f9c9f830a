"""Who the players of a match are: ours by their accounts, of an imported match by its file.

Whoever played an imported match elsewhere has no account here, even if an id in it is that of
an account of ours: such a file may have been made to say so.
"""

from __future__ import annotations

from sqlalchemy import Connection

from domain.errors import NotYourSeat
from domain.game.game import Viewer
from domain.i18n import say
from domain.match.state import FINISHED, Match
from domain.match.views import view
from services.accounts.accounts import Accounts
from services.matches.access import must_see
from services.matches.showing import Shown
from services.store import imports as imported
from services.store.db.engine import Database
from services.store.imports import ImportedRow


def origin(connection: Connection, match: Match) -> ImportedRow | None:
    """Return where a match comes from; None: it was played here.

    Only finished matches are ever imported, so that a match that goes on is not looked up.
    """
    return imported.get(connection, match.id) if match.status == FINISHED else None


def as_known(connection: Connection, match: Match, caller: str | None) -> str | None:
    """Return a caller as the match knows them: as nobody, if it was imported."""
    return None if origin(connection, match) is not None else caller


def must_know(database: Database, match: Match, caller: str) -> None:
    """Refuse who may not know of a match, or whom an imported one only seems to seat.

    Raises ``NotFound`` and ``NotYourSeat``.
    """
    if match.status != FINISHED:
        must_see(match, caller)
        return
    with database.read() as connection:
        known = as_known(connection, match, caller)
    must_see(match, known)
    if known is None:
        raise NotYourSeat(say("You have no seat in this match."))


def shown_with_names(
    connection: Connection, accounts: Accounts, match: Match, caller: str | None, viewer: Viewer
) -> Shown:
    """Show a match as ``viewer`` may see it, with names joined in.

    An imported match has nobody of ours in a seat, and is rated nowhere.
    """
    seen = view(match, viewer)
    elsewhere = origin(connection, match)
    if elsewhere is not None:
        return Shown(seen._replace(rated=False), elsewhere.names, None, elsewhere.imported_at)
    names = accounts.names_in(connection, [*match.seats, match.opponent])
    return Shown(seen, names, match.seat_of(caller))
