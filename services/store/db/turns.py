"""Turns to write: one writer at a time, in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType

from services.errors import Unavailable


class Turns:
    """A lock that is passed on in order, which Python's own locks do not promise.

    Entering raises ``Unavailable`` when the turn does not come within ``patience`` seconds.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._holder: int | None = None
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        me = threading.get_ident()
        if self._holder == me:
            raise RuntimeError("this thread is writing already; a second turn would never come")
        with self._mutex:
            if self._holder is None:
                self._holder = me
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        self._await(turn)
        self._holder = me

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._mutex:
            self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting:
            # Nobody may get in between: until the next in line wakes up it is taken by nobody.
            self._holder = NOBODY_YET
            self._waiting.popleft().release()
        else:
            self._holder = None

    def _await(self, turn: threading.Lock) -> None:
        # An exception (of the time-out, or thrown in from outside) must not leave a turn behind
        # that nobody takes.
        came = False
        try:
            came = turn.acquire(timeout=self.patience)
        finally:
            if not came:
                self._give_up(turn)
        if not came:
            raise Unavailable("Too many are writing at once; please try again in a moment.")

    def _give_up(self, turn: threading.Lock) -> None:
        with self._mutex:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:
                self._pass_on()


NOBODY_YET = -1
