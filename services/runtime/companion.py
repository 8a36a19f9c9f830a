"""A companion: a process that is kept running beside this one, and ends with it.

``plybook serve`` and ``plybook demo`` keep a worker (``services.worker``) in this way.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic

import structlog

STEADY = 60.0
"""Seconds after which a process that ends was not one that could not start."""

LONGEST_PAUSE = 10.0
"""Seconds before a process that ends again and again is started once more."""

_PATIENCE = 3.0

_log = structlog.get_logger(__name__)


@contextmanager
def kept_running(command: Sequence[str]) -> Iterator[None]:
    """Run a command meanwhile, and again whenever it ends; without one, do nothing.

    It has a process group of its own, so that Ctrl-C reaches this process alone, which ends it.
    """
    if not command:
        yield
        return
    companion = _Companion(command)
    try:
        yield
    finally:
        companion.end()


class _Companion:
    """Starts the process, waits for its end in a thread, and starts it anew."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._ending = Event()
        # A process that is forked while another is started holds the pipe that tells of its start
        # open, and whoever starts it would wait until that process ends.
        self._starting = Lock()
        os.register_at_fork(
            before=self._starting.acquire,
            after_in_parent=self._starting.release,
            after_in_child=self._starting.release,
        )
        self._process = self._started()
        self._thread = Thread(target=self._keep, name="companion", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """End the process, and start it no more."""
        self._ending.set()
        with self._starting:
            process = self._process
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._thread.join()

    def _started(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if not self._ending.is_set():
                self._process = subprocess.Popen(  # noqa: S603 - our own command
                    self._command, stdin=subprocess.DEVNULL, process_group=0
                )
            return self._process

    def _keep(self) -> None:
        deaths = 0
        while not self._ending.is_set():
            began = monotonic()
            status = self._process.wait()
            if self._ending.is_set():
                return
            deaths = deaths + 1 if monotonic() - began < STEADY else 1
            pause = min(LONGEST_PAUSE, 0.5 * 2**deaths)
            _log.warning("worker_died", status=status, again_in=pause)
            self._ending.wait(pause)
            self._started()
