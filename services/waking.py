"""Waking those who wait for a match, or for any match of a player, within one process.

A wake-up only says "look now": readers read from the log, and look by themselves now
and then, so that one missed, or one from another process, loses nothing.
"""

from __future__ import annotations

from collections import defaultdict
from threading import Condition, Event


class Waker:
    """Lets threads sleep until a match has changed in this process."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._versions: dict[str, int] = {}
        self._waiting: defaultdict[str, int] = defaultdict(int)
        self._ears: defaultdict[str, list[Event]] = defaultdict(list)

    def wake(self, match: str, version: int) -> None:
        """Tell everybody who waits for ``match`` that it is at ``version``."""
        with self._condition:
            if match in self._waiting:
                self._versions[match] = version
                self._condition.notify_all()

    def wait(self, match: str, after: int, timeout: float) -> bool:
        """Sleep until ``match`` is past version ``after``, at most ``timeout`` seconds.

        Returns whether it was woken for that.
        """
        with self._condition:
            self._waiting[match] += 1
            try:
                return self._condition.wait_for(
                    lambda: self._versions.get(match, 0) > after, timeout
                )
            finally:
                self._waiting[match] -= 1
                if not self._waiting[match]:
                    del self._waiting[match]
                    self._versions.pop(match, None)

    def listen(self, player: str) -> Event:
        """Return what is set whenever a match of this player goes on; clear it, look, wait."""
        ear = Event()
        with self._condition:
            self._ears[player].append(ear)
        return ear

    def leave(self, player: str, ear: Event) -> None:
        """Listen no more."""
        with self._condition:
            self._ears[player].remove(ear)
            if not self._ears[player]:
                del self._ears[player]

    def call(self, *players: str | None) -> None:
        """Tell everybody who listens for one of these players."""
        if not self._ears:
            return
        with self._condition:
            ears = [ear for one in players for ear in self._ears.get(one or "", ())]
        for ear in ears:
            ear.set()
