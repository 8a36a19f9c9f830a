"""Who is one client, an address or of IPv6 what one household gets, and what its answers may cost.

Two things keep a few clients from taking the whole process: costly answers are made one at a
time beside all others, with a short queue, and a client has so many seconds of the processor in
a minute. Work that waits in the queue is not begun when its client has gone, or has waited for too
long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from math import ceil
from threading import Lock
from time import monotonic, perf_counter, thread_time
from typing import TypeVar

import structlog
from cachetools import LRUCache
from flask import Flask, request

from domain.i18n import say
from services.errors import TooOften, Unavailable
from services.runtime.gateway import IS_GONE
from services.runtime.settings import Settings

_log = structlog.get_logger(__name__)


def get_client() -> str:
    """Return the address of the client, of IPv6 its network of 64 bits."""
    return client_of(request.remote_addr)


def client_of(address: str | None) -> str:
    """Return what of an address counts."""
    if address is None:
        return "unknown"
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return address
    # So an address of IPv4 comes to a server that listens for both.
    inner = ip.ipv4_mapped
    return ip.exploded[:19] if inner is None else str(inner)


def has_gone() -> bool:
    """Tell whether the client is known to have gone before its answer began.

    Tests' clients, and other servers, have nothing that tells it.
    """
    is_gone: Callable[[], bool] | None = request.environ.get(IS_GONE)
    return is_gone is not None and is_gone()


def warn_of_forwarded(app: Flask, settings: Settings) -> None:
    """Let the log say once that a proxy forwards addresses which no setting trusts.

    Everybody who comes through it is one client then, and has one client's share of everything.
    """
    if settings.trusted_proxies:
        return
    warned: list[bool] = []

    def look() -> None:
        if not warned and "HTTP_X_FORWARDED_FOR" in request.environ:
            warned.append(True)
            _log.warning("forwarded_address_not_trusted", setting="PLYBOOK_TRUSTED_PROXIES")

    app.before_request(look)


T = TypeVar("T")

MOST_WAITING = 8
"""Requests for costly answers that may be there at once, with the one that is being made."""
SHARE = 4
"""How many of them may be one client's."""
PATIENCE = 10.0
"""Seconds after which a request is not waited for any more."""
ROOM = 16 * 2**20
"""Bytes of costly answers that are kept."""
MINUTE = 60.0
LOOKS = 0.1
"""Seconds after which a request that waits looks whether its client is still there."""
AGAIN = 2
"""Seconds after which a client may ask again whose share was taken."""

_FULL = "Too many costly answers are wanted at once."


class Budget:
    """Seconds of the processor that a client has in a minute; safe for threads."""

    def __init__(self, seconds: float) -> None:
        """Give each client so many seconds; 0: as many as they want."""
        self._seconds = seconds
        self._lock = Lock()
        self._ends = 0.0
        self._spent: Counter[str] = Counter()

    def check(self, client: str) -> None:
        """Raise ``TooOften`` if a client has used up its seconds of this minute."""
        if self._seconds and self._spent.get(client, 0.0) >= self._seconds:
            left = self._ends - monotonic()
            if left > 0:
                raise TooOften(
                    say(
                        "What you have asked for took more of the processor than there is for one "
                        "client in a minute."
                    ),
                    ceil(left),
                )

    def charge(self, client: str, seconds: float) -> None:
        """Count what an answer took."""
        if not self._seconds:
            return
        with self._lock:
            now = monotonic()
            if now >= self._ends:
                self._ends, self._spent = now + MINUTE, Counter()
            self._spent[client] += seconds  # type: ignore[assignment]


class Counted:
    """So many at once, and of these so many of one client; nobody is replaced."""

    def __init__(self, most: int, share: int, full: str) -> None:
        """``full``: what is out of order where all are taken."""
        self._most = most
        self._share = share
        self._full = full
        self._lock = Lock()
        self._there: Counter[str] = Counter()

    def come(self, client: str) -> None:
        """Count one more of a client. Raises ``TooOften`` and ``Unavailable``."""
        with self._lock:
            if self._there.total() >= self._most:
                raise Unavailable(self._full)
            if self._there[client] >= self._share:
                raise TooOften(say("You ask for more at once than one client may."), AGAIN)
            self._there[client] += 1

    def go(self, client: str) -> None:
        """Count one less of a client."""
        with self._lock:
            self._there[client] -= 1
            if not self._there[client]:
                del self._there[client]


class Workshop:
    """Makes costly answers one at a time, and keeps those that may be asked for again."""

    def __init__(self, budget: Budget, is_gone: Callable[[], bool]) -> None:
        """Charge what other processes do for an answer to ``budget``.

        ``is_gone`` tells whether the client has gone whose request the thread answers.
        """
        self._budget = budget
        self._is_gone = is_gone
        self._making = Lock()
        self._queue = Counted(MOST_WAITING, SHARE, _FULL)
        self._lock = Lock()
        self._kept: LRUCache[Hashable, bytes] = LRUCache(ROOM, len)

    def make(self, client: str, work: Callable[[], T]) -> T:
        """Do a client's work when its turn comes. Raises ``TooOften`` and ``Unavailable``."""
        with self._turn(client, elsewhere=False):
            return work()

    def have(
        self, client: str, key: Hashable | None, work: Callable[[], bytes], *, elsewhere: bool
    ) -> bytes:
        """Return what is kept under a key, or do the work and keep what it makes, as ``make``.

        ``elsewhere``: another process does it, so that what it takes shows in the time alone.
        """
        known = self._find_kept(key)
        if known is not None:
            return known
        with self._turn(client, elsewhere=elsewhere):
            # Whoever was before in the queue may have wanted the same.
            known = self._find_kept(key)
            if known is None:
                known = work()
                self._keep(key, known)
            return known

    @contextmanager
    def _turn(self, client: str, *, elsewhere: bool) -> Iterator[None]:
        self._queue.come(client)
        try:
            self._wait()
            began, own = perf_counter(), thread_time()
            try:
                yield
            finally:
                self._making.release()
                # Of any other work that is waiting: for the database, and for others' work.
                if elsewhere:
                    waited = (perf_counter() - began) - (thread_time() - own)
                    self._budget.charge(client, max(0.0, waited))
        finally:
            self._queue.go(client)

    def _wait(self) -> None:
        ends = monotonic() + PATIENCE
        while not self._making.acquire(timeout=LOOKS):
            if monotonic() > ends or self._is_gone():
                raise Unavailable(_FULL)

    def _find_kept(self, key: Hashable | None) -> bytes | None:
        with self._lock:
            return self._kept.get(key)

    def _keep(self, key: Hashable | None, made: bytes) -> None:
        if key is None or len(made) > ROOM // 4:
            return
        with self._lock:
            self._kept[key] = made
