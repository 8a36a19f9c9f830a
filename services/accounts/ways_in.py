"""What else leads into an account, and ends where a password is set without the old one.

Then somebody else may know the old one, and have made themselves ways back by it: log-ins, tokens,
passkeys, recovery codes, an address to which links are sent. What ends is all but the way that was
just shown to be the owner's. The owner is told of it by mail, also at an address that ends.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from domain.match.clock import instant
from services.runtime.clock import Now
from services.runtime.randomness import Randomness
from services.store import accounts
from services.store.notices import channels, deliveries, mail_links
from services.store.notices.channels import EMAIL, ChannelRow
from services.store.notices.deliveries import ADDRESS_REMOVED, PASSWORD_CHANGED
from services.store.people import passkeys, recovery_codes

LINK, CODE, OPERATOR = "link", "code", "operator"
"""By what a password is set: a link that was sent by mail, a recovery code, who runs the service.
"""


class Mails(NamedTuple):
    """Tells players by mail of changes of their accounts."""

    randomness: Randomness
    now: Now

    def tell(self, connection: Connection, player: str, change: str) -> None:
        """Tell a player of a change, of a type of ``SECURITY``."""
        number, at = self.randomness.notice_number(), instant(self.now())
        deliveries.tell_by_mail(connection, player, change, number, at)

    def give_up(self, connection: Connection, row: ChannelRow, why: str) -> None:
        """Forget an address, and tell it so."""
        number, at = self.randomness.notice_number(), instant(self.now())
        deliveries.give_up_address(connection, row, why, number, at)


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
    for row in channels.of_player(connection, player, EMAIL):
        if new.by != LINK or row.confirmed_at is None:
            mails.give_up(connection, row, ADDRESS_REMOVED)
    mail_links.delete_of(connection, player)
    return True
