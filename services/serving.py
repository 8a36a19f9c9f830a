"""Starting the server: Granian, with what our event streams ask of it.

Every open stream keeps one thread of its process busy waiting, so there are threads for all
the streams that the settings allow and some more for everything else.
"""

from __future__ import annotations

import os
import signal
from shutil import rmtree
from tempfile import mkdtemp

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from services.settings import Settings

THREADS_FOR_REQUESTS = 16
"""Threads of a process beside those that streams may take."""

GRACE = 10
"""Seconds after which a process that will not end is made to. Streams end within one."""

FIGURES = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder through which the processes share their figures; see ``web.metrics``."""


def serve(target: str, host: str, port: int, workers: int, settings: Settings) -> None:
    """Serve the WSGI application ``target`` (``module:name``) until SIGTERM or SIGINT.

    Each process imports it for itself. Returns when everything has ended.
    """
    threads = settings.max_streams + THREADS_FOR_REQUESTS
    # A process that is alone keeps its figures in memory, which takes less time.
    folder = _figures_folder() if workers > 1 else None
    # The processes read their settings for themselves, and must know whether they are alone.
    os.environ["PLYBOOK_WORKERS"] = str(workers)
    _let_new_processes_end()
    try:
        Granian(
            target,
            address=host,
            port=port,
            interface=Interfaces.WSGI,
            workers=workers,
            blocking_threads=threads,
            # As many requests at a time as there are threads: more would wait unseen.
            backpressure=threads,
            workers_kill_timeout=GRACE,
            respawn_failed_workers=True,
            log_level=LogLevels.error,
            websockets=False,
        ).serve()
    finally:
        if folder is not None:
            rmtree(folder, ignore_errors=True)


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


def _figures_folder() -> str | None:
    """Make the folder for shared figures, unless somebody has chosen one."""
    if FIGURES in os.environ:
        return None
    folder = mkdtemp(prefix="plybook-figures-")
    os.environ[FIGURES] = folder
    return folder
