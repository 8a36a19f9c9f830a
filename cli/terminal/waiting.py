"""Waiting at a terminal so that a signal is noticed whenever it comes.

Python runs a signal's handler between two of its own steps. One that comes behind the last of
these and before the system call that waits is noticed after the wait only: a Ctrl-C pressed in
the instant in which a question appears would do nothing until the next key. So what waits here
also waits for a pipe that the signal itself writes to (``signal.set_wakeup_fd``).
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from select import select
from time import monotonic


def keys_come(timeout: float | None = None) -> bool:
    """Wait so many seconds (None: for ever) until something was typed; False: nothing was.

    Only the main thread can wait so. Errors: whatever a signal's handler raises.
    """
    stdin = sys.stdin.fileno()
    until = None if timeout is None else monotonic() + timeout
    with _woken_by_signals() as woken:
        while True:
            left = None if until is None else max(0.0, until - monotonic())
            ready = select([stdin, woken], [], [], left)[0]
            if woken not in ready:
                return bool(ready)
            os.read(woken, 64)


def typed_line() -> str:
    """Read a line as ``input`` does. Errors: KeyboardInterrupt; EOFError at the end."""
    if sys.stdin.isatty():
        keys_come()
    return input()


@contextmanager
def _woken_by_signals() -> Iterator[int]:
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    before = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    try:
        yield woken
    finally:
        signal.set_wakeup_fd(before)
        os.close(woken)
        os.close(waker)
