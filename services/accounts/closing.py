"""Closing an account: what it leaves behind goes with it, in one transaction.

Open matches and challenges of the account's end, so that no seek outlives its author; running
matches are given up, so that nobody waits for a player who will not come back. What is
finished remains, under the name of a closed account, and so does what it said to others; its
own notes go. The old name is not given out again.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from domain.errors import Refusal
from domain.i18n import say
from domain.match import commands
from domain.match.state import ACTIVE, Match
from services.accounts.accounts import Accounts
from services.errors import NotFound, Unavailable
from services.matches.commands import ATTEMPTS, Matches
from services.matches.repository import Appended
from services.matches.requests import Request
from services.runtime.clock import instant
from services.store import accounts as addresses
from services.store import accounts as players
from services.store import accounts as sessions
from services.store import accounts as tokens
from services.store import matches as readmodels
from services.store import talk
from services.store.log.events import LinesKept, VersionTaken


class _OthersWrite(Exception):
    """One of the matches has gone on meanwhile; nothing was done."""


@dataclass(frozen=True, slots=True)
class Closing:
    """Closes accounts."""

    accounts: Accounts
    matches: Matches

    def close_own(self, player: str, password: str) -> None:
        """Close an account at its player's wish. Raises ``Unauthenticated``."""
        self.accounts.identify(self.accounts.get(player).name, password)
        self._close(player)

    def close(self, name: str) -> None:
        """Close the account of that name. Raises ``NotFound``."""
        found = self.accounts.find(name)
        if found is None:
            raise NotFound(say("There is no player of that name."))
        self._close(found.id)

    def _close(self, player: str) -> None:
        for _ in range(ATTEMPTS):
            try:
                with self.accounts.database.write() as connection:
                    ended = self._close_in(connection, player)
            except (_OthersWrite, VersionTaken):
                continue
            self.accounts.known.forget()
            self.accounts.known_names.forget()
            for appended in ended:
                self.matches.announce(appended)
            return
        raise Unavailable(say("Too many others write just now. Try again."))

    def _close_in(self, connection: Connection, player: str) -> list[Appended]:
        now = instant(self.accounts.now())
        # First, since this waits for whoever just creates or joins a match with this player.
        if not players.close(connection, player, now):
            raise NotFound(say("This account is closed already."))
        tokens.delete_tokens_of(connection, player)
        sessions.delete_sessions_of(connection, player)
        addresses.delete_addresses_of(connection, player)
        talk.delete_of_player(connection, player)
        ended = (
            self._end(connection, player, match_id)
            for match_id in readmodels.unfinished(connection, player)
        )
        return [one for one in ended if one is not None]

    def _end(self, connection: Connection, player: str, match_id: str) -> Appended | None:
        match = self.matches.repository.load(connection, match_id)
        if match is None or match.over:
            return None
        request = Request(player, any_version=True)
        try:
            appended = self.matches.decided(request, match, lambda _: _leaving(match, player))
        except Refusal:
            # Its time is up: whoever looks after the clocks ends it.
            return None
        try:
            self.matches.repository.write(connection, appended)
        except LinesKept as kept:
            raise _OthersWrite from kept
        return appended


def _leaving(match: Match, player: str) -> commands.Command:
    seat = match.seat_of(player)
    if seat is None:
        return commands.DeclineChallenge(player)
    return commands.Resign(seat) if match.status == ACTIVE else commands.AbortMatch(seat)
