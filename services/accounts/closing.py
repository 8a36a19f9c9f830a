"""Deleting an account: asked for, it happens a week later; who logs in before has taken it back.

Then all that leads to a person goes in one transaction: name, password, log-ins, what they wrote to
themselves and to others. Open matches and challenges of theirs end, so that no seek outlives its
author; running matches are given up, so that nobody waits for a player who will not come back. The
matches remain, under the name of a closed account: events name players by ids. The folded name
remains, too, so that nobody else is ever taken for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

import structlog
from sqlalchemy import Connection

from domain.errors import Refusal
from domain.i18n import say
from domain.match.clock import format_instant
from services.accounts.accounts import Accounts, fold_name
from services.errors import NotFound, Unauthenticated
from services.store import accounts, challenges, idempotency, puzzles, talk
from services.store.log.events import VersionTaken
from services.store.notices import channels, mail_links
from services.store.people import passkeys, profiles, recovery_codes, relations

T = TypeVar("T")

GRACE = timedelta(days=7)
"""So long an account is still there after its player has asked to have it deleted."""

AT_ONCE = 100
"""So many accounts are looked up at a time."""

_log = structlog.get_logger(__name__)


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

    def ask(self, name: str, password: str) -> str:
        """Have an account deleted after the ``GRACE``; return when. All log-ins end, tokens do not.

        Raises ``Unauthenticated``.
        """
        row = self.accounts.check_password(name, password)
        due = format_instant(self.accounts.now() + GRACE)
        with self.accounts.database.write() as connection:
            self.accounts.hold_password(connection, row)
            accounts.set_closing(connection, row.id, due)
            accounts.delete_of(connection, row.id, accounts.sessions)
        return due

    def is_asked(self, name: str) -> bool:
        """Tell whether the account of that name is to be deleted, unless its player logs in."""
        with self.accounts.database.read() as connection:
            return accounts.find_closing(connection, fold_name(name)) is not None

    def close_due(self) -> int:
        """Close the accounts whose grace is over; return how many. No failure stops others."""
        now = format_instant(self.accounts.now())
        with self.accounts.database.read() as connection:
            due = accounts.list_closing_before(connection, now, AT_ONCE)
        return sum(self._try_to_close(player, now) for player in due)

    def _try_to_close(self, player: str, now: str) -> bool:
        try:
            self._close(player, now)
        except Refusal as refusal:
            _log.warning("account_not_closed", player=player, reason=refusal.code)
            return False
        return True

    def close(self, name: str) -> None:
        """Close the account of that name at once. Raises ``NotFound`` and ``InvalidPlayer``."""
        self._close(self.accounts.get_person(name).id)

    def _close(self, player: str, due: str | None = None) -> None:
        def close(connection: Connection) -> Sequence[T]:
            row = accounts.find_by_id(connection, player)
            now = format_instant(self.accounts.now())
            # First, since this waits for whoever just creates or joins a match with this player.
            if row is None or not accounts.close(connection, player, now, due):
                raise NotFound(say("This account is closed already."))
            ended = self.leave_all(connection, player)
            _forget(connection, player, row.name)
            return ended

        ended = self.accounts.database.write_again(close, VersionTaken)
        self.accounts.known.forget()
        self.accounts.known_names.forget()
        for appended in ended:
            self.announce(appended)


def must_be_open(connection: Connection, player: str, *others: str | None) -> set[str]:
    """Keep an account open until the transaction ends, or refuse. Raises ``Unauthenticated``.

    What is written of a person has to ask: it might come behind what forgets them. ``others`` are
    kept open with it; returns all that are open.
    """
    held = accounts.hold_all_open(connection, (player, *others))
    if player not in held:
        raise Unauthenticated(say("This account was closed."))
    return held


def _forget(connection: Connection, player: str, name: str) -> None:
    """Remove what leads to a person, and what they wrote."""
    accounts.delete_of(
        connection,
        player,
        *(accounts.tokens, accounts.sessions, accounts.known_addresses),
        *(recovery_codes.recovery_codes, passkeys.passkeys, profiles.profiles),
        *(talk.notes, puzzles.puzzle_attempts, challenges.declined_challenges),
        idempotency.idempotency,
    )
    # Links behind channels, as who sends mails takes them.
    channels.delete_of(connection, player)
    accounts.delete_of(connection, player, mail_links.mail_links)
    relations.delete_all(connection, player)
    talk.wipe_all(connection, player)
    # Others get their answers again for two days, and the name stands in them.
    idempotency.delete_mentioning(connection, name)
