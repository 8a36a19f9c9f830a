"""Passwords, and what ends where one is set without the old one.

They are argon2id hashes; a check takes as long for an unknown name.

Where an owner has to set one without the old one, somebody else may know that, and have made
themselves ways back by it: log-ins, tokens, passkeys, recovery codes, an address to which links are
sent; and ways to go on looking: webhooks, browsers, a feed. What ends is all but the way that was
just shown to be the owner's. The owner is told of it by mail, also at an address that ends.
"""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import format_instant
from services.errors import InvalidPlayer
from services.runtime.clock import Now
from services.runtime.randomness import Randomness
from services.store import accounts
from services.store.notices import channels, deliveries, mail_links
from services.store.notices.channels import (
    CALENDAR,
    EMAIL,
    FEED,
    FORMER_EMAIL,
    PUSH,
    WEBHOOK,
    ChannelRow,
)
from services.store.notices.deliveries import ADDRESS_REMOVED, OFF, PASSWORD_CHANGED, SECURITY
from services.store.people import passkeys, recovery_codes

SHORTEST, LONGEST = 10, 256

_hasher = PasswordHasher()


def hash_password(password: str) -> str:
    """Return the argon2id hash of a password. Raises ``InvalidPlayer`` for a poor one."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InvalidPlayer(
            say("A password has {least} to {most} characters.", least=SHORTEST, most=LONGEST),
            pointer="/password",
        )
    return _hasher.hash(password)


def fits(password: str, known: str | None) -> bool:
    """Say whether a password fits a hash; without one, no, but not any sooner."""
    try:
        _hasher.verify(known or _hash_nobodys_password(), password[:LONGEST])
    except (VerificationError, InvalidHashError):
        return False
    return known is not None


@cache
def _hash_nobodys_password() -> str:
    return _hasher.hash("the password of nobody at all")


LINK, CODE, OPERATOR = "link", "code", "operator"
"""By what a password is set: a link that was sent by mail, a recovery code, who runs the service.
"""


RESET = "new-password"
"""Why a webhook or a browser is off whose player has got another password in one of these ways."""


MOST_ALIKE = 5
"""Mails of one change of an account in an hour."""


class Mails(NamedTuple):
    """Tells players by mail of changes of their accounts."""

    randomness: Randomness
    now: Now

    def tell(self, connection: Connection, player: str, change: str) -> None:
        """Tell a player of a change (one of ``SECURITY``) at a confirmed address that is on."""
        number, now = self.randomness.make_notice_number(), self.now()
        hour_ago = format_instant(now - timedelta(hours=1))
        for row in channels.list_by_player(connection, player, EMAIL):
            if row.confirmed_at is None or row.off_at is not None:
                continue
            if deliveries.count_since(connection, row.id, hour_ago, change) < MOST_ALIKE:
                deliveries.add(connection, number, row.id, change, format_instant(now))

    def give_up(self, connection: Connection, row: ChannelRow, why: str) -> None:
        """Forget an address; one that was confirmed and is on is told so first."""
        if row.confirmed_at is None or row.off_at is not None:
            channels.delete(connection, row.id)
            return
        number, at = self.randomness.make_notice_number(), format_instant(self.now())
        former = ChannelRow(row.id, row.player, FORMER_EMAIL, "", at, row.address, held_until=at)
        channels.save(connection, former)
        # What else it is to be told of the account goes there, too, and nothing else: no link.
        deliveries.drop_all_but(connection, row.id, SECURITY, why)
        deliveries.add(connection, number, row.id, why, at)


class NewPassword(NamedTuple):
    """A password's hash, by what it is set, and the hash whose place alone it takes, if any."""

    hash: str
    by: str
    former: str | None = None


def reset(connection: Connection, player: str, new: NewPassword, mails: Mails) -> bool:
    """Give a player another password, and end what else leads in.

    False if ``former`` is given and is not theirs any more; then nothing has happened.
    """
    if not accounts.set_password(connection, player, new.hash, new.former):
        return False
    accounts.delete_of(connection, player, accounts.sessions, accounts.tokens, passkeys.passkeys)
    if new.by != CODE:
        accounts.delete_of(connection, player, recovery_codes.recovery_codes)
    mails.tell(connection, player, PASSWORD_CHANGED)
    # Links behind channels, as who sends mails takes them.
    for row in channels.list_by_player(connection, player, EMAIL):
        if new.by != LINK or row.confirmed_at is None:
            mails.give_up(connection, row, ADDRESS_REMOVED)
    accounts.delete_of(connection, player, mail_links.mail_links)
    for kind in (WEBHOOK, PUSH):
        for channel in channels.turn_off(
            connection, player, kind, RESET, format_instant(mails.now())
        ):
            deliveries.drop(connection, channel, OFF)
    channels.delete_of(connection, player, FEED, CALENDAR)
    return True
