"""What all spectators of a match are told alike, kept so that it is read and written once."""

from __future__ import annotations

from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache

from services.matches.event_ids import EventId

SHARED = 256
"""How many portions are kept."""


class Told(NamedTuple):
    """A portion of a stream: its bytes, the id behind it, and whether more is there already.

    ``over``: nothing will come any more.
    """

    chunk: bytes
    last: EventId
    more: bool
    over: bool


class Shared:
    """What streams of the same sight have been told last, so that it is read once for all."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._told: LRUCache[tuple[str, EventId], tuple[int, Told]] = LRUCache(SHARED)

    def get(self, match: str, after: EventId, number: int) -> Told | None:
        """Return what follows on ``after`` if it was read since the match has gone on last.

        ``number``: what the notifier says of when that was.
        """
        with self._lock:
            known = self._told.get((match, after))
        return None if known is None or known[0] != number else known[1]

    def put(self, match: str, after: EventId, number: int, told: Told) -> None:
        """Keep what was read when the notifier had given that number."""
        with self._lock:
            self._told[match, after] = (number, told)
