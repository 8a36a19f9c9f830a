"""Texts that clients keep for us and are not to read: places in the log, moments of the database.

The numbers in them count what everybody does. Between two moves on a quiet service they would tell
a player that the other one has stored conditional moves. So they go out sealed, by AES-SIV (RFC
5297) with a fresh nonce: without the key nobody can read one, make one of their own, or tell
whether two of them say the same.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from secrets import token_bytes

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from services.store import sealing_of_store as sealing
from services.store.db.engine import Database

_NONCE = 16
_ROOM = 48
"""Contents are filled up to a multiple of so many bytes, since a length tells something too."""


@dataclass(slots=True)
class Sealer:
    """Seals and opens, by the key in the database; do not call it inside of a transaction."""

    database: Database
    _known: bytes | None = field(default=None, init=False)

    def seal(self, purpose: str, content: str) -> str:
        """Return ``content`` sealed; only for the same ``purpose`` it can be opened."""
        padded = content.encode().ljust(-(-len(content) // _ROOM) * _ROOM)
        nonce = token_bytes(_NONCE)
        sealed = self._cipher().encrypt(padded, [purpose.encode(), nonce])
        return urlsafe_b64encode(nonce + sealed).decode().rstrip("=")

    def opened(self, purpose: str, sealed: str) -> str | None:
        """Return what was sealed, or None: we have not sealed it, or not for this."""
        try:
            raw = urlsafe_b64decode(sealed.encode("ascii") + b"=" * (-len(sealed) % 4))
            nonce, rest = raw[:_NONCE], raw[_NONCE:]
            return self._cipher().decrypt(rest, [purpose.encode(), nonce]).decode().rstrip()
        except (InvalidTag, ValueError):
            return None

    def keyed_hash(self, purpose: str, content: str) -> str:
        """Return the HMAC of ``content`` under a key for this ``purpose`` alone, in hex."""
        key = hmac.digest(self._key(), f"plybook/keyed-hash/{purpose}".encode(), "sha256")
        return hmac.digest(key, content.encode(), "sha256").hex()

    def _cipher(self) -> AESSIV:
        return AESSIV(self._key())

    def _key(self) -> bytes:
        if self._known is None:
            with self.database.read() as connection:
                self._known = bytes.fromhex(sealing.key(connection))
        return self._known
