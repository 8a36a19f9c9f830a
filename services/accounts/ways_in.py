"""What else leads into an account, and ends where a password is set without the old one.

Then somebody else may know the old one, and have made themselves ways back by it: log-ins, tokens,
passkeys, recovery codes, an address to which links are sent. What ends is all but the way that was
just shown to be the owner's.
"""

from __future__ import annotations

from sqlalchemy import Connection

from services.store import accounts
from services.store.notices import channels, mail_links
from services.store.notices.channels import EMAIL
from services.store.people import passkeys, recovery_codes

LINK, CODE, OPERATOR = "link", "code", "operator"
"""By what a password is set: a link that was sent by mail, a recovery code, who runs the service.
"""


def reset(
    connection: Connection, player: str, password_hash: str, by: str, former: str | None = None
) -> bool:
    """Give a player another password, and end what else leads in.

    False if ``former`` is given and is not theirs any more; then nothing has happened.
    """
    if not accounts.set_password(connection, player, password_hash, former):
        return False
    accounts.delete_of(connection, player, accounts.sessions, accounts.tokens, passkeys.passkeys)
    if by != CODE:
        accounts.delete_of(connection, player, recovery_codes.recovery_codes)
    # Links behind channels, as who sends mails takes them.
    for row in channels.of_player(connection, player, EMAIL):
        if by != LINK or row.confirmed_at is None:
            channels.delete(connection, row.id)
    mail_links.delete_of(connection, player)
    return True
