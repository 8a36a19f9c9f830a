"""Recovery codes: how somebody gets in again who has forgotten the password.

A code is shown once and stored as its SHA-256: it has 80 random bits, so nobody finds one by
trying digests. A guess costs the same whether a name exists or not: the new password is hashed
first, and one statement looks for the name and the code together.
"""

from __future__ import annotations

from dataclasses import dataclass

from domain.i18n import N_, say
from domain.match.clock import format_instant
from services.accounts.accounts import Accounts, fold_name, hash_secret
from services.accounts.passwords import CODE, NewPassword, hash_password, reset
from services.errors import Unauthenticated
from services.store import accounts
from services.store.notices.deliveries import CODES_MADE
from services.store.people import recovery_codes
from services.store.people.recovery_codes import CodesRow

CODES = 10
"""So many codes a player gets at a time."""

LONGEST = 64
"""Nobody types more than this for a code, with whatever stands between its characters."""

_GROUP = 4
_READ_AS = str.maketrans({"o": "0", "i": "1", "l": "1", " ": None, "-": None})
"""How characters are read that codes do not have, since they look like others."""

_WRONG = N_("Name or code is wrong, or the code was used before.")


@dataclass(frozen=True, slots=True)
class Recovery:
    """Makes recovery codes, and takes them in the place of a password."""

    accounts: Accounts

    def make(self, name: str, password: str) -> list[str]:
        """Make new codes in the place of all that a player has. Raises ``Unauthenticated``."""
        row = self.accounts.check_password(name, password)
        codes = [self.accounts.randomness.make_recovery_code() for _ in range(CODES)]
        now = format_instant(self.accounts.now())
        with self.accounts.database.write() as connection:
            self.accounts.hold_password(connection, row)
            recovery_codes.replace(connection, row.id, map(hash_secret, codes), now)
            self.accounts.mails.tell(connection, row.id, CODES_MADE)
        return [format_code(code) for code in codes]

    def recover(self, name: str, code: str, password: str) -> None:
        """Set a new password by a code, which is used up; all but the other codes ends.

        Raises ``InvalidPlayer`` for a poor password, ``Unauthenticated`` for all else.
        """
        password_hash, now = hash_password(password), format_instant(self.accounts.now())
        with self.accounts.database.write() as connection:
            # The player first, as all take them; of nobody as much is asked.
            found = accounts.find_by_key(connection, fold_name(name))
            accounts.hold_alone(connection, "" if found is None else found.id)
            player = recovery_codes.use(
                connection, fold_name(name), hash_secret(read_code(code)), now
            )
            if player is None:
                raise Unauthenticated(say(_WRONG))
            reset(connection, player, NewPassword(password_hash, CODE), self.accounts.mails)
        self.accounts.known.forget()

    def count(self, player: str) -> CodesRow:
        """Say how many codes a player has."""
        with self.accounts.database.read() as connection:
            return recovery_codes.count(connection, player)


def format_code(code: str) -> str:
    """Return a code in groups, as it is shown.

    >>> format_code("0123456789abcdef")
    '0123-4567-89ab-cdef'
    """
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def read_code(typed: str) -> str:
    """Return the code that somebody has typed, however they wrote it.

    >>> read_code(" O123 4567-89AB cdef")
    '0123456789abcdef'
    """
    return typed[:LONGEST].lower().translate(_READ_AS)
