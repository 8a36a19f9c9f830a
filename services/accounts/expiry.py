"""What is kept for a while only: answers to be given again, sessions, tokens, known addresses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from services.accounts.known_addresses import KNOWN_FOR
from services.runtime.clock import Now, instant
from services.store import accounts, idempotency
from services.store.db.engine import Database

ANSWERS_KEPT = timedelta(hours=48)
"""How long an answer is kept to be given again; 24 hours are promised."""

TOKENS_LISTED = timedelta(days=30)
"""How long a token that has expired is still listed to its owner."""

AT_ONCE = 500
"""Answers that are removed in one transaction: on SQLite a move may have to wait for it."""


@dataclass(frozen=True, slots=True)
class Expiry:
    """Removes what is over."""

    database: Database
    now: Now

    def clear(self) -> int:
        """Remove what is kept for a while only and has been; return how much that was."""
        now = self.now()
        old, count = instant(now - ANSWERS_KEPT), 0
        while True:
            with self.database.write() as connection:
                answers = idempotency.delete_older(connection, old, AT_ONCE)
            count += answers
            if answers < AT_ONCE:
                break
        with self.database.write() as connection:
            count += accounts.delete_expired_sessions(connection, instant(now))
            count += accounts.delete_older(connection, instant(now - KNOWN_FOR))
            return count + accounts.delete_expired_tokens(connection, instant(now - TOKENS_LISTED))
