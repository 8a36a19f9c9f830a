"""Everything random that the service needs, from the system's generator."""

from __future__ import annotations

import secrets
from typing import Protocol

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Lower-case base 32 without letters that look alike (Crockford's)."""

ID_LENGTH = 16
SECRET_BYTES = 32
TOKEN_BYTES = 32


class Randomness(Protocol):
    """A source of ids, secrets and salts; tests bring one that repeats itself."""

    def match_id(self) -> str:
        """Return 16 characters of lower-case base 32 (80 bits)."""

    def player_id(self) -> str:
        """Return ``p_`` and 16 such characters."""

    def token_id(self) -> str:
        """Return ``t_`` and 16 such characters."""

    def invitation_id(self) -> str:
        """Return ``i_`` and 16 such characters."""

    def token(self) -> str:
        """Return a bearer token with 256 bits of entropy."""

    def secret(self) -> str:
        """Return a match's secret: 64 hex digits."""

    def salt(self) -> str:
        """Return the salt of one seal: 64 hex digits."""


class SystemRandomness:
    """The system's generator."""

    def match_id(self) -> str:
        """Return 16 random characters."""
        return _random_id()

    def player_id(self) -> str:
        """Return a new player's id."""
        return f"p_{_random_id()}"

    def token_id(self) -> str:
        """Return a new token's id (not the token)."""
        return f"t_{_random_id()}"

    def invitation_id(self) -> str:
        """Return a new invitation's id (not its token)."""
        return f"i_{_random_id()}"

    def token(self) -> str:
        """Return a new bearer token; the prefix lets scanners find leaked ones."""
        return f"plybook_{secrets.token_urlsafe(TOKEN_BYTES)}"

    def secret(self) -> str:
        """Return a new match's secret."""
        return secrets.token_hex(SECRET_BYTES)

    def salt(self) -> str:
        """Return a fresh salt."""
        return secrets.token_hex(SECRET_BYTES)


def _random_id() -> str:
    number = int.from_bytes(secrets.token_bytes(10), "big")
    digits = []
    for _ in range(ID_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)
