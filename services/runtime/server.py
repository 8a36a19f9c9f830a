"""Starting the server: Granian, and behind it our application in threads.

How many files and connections a process may have open is seen to before it serves. Beside it a
companion is kept running, which ends with it: the worker (``services.worker``).
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from socket import create_connection
from threading import Event, Lock, Thread
from typing import Any

import structlog
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer
from typing_extensions import override

from services.errors import CannotServe
from services.runtime.gateway import Gateway, Limits
from services.runtime.metrics import address_of, shown_at
from services.runtime.settings import Settings

FEWEST = 128
"""With fewer descriptors than this, nothing is served."""


def make_room(connections: int, beside: int) -> int:
    """Let this process, and those it starts, have so many connections and ``beside`` files.

    Returns how many connections there is room for. Raises ``CannotServe`` where almost none are
    allowed.
    """
    wanted = connections + beside
    allowed = _allow(wanted)
    if allowed >= wanted:
        return connections
    advice = f"raise the limit (ulimit -n {wanted}, or LimitNOFILE={wanted} of a systemd unit)"
    if allowed < FEWEST:
        raise CannotServe(
            f"A process may open no more than {allowed} files here, too few to serve: {advice}."
        )
    possible = allowed - min(beside, allowed // 2)
    _log.warning(
        f"A process may open no more than {allowed} files here, so it takes {possible} connections "
        f"at once, not {connections} (PLYBOOK_MAX_CONNECTIONS): {advice}, or set fewer."
    )
    return possible


def _allow(wanted: int) -> int:
    """Raise the limit of this process as far as it may and as is wanted; return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    infinite = resource.RLIM_INFINITY
    if soft == infinite or soft >= wanted:
        return wanted
    highest = wanted if hard == infinite else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
    except (OSError, ValueError):
        # Some systems allow less than they say.
        return soft
    return highest


_log = structlog.get_logger(__name__)

THREADS_FOR_REQUESTS = 16
"""Threads of a process that answer requests; each open stream has one more."""

STREAMS_BESIDE = 64
"""Answers that are made piece by piece, beside the event streams: downloads of many matches."""

LONGEST_HEAD = 1 << 16
"""Bytes of a request's headers."""

FILES_BESIDE = 512
"""Descriptors of a process beside its connections, and two more for each stream: databases."""

GRACE = 10
"""Seconds after which a process that will not end is made to. Streams end within one."""

_LOOKS = 1.0
"""Seconds after which a process looks again whether the first one is still there."""


def serve(
    target: str,
    settings: Settings,
    beside: Sequence[str] = (),
    opened: Callable[[], None] = lambda: None,
) -> None:
    """Serve the WSGI application ``target`` (``module:name``) until SIGTERM or SIGINT.

    Each process imports it for itself. ``beside``: a command that is kept running meanwhile.
    ``opened`` is called once the port is open. Returns when everything has ended. Raises
    ``CannotServe`` where the system does not allow it.
    """
    room = make_room(settings.max_connections, FILES_BESIDE + 2 * settings.max_streams)
    limits = Limits(
        THREADS_FOR_REQUESTS,
        settings.max_streams + STREAMS_BESIDE,
        settings.max_body_bytes,
        settings.idle_seconds,
    )
    # The processes read their settings for themselves, and must know whether they are alone.
    os.environ["PLYBOOK_WORKERS"] = str(settings.workers)
    began, begins = Pipe(duplex=False)
    load = partial(_load, limits, begins, os.getpid())
    with shown_at(address_of(settings.metrics)), kept_running(beside):
        _let_new_processes_end()
        Server(began, opened, target, **_configure_granian(settings, room)).serve(
            target_loader=load
        )


def _configure_granian(settings: Settings, room: int) -> dict[str, Any]:
    """Return how Granian is to serve, with ``room`` for so many connections."""
    return {
        "address": settings.host,
        "port": settings.port,
        "interface": Interfaces.ASGI,
        "loop": Loops.asyncio,
        "workers": settings.workers,
        # It counts connections, also those on which nothing is asked.
        "backpressure": room,
        # With HTTP/2 beside it, the server would wait for ever to hear which of them it is.
        "http": HTTPModes.http1,
        "http1_settings": HTTP1Settings(
            # Also the time until a connection closes on which nothing is asked.
            header_read_timeout=settings.idle_seconds * 1000,
            max_buffer_size=LONGEST_HEAD,
        ),
        "workers_kill_timeout": GRACE,
        "respawn_failed_workers": True,
        "log_level": LogLevels.error,
        "websockets": False,
    }


def _load(limits: Limits, begins: Connection, first: int, target: str) -> Gateway:
    """Import the application in a new process, and put it behind the server.

    ``first``: the process that started this one, and without which this one ends.
    """
    Thread(target=_end_with, args=(first,), name="first-process", daemon=True).start()
    module, _, name = target.partition(":")
    application = getattr(import_module(module), name)
    begins.send_bytes(b"began")
    return Gateway(application, limits, getattr(application, "stop", None))


def _end_with(first: int) -> None:
    """End this process once the first one is gone: nobody else would, and it holds the port."""
    while os.getppid() == first:
        time.sleep(_LOOKS)
    os.kill(os.getpid(), signal.SIGTERM)


class Server(MPServer):
    """Granian, which replaces a process that has died however often that happens.

    Its own way is to end the whole service when one dies within seconds after another. Only
    where none has ever come up, the service ends: then it is badly set up.
    """

    def __init__(
        self,
        began: Connection,
        opened: Callable[[], None],
        *arguments: Any,  # noqa: ANN401 - Granian's
        **named: Any,  # noqa: ANN401 - Granian's
    ) -> None:
        super().__init__(*arguments, **named)
        self._began = began
        self._opened: Callable[[], None] | None = opened
        self._has_begun = False
        self._asked_to_end = False
        self._deaths: dict[int, int] = {}

    @override
    def _spawn_workers(self, *arguments: Any) -> None:
        super()._spawn_workers(*arguments)  # type: ignore[no-untyped-call]
        self._tell_when_open()

    @override
    def _respawn_workers(
        self, workers: list[int], spawn_target: Any, target_loader: Any, delay: float = 0
    ) -> None:
        # With a delay it is a reload that somebody asked for.
        if not delay and not self._shall_replace(workers):
            self.interrupt_children = workers
            self.interrupt_signal = True
            self.main_loop_interrupt.set()
            return
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        # By these times Granian would tell that one died too soon.
        self.respawned_wrks.clear()
        self._tell_when_open()

    def _tell_when_open(self) -> None:
        """Wait for the port; a process that died, or the end, is seen to before.

        In this thread, since a process that is forked while another one writes might never write.
        """
        while self._opened is not None and not self.main_loop_interrupt.wait(0.05):
            with suppress(OSError), create_connection((self.bind_addr, self.bind_port), 1):
                self._opened()
                self._opened = None

    @override
    def signal_handler_interrupt(self, *arguments: Any, **named: Any) -> None:
        self._asked_to_end = True
        super().signal_handler_interrupt(*arguments, **named)  # type: ignore[no-untyped-call]

    @override
    def shutdown(self, exit_code: int = 0) -> None:
        """End; with success where that was asked for, also while a process is to be replaced.

        Granian would call it a failure whenever a process has died that is not replaced yet.
        """
        try:
            super().shutdown(exit_code)  # type: ignore[no-untyped-call]
        except SystemExit:
            if exit_code or not self._asked_to_end:
                raise

    def _shall_replace(self, workers: list[int]) -> bool:
        """Wait until it is time to start others; False when the service is to end instead."""
        while self._began.poll():
            self._began.recv_bytes()
            self._has_begun = True
        for worker in workers:
            quick = time.monotonic() - self.wrks[worker].birth < STEADY
            self._deaths[worker] = self._deaths.get(worker, 0) + 1 if quick else 1
        deaths = max(self._deaths[worker] for worker in workers)
        ends = time.monotonic() + min(LONGEST_PAUSE, 0.25 * 2**deaths if deaths > 1 else 0)
        while time.monotonic() < ends and not self.interrupt_signal:
            time.sleep(0.05)
        return self._has_begun and not self.interrupt_signal


def _let_new_processes_end() -> None:
    """Let a process that is still starting up end when it is told to.

    A forked process inherits the handlers of the first one, which would take the signal and do
    nothing until the application is imported and the process has handlers of its own.
    """
    ending = {signal.SIGTERM, signal.SIGINT}

    def in_child() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # From the keyboard it goes to all; the first process tells the others with SIGTERM.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ending)

    os.register_at_fork(
        before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ending),
        after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, ending),
        after_in_child=in_child,
    )


STEADY = 60.0
"""Seconds after which a process that ends was not one that could not start."""

LONGEST_PAUSE = 10.0
"""Seconds before a process that ends again and again is started once more."""

_PATIENCE = 3.0


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
        self._process = self._start()
        self._thread = Thread(target=self._keep_running, name="companion", daemon=True)
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

    def _start(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if not self._ending.is_set():
                self._process = subprocess.Popen(  # noqa: S603 - our own command
                    self._command, stdin=subprocess.DEVNULL, process_group=0
                )
            return self._process

    def _keep_running(self) -> None:
        deaths = 0
        while not self._ending.is_set():
            began = time.monotonic()
            status = self._process.wait()
            if self._ending.is_set():
                return
            deaths = deaths + 1 if time.monotonic() - began < STEADY else 1
            pause = min(LONGEST_PAUSE, 0.5 * 2**deaths)
            _log.warning("worker_died", status=status, again_in=pause)
            self._ending.wait(pause)
            self._start()
