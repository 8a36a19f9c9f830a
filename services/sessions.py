"""Being logged in with a browser: a random id that the browser keeps, and we know by digest."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from services.accounts import Accounts, Player
from services.clock import Now, instant, later
from services.entropy import Entropy
from services.store import sessions
from services.store.engine import Database


class Session(NamedTuple):
    """Who is logged in."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Sessions:
    """Use cases around sessions. ``days``: how long one is good for."""

    database: Database
    accounts: Accounts
    now: Now
    entropy: Entropy
    days: int

    def sign_up(self, name: str, password: str, former: str | None) -> str:
        """Create a player and log them in, as ``log_in`` does.

        Raises ``InvalidPlayer`` or ``NameTaken``.
        """
        return self._begin(self.accounts.sign_up(name, password), former)

    def log_in(self, name: str, password: str, former: str | None) -> str:
        """Begin a session and return its id. Raises ``Unauthenticated``.

        The id is always new, so that whoever planted or saw the ``former`` one gains nothing;
        that one ends. Expired sessions, of anybody, are cleared away.
        """
        return self._begin(self.accounts.identify(name, password), former)

    def find(self, session: str) -> Session | None:
        """Return who is logged in by this id, or None: it is unknown, or has expired."""
        with self.database.read() as connection:
            found = sessions.by_digest(connection, _digest(session))
        if found is None or found.expires_at <= instant(self.now()):
            return None
        return Session(found.player, found.name)

    def log_out(self, session: str) -> None:
        """End a session."""
        with self.database.write() as connection:
            sessions.delete(connection, _digest(session))

    def _begin(self, player: Player, former: str | None) -> str:
        session, now = self.entropy.token(), self.now()
        row = sessions.SessionRow(
            _digest(session), player.id, instant(now), later(now, days=self.days)
        )
        with self.database.write() as connection:
            sessions.delete_expired(connection, instant(now))
            if former is not None:
                sessions.delete(connection, _digest(former))
            sessions.insert(connection, row)
        return session


def _digest(session: str) -> str:
    return sha256(session.encode()).hexdigest()
