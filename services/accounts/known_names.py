"""Names of players that were looked up a moment ago.

Without them a move over HTTP takes a quarter more on PostgreSQL, which is asked once more: 395 µs
of processor time on 1,601, and 2.7 ms on 12.0 until the answer is there (on SQLite 78 on 1,739).
That was measured with moves through the whole application, 500 in which ``among`` knows nothing
in turns with 500 others.

A name is for good until its account is closed. That may happen in another process, so what is
known here is forgotten after ``SECONDS``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from threading import Lock

from cachetools import TTLCache

SECONDS = 5.0
MOST = 10_000


class KnownNames:
    """Names by the ids of players. It may be used by several threads at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._names: TTLCache[str, str] = TTLCache(MOST, SECONDS)

    def among(self, ids: Collection[str]) -> dict[str, str]:
        """Return the names that are known of these players."""
        with self._lock:
            found = [(one, self._names.get(one)) for one in ids]
        return {one: name for one, name in found if name is not None}

    def learn(self, names: Mapping[str, str]) -> None:
        """Keep what the database said."""
        with self._lock:
            self._names.update(names)

    def forget(self) -> None:
        """Know nothing any more: an account was closed."""
        with self._lock:
            self._names.clear()
