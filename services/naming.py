"""Who the players of a match are: ours by their accounts, of an imported match by its file.

Whoever played an imported match elsewhere has no account here, even if an id in it is that of
an account of ours: such a file may have been made to say so.
"""

from __future__ import annotations

from sqlalchemy import Connection

from domain.match import FINISHED, Match
from domain.viewer import Viewer
from domain.views import view
from services.accounts import Accounts
from services.showing import Shown
from services.store import imported
from services.store.imported import ImportedRow


def origin(connection: Connection, match: Match) -> ImportedRow | None:
    """Return where a match comes from; None: it was played here.

    Only finished matches are ever imported, so that a match that goes on is not looked up.
    """
    return imported.get(connection, match.id) if match.status == FINISHED else None


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
