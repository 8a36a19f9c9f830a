"""Names of players that were looked up a moment ago.

A name is for good until its account is closed. That may happen in another process, so what is
known here is forgotten after ``SECONDS``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import monotonic

SECONDS = 5.0
MOST = 10_000


class KnownNames:
    """Names by the ids of players. It may be used by several threads at once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._until = 0.0

    def among(self, ids: Collection[str]) -> dict[str, str]:
        """Return the names that are known of these players."""
        if monotonic() >= self._until:
            return {}
        known = self._names
        return {one: known[one] for one in ids if one in known}

    def learn(self, names: Mapping[str, str]) -> None:
        """Keep what the database said."""
        now = monotonic()
        if now >= self._until or len(self._names) > MOST:
            # Others may be reading the old ones: these are left, not emptied.
            self._names, self._until = dict(names), now + SECONDS
        else:
            self._names.update(names)

    def forget(self) -> None:
        """Know nothing any more: an account was closed."""
        self._until = 0.0
