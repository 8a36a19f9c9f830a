"""Open matches that nobody has joined in time lapse."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from services.clock import later
from services.store.readmodels import MatchRow


class Patience(NamedTuple):
    """For how many days a challenge, and an open match for anybody, waits for its player."""

    challenge_days: int = 14
    open_days: int = 60

    def ends(self, row: MatchRow) -> str:
        """Return the instant at which an open match lapses."""
        days = self.open_days if row.opponent is None else self.challenge_days
        return later(datetime.fromisoformat(row.created_at), days=days)

    def is_over(self, row: MatchRow, now: str) -> bool:
        """Tell whether an open match has lapsed at the instant ``now``."""
        return row.status == "open" and self.ends(row) <= now
