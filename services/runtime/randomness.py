"""Everything random that the service needs, from the system's generator."""

from __future__ import annotations

import secrets
from base64 import b64encode
from hashlib import sha256

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Lower-case base 32 without letters that look alike (Crockford's)."""

ID_LENGTH = 16
SECRET_BYTES = 32


class Randomness:
    """Ids, secrets and salts, from the system's generator; tests bring one that repeats itself."""

    def make_match_id(self) -> str:
        """Return 16 characters of lower-case base 32 (80 bits)."""
        return _make_id()

    def make_player_id(self) -> str:
        """Return ``p_`` and 16 such characters."""
        return f"p_{_make_id()}"

    def make_token_id(self) -> str:
        """Return ``t_`` and 16 such characters; it is not the token."""
        return f"t_{_make_id()}"

    def make_invitation_id(self) -> str:
        """Return ``i_`` and 16 such characters; it is not the token."""
        return f"i_{_make_id()}"

    def make_token(self) -> str:
        """Return a bearer token of 256 random bits; its prefix lets scanners find leaked ones."""
        return f"plybook_{secrets.token_urlsafe(SECRET_BYTES)}"

    def make_channel_id(self) -> str:
        """Return ``w_`` and 16 such characters."""
        return f"w_{_make_id()}"

    def make_webhook_secret(self) -> str:
        """Return what signs notices: ``whsec_`` and 256 random bits in base 64."""
        return f"whsec_{b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"

    def make_link_secret(self) -> str:
        """Return what a link in a mail has: 256 random bits."""
        return secrets.token_urlsafe(SECRET_BYTES)

    def make_notice_number(self) -> int:
        """Return the number of a notice that is about no event: 52 random bits."""
        return secrets.randbits(52)

    def spread(self, seconds: float) -> float:
        """Return about as many seconds: a fifth more or less, so that not all come at once."""
        return seconds * (0.8 + secrets.randbelow(4001) / 10_000)

    def make_recovery_code(self) -> str:
        """Return a recovery code: 16 such characters, without what is put between them."""
        return _make_id()

    def make_match_secret(self) -> str:
        """Return a match's secret: 64 hex digits."""
        return secrets.token_hex(SECRET_BYTES)

    def make_salt(self) -> str:
        """Return the salt of one seal: 64 hex digits."""
        return secrets.token_hex(SECRET_BYTES)


def derive_id(purpose: bytes) -> str:
    """Return the id that follows from what it is for, the same everywhere."""
    number = int.from_bytes(sha256(purpose).digest(), "big")
    return "".join(ALPHABET[number >> (5 * place) & 31] for place in range(ID_LENGTH))


def _make_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))
