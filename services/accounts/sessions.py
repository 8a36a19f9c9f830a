"""Being logged in with a browser: a random id that the browser keeps, and we know by digest."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection

from domain.i18n import say
from services.accounts.accounts import Accounts
from services.errors import NotFound, Unauthenticated
from services.runtime.clock import Now, instant, later
from services.runtime.randomness import Randomness
from services.store import accounts
from services.store.db.engine import Database


class Session(NamedTuple):
    """Who is logged in."""

    player: str
    name: str


class SessionInfo(NamedTuple):
    """A session without its secret.

    ``id``: the beginning of its digest. ``agent``: what its browser calls itself.
    """

    id: str
    agent: str | None
    created_at: str
    expires_at: str
    current: bool


AGENT_LENGTH = 200
_ID_LENGTH = 16
_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Sessions:
    """Use cases around sessions. ``days``: how long one is good for."""

    database: Database
    accounts: Accounts
    now: Now
    entropy: Randomness
    days: int

    def sign_up(self, name: str, password: str, former: str | None, agent: str = "") -> str:
        """Create a player and log them in, as ``log_in`` does.

        Raises ``InvalidPlayer`` or ``NameTaken``.
        """
        player = self.accounts.sign_up(name, password)
        return self._begin(player.id, former, agent, lambda _: None)

    def log_in(self, name: str, password: str, former: str | None, agent: str = "") -> str:
        """Begin a session and return its id. Raises ``Unauthenticated``.

        The id is always new, so that whoever planted or saw the ``former`` one gains nothing;
        that one ends. Expired sessions, of anybody, are cleared away. ``agent``: what the browser
        calls itself, for its player to recognise it by.
        """
        row = self.accounts.check_password(name, password)

        def hold(connection: Connection) -> None:
            self.accounts.hold_password(connection, row)

        return self._begin(row.id, former, agent, hold)

    def find(self, session: str) -> Session | None:
        """Return who is logged in by this id, or None: it is unknown, or has expired."""
        with self.database.read() as connection:
            found = accounts.session_by_digest(connection, _digest(session))
        if found is None or found.expires_at <= instant(self.now()):
            return None
        return Session(found.player, found.name)

    def log_out(self, session: str) -> None:
        """End a session."""
        with self.database.write() as connection:
            accounts.delete_session(connection, _digest(session))

    def of_player(self, player: str, session: str) -> list[SessionInfo]:
        """List a player's sessions, the newest first; ``session`` is the present one's id."""
        with self.database.read() as connection:
            rows = accounts.sessions_of(connection, player, instant(self.now()))
        here = _digest(session)
        return [
            SessionInfo(
                row.digest[:_ID_LENGTH],
                row.agent,
                row.created_at,
                row.expires_at,
                row.digest == here,
            )
            for row in rows
        ]

    def end(self, player: str, session_id: str) -> None:
        """End one of a player's sessions, by the id that lists have. Raises ``NotFound``."""
        with self.database.write() as connection:
            known = _ID.fullmatch(session_id) is not None
            if not known or not accounts.delete_begun(connection, player, session_id):
                raise NotFound(say("You have no such session: it may have ended already."))

    def change_password(self, session: str, current: str, new: str) -> None:
        """Give the player of a session another password, and log them out in other browsers.

        Raises ``Unauthenticated`` for a wrong ``current`` one, ``InvalidPlayer`` for a poor new.
        """
        found = self.find(session)
        if found is None:
            raise Unauthenticated(say("This session has ended."))
        self.accounts.change_password(found.name, current, new, _digest(session))

    def _begin(
        self, player: str, former: str | None, agent: str, hold: Callable[[Connection], None]
    ) -> str:
        session, now = self.entropy.token(), self.now()
        row = accounts.SessionRow(
            _digest(session),
            player,
            instant(now),
            later(now, days=self.days),
            agent[:AGENT_LENGTH] or None,
        )
        with self.database.write() as connection:
            hold(connection)
            accounts.delete_expired_sessions(connection, instant(now))
            if former is not None:
                accounts.delete_session(connection, _digest(former))
            accounts.insert_session(connection, row)
        return session


def _digest(session: str) -> str:
    return sha256(session.encode()).hexdigest()
