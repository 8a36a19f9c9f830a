"""Waking those who wait for a match to go on, within one process.

A wake-up only says "look now": readers read from the log, and look by themselves now
and then, so that one missed, or one from another process, loses nothing.
"""

from __future__ import annotations

from collections import defaultdict
from threading import Condition


class Waker:
    """Lets threads sleep until a match has changed in this process."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._versions: dict[str, int] = {}
        self._waiting: defaultdict[str, int] = defaultdict(int)

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
