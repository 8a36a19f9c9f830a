"""Waking those who wait for a match, or for any match of a player, within one process.

A ring only says "look now": readers read from the log, so that one ring too many does no harm.
One thread rings for all, a moment after the commit and few readers at a time: a thousand threads
that wake up at once would make the answer to the move wait for its turn behind them. The same
thread looks at times whether other processes have gone on with what is waited for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from itertools import count
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import TypeAlias

import structlog

LOOK_EVERY = 1.0
"""Seconds between two looks at what other processes have done; they do not ring here."""

MOMENT = 0.003
"""Seconds for which the answer to a move has the process for itself."""

PORTION = 8
PAUSE = 0.004
"""So many readers are woken at once, and then none for so many seconds."""

Heads: TypeAlias = Callable[[Collection[str]], Mapping[str, str]]
"""Gives the hash of the last event of each of these matches."""

Place: TypeAlias = object
"""A place in the order of all events, as ``Since`` has it."""
Since: TypeAlias = Callable[[Place | None], tuple[Place, Collection[str | None]]]
"""Gives the place of the newest event, and whose matches have gone on since another one."""

_log = structlog.get_logger(__name__)


class Ear:
    """What a reader waits with. It stays rung until somebody has waited for that."""

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = Lock()
        self._lock.acquire()

    def ring(self) -> None:
        """Wake whoever waits, now or next."""
        try:
            self._lock.release()
        except RuntimeError:
            # It was rung before.
            return

    def wait(self, seconds: float) -> bool:
        """Sleep until it is rung, so many seconds at most; return whether it was."""
        return self._lock.acquire(timeout=max(0.0, seconds))


class Notifier:
    """Knows who waits for which match, and who for any match of which player."""

    def __init__(self, heads: Heads, since: Since) -> None:
        self._heads, self._since = heads, since
        self._lock = Lock()
        # By the id of a match or of a player, of which none is one of the other kind.
        self._ears: dict[str, list[Ear]] = {}
        self._known: dict[str, str] = {}
        # Where the log was at the last look for those who listen; None while nobody does.
        self._place: Place | None = None
        self._gone_on: dict[str, int] = {}
        self._hints: dict[str, int] = {}
        # Over all matches: what was read before everybody left is of no number that comes later.
        self._numbers = count(1)
        self._due: OrderedDict[Ear, None] = OrderedDict()
        self._ringing = Event()
        self._thread: Thread | None = None
        self._closed = False

    def watch(self, match: str) -> Ear:
        """Return what is rung whenever a match may have gone on."""
        with self._lock:
            if match not in self._ears:
                self._gone_on[match] = next(self._numbers)
            return self._add_ear(match)

    def listen(self, player: str, ear: Ear | None = None) -> Ear:
        """Return what is rung whenever a match of this player goes on; perhaps an ``ear`` more."""
        with self._lock:
            return self._add_ear(player, ear)

    def leave(self, name: str, ear: Ear) -> None:
        """Wait for a match, or listen for a player, no more."""
        with self._lock:
            self._ears[name].remove(ear)
            if not self._ears[name]:
                del self._ears[name]
                self._known.pop(name, None)
                self._gone_on.pop(name, None)
                self._hints.pop(name, None)

    def wake(self, match: str, head: str) -> None:
        """Wake everybody who waits for a match, whose last event has the hash ``head`` now."""
        if match not in self._ears:
            return
        with self._lock:
            if match in self._gone_on:
                self._known[match] = head
                self._wake(match)

    def hint(self, *names: str | None) -> None:
        """Wake whoever waits for a match beside which something has changed, or for a player."""
        if not self._ears:
            return
        with self._lock:
            for one in names:
                if one in self._ears:
                    self._hints[one] = next(self._numbers)
                    self._ring(self._ears[one])

    def get_last_hint(self, name: str | None) -> int:
        """Return a number for when there was a hint of a match, or of a player, last."""
        return self._hints.get(name or "", 0)

    def wake_all(self) -> None:
        """Wake everybody, at once."""
        with self._lock:
            ears = [ear for some in self._ears.values() for ear in some]
        for ear in ears:
            ear.ring()

    def close(self) -> None:
        """Ring no more, and look no more."""
        self._closed = True
        self._ringing.set()
        if self._thread is not None:
            self._thread.join()

    def get_last_progress(self, match: str) -> int:
        """Return a number for when a match that is waited for has gone on last, as known here.

        What was read after this was asked is good for as long as the answer is the same, also
        when everybody has left meanwhile.
        """
        return self._gone_on.get(match, 0)

    def _add_ear(self, name: str, ear: Ear | None = None) -> Ear:
        ear = ear or Ear()
        self._ears.setdefault(name, []).append(ear)
        if self._thread is None:
            self._thread = Thread(target=self._run, name="waker", daemon=True)
            self._thread.start()
        return ear

    def _wake(self, match: str) -> None:
        self._gone_on[match] = next(self._numbers)
        self._ring(self._ears.get(match, ()))

    def _ring(self, ears: Collection[Ear]) -> None:
        if ears:
            self._due.update(dict.fromkeys(ears))
            self._ringing.set()

    def _run(self) -> None:
        look = monotonic() + LOOK_EVERY
        while not self._closed:
            if self._ringing.wait(look - monotonic()):
                self._ringing.clear()
                sleep(MOMENT)
                self._ring_in_portions()
            if monotonic() >= look:
                self._look()
                look = monotonic() + LOOK_EVERY

    def _ring_in_portions(self) -> None:
        while True:
            with self._lock:
                number = min(PORTION, len(self._due))
                some = [self._due.popitem(last=False)[0] for _ in range(number)]
            for ear in some:
                ear.ring()
            if number < PORTION:
                return
            sleep(PAUSE)

    def _look(self) -> None:
        """Wake for what another process has done, or a backup."""
        try:
            self._look_at_matches([*self._gone_on])
            self._look_for_players()
        except Exception:  # noqa: BLE001 - whatever it is, the next look tries again
            _log.exception("look_for_others_failed")

    def _look_at_matches(self, watched: Collection[str]) -> None:
        found = self._heads(watched) if watched else {}
        with self._lock:
            for match in watched:
                head = found.get(match, "")
                if match in self._gone_on and self._known.get(match) != head:
                    self._known[match] = head
                    self._wake(match)

    def _look_for_players(self) -> None:
        """Wake those who listen and whose matches have gone on, by whichever process."""
        with self._lock:
            listening = self._ears.keys() - self._gone_on.keys()
        if not listening:
            self._place = None
            return
        before = self._place
        self._place, players = self._since(before)
        # What happened between the beginning of listening and the first look nobody can tell.
        self.hint(*(listening if before is None else listening.intersection(players)))
