"""Closing an account: what it leaves behind goes with it, in one transaction.

Open matches and challenges of the account's end, so that no seek outlives its author; running
matches are given up, so that nobody waits for a player who will not come back. What is
finished remains, under the name of a closed account, and so does what it said to others; its
own notes go, and so do its webhooks. The old name is not given out again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import instant
from services.accounts.accounts import Accounts
from services.errors import NotFound, Unavailable
from services.store import accounts, puzzles, talk
from services.store.log.events import VersionTaken
from services.store.notices import channels

T = TypeVar("T")

_ATTEMPTS = 5
"""How often an account is closed anew when others write to one of its matches."""


@dataclass(frozen=True, slots=True)
class Closing(Generic[T]):
    """Closes accounts.

    ``leave_all`` ends what a player has not finished, in a transaction, and returns what it wrote;
    ``announce`` tells those who wait for a match of that, once it is committed. They come from
    ``services.matches``, which lies above this room.
    """

    accounts: Accounts
    leave_all: Callable[[Connection, str], Sequence[T]]
    announce: Callable[[T], None]

    def close_own(self, player: str, password: str) -> None:
        """Close an account at its player's wish. Raises ``Unauthenticated``."""
        self.accounts.check_password(self.accounts.get(player).name, password)
        self._close(player)

    def close(self, name: str) -> None:
        """Close the account of that name. Raises ``NotFound`` and ``InvalidPlayer``."""
        self._close(self.accounts.person(name).id)

    def _close(self, player: str) -> None:
        for _ in range(_ATTEMPTS):
            try:
                with self.accounts.database.write() as connection:
                    ended = self._close_in(connection, player)
            except VersionTaken:
                continue
            self.accounts.known.forget()
            self.accounts.known_names.forget()
            for appended in ended:
                self.announce(appended)
            return
        raise Unavailable(say("Too many others write just now. Try again."))

    def _close_in(self, connection: Connection, player: str) -> Sequence[T]:
        now = instant(self.accounts.now())
        # First, since this waits for whoever just creates or joins a match with this player.
        if not accounts.close(connection, player, now):
            raise NotFound(say("This account is closed already."))
        gone = (
            *(accounts.tokens, accounts.sessions, accounts.known_addresses),
            *(talk.notes, puzzles.puzzle_attempts),
        )
        accounts.delete_of(connection, player, *gone)
        channels.delete_of(connection, player)
        return self.leave_all(connection, player)
