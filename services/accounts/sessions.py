"""Being logged in with a browser: a random id that the browser keeps, and we know by digest.

An address from which a player got in of late is known, so that guesses from elsewhere do not lock
them out there. It is kept as a keyed hash, together with the name that it was used for: without
the key, which is in the database too, nobody can tell which address it was, or whether two players
share one. What is kept for a while only is removed by ``Expiry``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from domain.i18n import say
from domain.match.clock import format_instant, format_later
from services.accounts.accounts import Accounts, fold_name, hash_secret
from services.errors import NotFound, Unauthenticated
from services.runtime.clock import Now
from services.store import accounts, idempotency
from services.store.accounts import PlayerRow
from services.store.cursors import CursorCipher
from services.store.db.engine import Database
from services.store.notices.mail_links import mail_links
from services.store.people.passkeys import used_challenges
from services.store.people.profiles import PlayerName


class Session(NamedTuple):
    """Who is logged in. ``zone``, ``language``: the time zone and the language that they chose."""

    player: str
    name: str
    zone: str | None = None
    language: str | None = None


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

    accounts: Accounts
    days: int

    def sign_up(
        self,
        name: str,
        password: str,
        former: str | None,
        agent: str = "",
        guest: str | None = None,
    ) -> str:
        """Create a player and log them in, as ``log_in`` does; of a ``guest`` if there is that key.

        Raises ``InvalidPlayer`` or ``NameTaken``.
        """
        return self._begin(self.accounts.sign_up(name, password, guest).id, former, agent)

    def log_in(self, name: str, password: str, former: str | None, agent: str = "") -> str:
        """Begin a session and return its id. Raises ``Unauthenticated``.

        The id is always new, so that whoever planted or saw the ``former`` one gains nothing;
        that one ends. Expired sessions, of anybody, are cleared away. ``agent``: what the browser
        calls itself, for its player to recognise it by. An account that was to be deleted stays.
        """
        return self.begin(self.accounts.check_password(name, password), former, agent)

    def begin(self, row: PlayerRow, former: str | None, agent: str = "") -> str:
        """Begin a session of a player who has shown who they are; as ``log_in`` does.

        Raises ``Unauthenticated`` if they have another password since, or none.
        """
        return self._begin(row.id, former, agent, row)

    def find(self, session: str) -> Session | None:
        """Return who is logged in by this id, or None: it is unknown, or has expired."""
        with self.accounts.database.read() as connection:
            found = accounts.find_session_owner(connection, hash_secret(session))
        if found is None or found.expires_at <= format_instant(self.accounts.now()):
            return None
        name = PlayerName.make(found.name, found.display_name)
        return Session(found.player, name, found.time_zone, found.language)

    def log_out(self, session: str) -> None:
        """End a session."""
        with self.accounts.database.write() as connection:
            accounts.delete_session(connection, hash_secret(session))

    def list_by_player(self, player: str, session: str) -> list[SessionInfo]:
        """List a player's sessions, the newest first; ``session`` is the present one's id."""
        with self.accounts.database.read() as connection:
            rows = accounts.list_sessions(connection, player, format_instant(self.accounts.now()))
        here = hash_secret(session)
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
        with self.accounts.database.write() as connection:
            known = _ID.fullmatch(session_id) is not None
            if not known or not accounts.delete_session_by_prefix(connection, player, session_id):
                raise NotFound(say("You have no such session: it may have ended already."))

    def change_password(self, session: str, current: str, new: str, agent: str = "") -> str:
        """Give the player of a session another password, and return their new session.

        All others end, this one too: somebody else may hold its id. Raises ``Unauthenticated`` for
        a wrong ``current`` one, ``InvalidPlayer`` for a poor new.
        """
        found = self.find(session)
        if found is None:
            raise Unauthenticated(say("This session has ended."))
        return self.begin(self.accounts.change_password(found.name, current, new), None, agent)

    def _begin(
        self, player: str, former: str | None, agent: str, checked: PlayerRow | None = None
    ) -> str:
        session, now = self.accounts.randomness.make_token(), self.accounts.now()
        row = accounts.SessionRow(
            hash_secret(session),
            player,
            format_instant(now),
            format_later(now, days=self.days),
            agent[:AGENT_LENGTH] or None,
        )
        with self.accounts.database.write() as connection:
            if checked is not None:
                # Together: whoever deletes the account finds that it stays, or was there before.
                accounts.set_closing(connection, player, None)
                self.accounts.hold_password(connection, checked)
            accounts.delete_older(connection, accounts.sessions.c.expires_at, format_instant(now))
            if former is not None:
                accounts.delete_session(connection, hash_secret(former))
            accounts.insert_session(connection, row)
        return session


KNOWN_FOR = timedelta(days=90)
"""So long an address is known after its player last got in from there."""

_OFTEN = timedelta(days=1)
"""So long nothing is written anew of an address that is known."""


@dataclass(frozen=True, slots=True)
class KnownAddresses:
    """Remembers addresses. It asks as much of the database for a name that nobody has."""

    database: Database
    sealer: CursorCipher
    now: Now

    def knows(self, name: str, address: str) -> bool:
        """Tell whether the player of that name got in from an address of late."""
        hashed = self._hash_address(name, address)
        with self.database.read() as connection:
            seen = accounts.find_last_seen(connection, hashed)
        return seen is not None and seen >= format_instant(self.now() - KNOWN_FOR)

    def remember(self, name: str, address: str) -> None:
        """Keep that the player of that name has just got in from an address."""
        hashed, now = self._hash_address(name, address), self.now()
        with self.database.read() as connection:
            seen = accounts.find_last_seen(connection, hashed)
        if seen is not None and seen >= format_instant(now - _OFTEN):
            return
        with self.database.write() as connection:
            accounts.save_seen(connection, hashed, fold_name(name), format_instant(now))

    def _hash_address(self, name: str, address: str) -> str:
        return self.sealer.hash_with_key("known-address", f"{fold_name(name)}\0{address}")


ANSWERS_KEPT = timedelta(hours=48)
"""How long an answer is kept to be given again; 24 hours are promised."""

TOKENS_LISTED = timedelta(days=30)
"""How long a token that has expired is still listed to its owner."""

AT_ONCE = 500
"""Answers that are removed in one transaction: on SQLite a move may have to wait for it."""


@dataclass(frozen=True, slots=True)
class Expiry:
    """Removes what has expired: sessions, tokens, links in mails, stored answers and the like."""

    database: Database
    now: Now

    def clear(self) -> int:
        """Remove what is kept for a while only and has been; return how much that was."""
        now = self.now()
        old, count = format_instant(now - ANSWERS_KEPT), 0
        while True:
            with self.database.write() as connection:
                answers = idempotency.delete_older(connection, old, AT_ONCE)
            count += answers
            if answers < AT_ONCE:
                break
        with self.database.write() as connection:
            for column, before in (
                (accounts.sessions.c.expires_at, now),
                (accounts.tokens.c.expires_at, now - TOKENS_LISTED),
                (accounts.known_addresses.c.seen_at, now - KNOWN_FOR),
                (used_challenges.c.expires_at, now),
                (mail_links.c.expires_at, now),
            ):
                count += accounts.delete_older(connection, column, format_instant(before))
        return count
