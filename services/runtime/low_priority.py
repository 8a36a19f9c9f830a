"""Thinking: work for the processor alone, done behind all others who want the processor.

Only the thinking goes behind them. Who writes holds the lock that people's moves wait for, and so
must not be somebody who waits for everybody else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import get_native_id
from time import monotonic, sleep

PATIENCE = 5.0
"""Seconds that a position waits at most for what is more urgent."""

_LESS = 10
"""By so much thinking is nicer than all else; ``./dev bench house`` measures what it brings."""

_LEAST = 19


def make_thinker(name: str) -> ThreadPoolExecutor:
    """Return what thinks one thing after another, in a thread of that name."""
    return ThreadPoolExecutor(1, name, _stand_back)


def wait(gives_way: Callable[[], bool]) -> None:
    """Wait while something is more urgent, but not for too long."""
    end = monotonic() + PATIENCE
    while gives_way() and monotonic() < end:
        sleep(0.05)


def _stand_back() -> None:
    """Let all others have a processor first; only Linux knows that of single threads."""
    if sys.platform == "linux":
        me = get_native_id()
        nicer = min(_LEAST, os.getpriority(os.PRIO_PROCESS, me) + _LESS)
        os.setpriority(os.PRIO_PROCESS, me, nicer)
