"""Single keys from a terminal, with a time to wait, and such that signals are noticed.

Python runs a signal's handler between two of its own steps. One that comes behind the last of
these and before the system call that waits is noticed after the wait only: a Ctrl-C pressed in
the instant in which a question appears would do nothing until the next key. So what waits here
also waits for a pipe that the signal itself writes to (``signal.set_wakeup_fd``).
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from select import select
from time import monotonic
from typing import TypeAlias


def wait_for_keys(timeout: float | None = None) -> bool:
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


def read_line() -> str:
    """Read a line as ``input`` does. Errors: KeyboardInterrupt; EOFError at the end."""
    if sys.stdin.isatty():
        wait_for_keys()
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


ReadKey: TypeAlias = Callable[[float | None], str | None]
"""Wait so many seconds (None: for ever); give the key, or None when none came in time."""

NAMES = {
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1b[F": "end",
    "\x1b[H": "home",
    "\x1b[1~": "home",
    "\x1b[4~": "end",
    "\x1b[7~": "home",
    "\x1b[8~": "end",
    "\x1b[5~": "page-up",
    "\x1b[6~": "page-down",
    "\x1b": "escape",
    "\x04": "ctrl-d",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x15": "ctrl-u",
    " ": "space",
    "\r": "enter",
    "\n": "enter",
}

_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1b[A-Za-z]|.", re.DOTALL)

CHUNK = 1024


def split_keys(typed: str) -> list[str]:
    """Cut what a terminal sent into keys, by their names.

    >>> split_keys("a" + chr(27) + "[C" + chr(27) + "OH")
    ['a', 'right', 'home']
    """
    keys = _KEY.findall(re.sub(r"\x1bO(?=[A-Z])", "\x1b[", typed))
    return [NAMES.get(key, key) for key in keys]


@contextmanager
def keyboard() -> Iterator[ReadKey]:
    """Read keys one by one for a while; the terminal is as before afterwards."""
    import termios
    import tty

    stdin = sys.stdin.fileno()
    before = termios.tcgetattr(stdin)
    pressed: deque[str] = deque()

    def read(timeout: float | None) -> str | None:
        if not pressed and wait_for_keys(timeout):
            typed = os.read(stdin, CHUNK)
            if not typed:
                raise EOFError
            pressed.extend(split_keys(typed.decode(errors="replace")))
        return pressed.popleft() if pressed else None

    try:
        tty.setcbreak(stdin)
        yield read
    finally:
        termios.tcsetattr(stdin, termios.TCSADRAIN, before)
