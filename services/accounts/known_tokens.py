"""Tokens that were looked up a moment ago, so that a busy client costs no query each time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from cachetools import TTLCache

SECONDS = 1.0
"""How long an answer of the database is believed."""
SIZE = 4096

T = TypeVar("T")


class KnownTokens(Generic[T]):
    """What the database said about tokens, by digest; safe for threads.

    Only for a process that serves alone (else ``alone`` is False, and nothing is kept): it
    forgets at once what it revokes itself, and could not know what its siblings revoke. What
    is done to the database from elsewhere, it honours after ``SECONDS``. Tokens of
    administrators are not for it.
    """

    def __init__(self, *, alone: bool, clock: Callable[[], float] = monotonic) -> None:
        self._alone = alone
        self._lock = Lock()
        self._known: TTLCache[str, T] = TTLCache(SIZE, SECONDS, clock)
        self.generation = 0
        """How often all was forgotten: ask before the database, and tell ``learn``."""

    def get(self, digest: str) -> T | None:
        """Return what is known of a token, or None."""
        with self._lock:
            return self._known.get(digest)

    def learn(self, digest: str, value: T, generation: int) -> None:
        """Keep what the database said, unless something was revoked since it was asked."""
        if not self._alone:
            return
        with self._lock:
            if generation == self.generation:
                self._known[digest] = value

    def forget(self) -> None:
        """Know nothing any more: something was revoked."""
        with self._lock:
            self.generation += 1
            self._known.clear()
