"""From where players got in of late: guesses from elsewhere do not lock them out there.

An address is kept as a keyed hash, together with the name that it was used for: without the key,
which is in the database too, nobody can tell which address it was, or whether two players share
one. Every process knows it, also after a restart; after ``KNOWN_FOR`` it is forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from services.accounts.accounts import folded
from services.runtime.clock import Now, instant
from services.store import accounts
from services.store.cursors import CursorCipher
from services.store.db.engine import Database

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
        digest = self._digest(name, address)
        with self.database.read() as connection:
            seen = accounts.seen_at(connection, digest)
        return seen is not None and seen >= instant(self.now() - KNOWN_FOR)

    def remember(self, name: str, address: str) -> None:
        """Keep that the player of that name has just got in from an address."""
        digest, now = self._digest(name, address), self.now()
        with self.database.read() as connection:
            seen = accounts.seen_at(connection, digest)
        if seen is not None and seen >= instant(now - _OFTEN):
            return
        with self.database.write() as connection:
            accounts.see(connection, digest, folded(name), instant(now))

    def _digest(self, name: str, address: str) -> str:
        return self.sealer.keyed_hash("known-address", f"{folded(name)}\0{address}")
