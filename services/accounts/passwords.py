"""Passwords: argon2id hashes, and a check that takes as long for an unknown name."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from domain.i18n import say
from services.errors import InvalidPlayer

SHORTEST, LONGEST = 10, 256

_hasher = PasswordHasher()


def hashed(password: str) -> str:
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
        _hasher.verify(known or _nobody(), password[:LONGEST])
    except (VerificationError, InvalidHashError):
        return False
    return known is not None


@cache
def _nobody() -> str:
    return _hasher.hash("the password of nobody at all")
