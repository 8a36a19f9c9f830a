"""A forgotten password: a link to a new one, sent to the address that its player has confirmed.

Nobody learns here whether a name or an address exists: what is answered is always the same, and as
much is written either way. Mail is sent afterwards, by the worker.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import format_instant
from services.accounts.accounts import Accounts, fold_name, hash_secret
from services.accounts.passwords import LINK, NewPassword, hash_password, reset
from services.errors import InvalidRequest, NotFound
from services.notices.emails import LONGEST, Emails, clean_address
from services.store import accounts
from services.store.accounts import PlayerRow
from services.store.notices import channels, mail_links
from services.store.notices.channels import EMAIL, ChannelRow
from services.store.notices.mail_links import PASSWORD

GOOD_FOR = timedelta(hours=1)

MOST = 3
"""Links that one player is sent within that time."""

MOST_PLAYERS = 5
"""Players with the same address who are sent one each."""

NOBODY = ChannelRow("nobody", "nobody", EMAIL, "", "")
"""Stands for an address where none was found. What is written for it is gone within the hour."""


@dataclass(frozen=True, slots=True)
class ForgottenPasswords:
    """Sends links, and takes them in the place of a password."""

    accounts: Accounts
    emails: Emails

    def ask(self, asked: str) -> None:
        """Send a link to the player of a name, or to those of an address, if there are any."""
        asked = asked.strip()[:LONGEST]
        address_hash = self.emails.hash_of(_as_kept(asked))
        with self.accounts.database.write() as connection:
            # Who asks at the same moment counts what is sent here.
            mail_links.take_turns(connection)
            found = channels.list_confirmed(connection, fold_name(asked), address_hash)[
                :MOST_PLAYERS
            ]
            found.sort(key=lambda row: row.player)
            wanted = [row for row in found if self._may_be_sent(connection, row)]
            for row in wanted:
                self._send_link(connection, row)
            if not wanted:
                # As much is asked of the database, so that it takes as long.
                self._may_be_sent(connection, NOBODY)
                self._send_link(connection, NOBODY)
                channels.delete(connection, NOBODY.id)

    def _may_be_sent(self, connection: Connection, row: ChannelRow) -> bool:
        since = format_instant(self.accounts.now() - GOOD_FOR)
        number = mail_links.count(connection, PASSWORD, since, row.player, None)
        return self.emails.available and number < MOST

    def _send_link(self, connection: Connection, row: ChannelRow) -> None:
        former = accounts.hold_password(connection, row.player)
        self.emails.send_link(connection, row, PASSWORD, GOOD_FOR, former)

    def player_of(self, secret: str) -> str:
        """Return the name of the player whose password a link sets. Raises ``NotFound``."""
        with self.accounts.database.read() as connection:
            return self._get_player(connection, secret).name

    def set(self, secret: str, password: str) -> str:
        """Set a new password by a link, which is used up; all but the address ends.

        Returns the player's name. Raises ``InvalidPlayer`` and ``NotFound``.
        """
        password_hash = hash_password(password)
        with self.accounts.database.write() as connection:
            player = self._get_player(connection, secret)
            # Who comes second, of two with the same link, finds another password already.
            new = NewPassword(password_hash, LINK, player.password_hash)
            if not reset(connection, player.id, new, self.accounts.mails):
                raise _make_not_found()
        self.accounts.known.forget()
        return player.name

    def _get_player(self, connection: Connection, secret: str) -> PlayerRow:
        """Return whose a link is that is good. Raises ``NotFound``."""
        now = format_instant(self.accounts.now())
        link = mail_links.find(connection, hash_secret(secret), PASSWORD, now)
        if link is None:
            raise _make_not_found()
        player = accounts.find_by_id(connection, link.player)
        channel = channels.find(connection, link.channel)
        if player is None or channel is None or channel.kind != EMAIL:
            raise _make_not_found()
        if player.password_hash is None or hash_secret(player.password_hash) != link.former:
            raise _make_not_found()
        return player


def _as_kept(asked: str) -> str:
    """Return an address as it is kept, and what is none as it is."""
    try:
        return clean_address(asked)
    except InvalidRequest:
        return asked


def _make_not_found() -> NotFound:
    return NotFound(say("This link has been used already, or is too old. Ask for another one."))
