"""Figures of the whole service for Prometheus, at an address of their own.

What routes are asked for tells what players do in secret, so the figures are not shown where
players ask. The server's processes share theirs through files; the first process shows them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from services.errors import CannotServe

if TYPE_CHECKING:
    from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder through which the processes share their figures; see ``web.http.requests``."""

OFF = "off"

HIGHEST_PORT = 65535


class MetricsAddress(NamedTuple):
    """Where the figures are shown."""

    host: str
    port: int

    @override
    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/metrics"


def address_of(text: str) -> MetricsAddress | None:
    """Return the address that a setting names, None for none.

    Raises ``ValueError`` in a person's words.

    >>> address_of("127.0.0.1:9464"), address_of("[::1]:9464").host, address_of("off")
    (MetricsAddress(host='127.0.0.1', port=9464), '::1', None)
    """
    if text in ("", OFF):
        return None
    host, _, port = text.rpartition(":")
    known = port.isascii() and port.isdecimal() and len(port) <= len(str(HIGHEST_PORT))
    if not (host and known and 1 <= int(port) <= HIGHEST_PORT):
        raise ValueError(
            "PLYBOOK_METRICS is an address and a port, such as 127.0.0.1:9464 or [::1]:9464, "
            "or off."
        )
    return MetricsAddress(host.removeprefix("[").removesuffix("]"), int(port))


@contextmanager
def shown_at(address: MetricsAddress | None) -> Iterator[None]:
    """Show the figures of all processes that are started meanwhile.

    Raises ``CannotServe`` if somebody else is at that address.
    """
    if address is None:
        yield
        return
    chosen = os.environ.get(FOLDER)
    folder = chosen or mkdtemp(prefix="plybook-figures-")
    os.environ[FOLDER] = folder
    try:
        with _server(address, folder):
            yield
    finally:
        if not chosen:
            del os.environ[FOLDER]
            rmtree(folder, ignore_errors=True)


@contextmanager
def _server(address: MetricsAddress, folder: str) -> Iterator[None]:
    # It looks for the folder when it is imported, and so do the processes that are forked later.
    from prometheus_client import CollectorRegistry, start_http_server  # noqa: PLC0415
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    registry = CollectorRegistry()
    registry.register(Collector(MultiProcessCollector(None, folder)))  # type: ignore[no-untyped-call]
    try:
        server, thread = start_http_server(address.port, address.host, registry)
    except OSError as error:
        raise CannotServe(
            f"Cannot show figures on {address.host}, port {address.port}: {error.strerror}. "
            f"Choose another address by PLYBOOK_METRICS, or PLYBOOK_METRICS={OFF} for none."
        ) from error
    os.register_at_fork(after_in_child=server.socket.close)
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Collector:
    """Collects from the files of all processes, and never while this one forks.

    What a thread holds when its process forks is held in the new one for ever.
    """

    def __init__(self, files: MultiProcessCollector) -> None:
        self._files = files
        self._lock = lock = Lock()
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )

    def collect(self) -> Iterable[Any]:
        """Return the figures as they are now."""
        with self._lock:
            return list(self._files.collect())  # type: ignore[no-untyped-call]


class ChoreFigures:
    """What the worker counts of its chores, by their names."""

    def __init__(self) -> None:
        # Not before the folder is known: see above.
        from prometheus_client import CollectorRegistry, Counter  # noqa: PLC0415

        self.registry = registry = CollectorRegistry()
        labels = ("chore",)
        self._runs = Counter(
            "plybook_chore_runs", "Times that a chore was done.", labels, registry=registry
        )
        self._failures = Counter(
            "plybook_chore_failures", "Of these, those that failed.", labels, registry=registry
        )
        self._seconds = Counter(
            "plybook_chore_seconds", "Seconds that chores have taken.", labels, registry=registry
        )

    def count(self, chore: str, seconds: float, *, failed: bool) -> None:
        """Count that a chore was done, or tried."""
        self._runs.labels(chore).inc()
        self._failures.labels(chore).inc(failed)
        self._seconds.labels(chore).inc(seconds)
