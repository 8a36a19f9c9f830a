"""The service as it is really run, in processes of its own, and an application in threads."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from socket import MSG_DONTWAIT, MSG_PEEK, socket
from tempfile import TemporaryFile
from threading import Thread
from typing import IO, TYPE_CHECKING, NamedTuple

import httpx
from flask import Flask
from werkzeug.serving import ThreadedWSGIServer

from services.runtime.gateway import IS_GONE
from tests.support.ports import free_port
from tests.support.warm import WarmPopen
from web.site import site_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

START = (
    "import os; "
    "from cli.admin.serve import WORKER; "
    "from services.runtime.server import serve; "
    "from services.runtime.settings import from_environment; "
    "serve({target!r}, from_environment(), {beside})"
)
SERVED = "tests.support.served:app"
WORKER = "[*WORKER, '--beside', str(os.getpid())]"
PATIENCE = 60.0


class Server(NamedTuple):
    """A running server: where it is, its first process, and the file that it logs to."""

    url: str
    process: WarmPopen
    log: IO[bytes]

    def logged(self) -> str:
        """Return what it has logged so far."""
        # Not by seeking: the server goes on to write from where the file is.
        there = self.log.fileno()
        return os.pread(there, os.fstat(there).st_size, 0).decode()

    def stop(self, number: int = signal.SIGTERM) -> tuple[float, int]:
        """Send a signal; return the seconds that the end took, and the exit status."""
        began = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        return time.monotonic() - began, status


@contextmanager
def running_server(
    database_url: str,
    workers: int = 1,
    target: str = "tests.support.served:app",
    *,
    worker: bool = False,
    **settings: object,
) -> Iterator[Server]:
    """Run the service on a migrated database; ``settings`` are named as in ``Settings``.

    ``worker``: start one beside it, which takes a second of processor time.
    """
    values = {
        "database_url": database_url,
        "port": free_port(),
        "workers": workers,
        "rate_limit": 0,
        "metrics": "off",
        "log_format": "json",
        **settings,
    }
    environment = {f"PLYBOOK_{name.upper()}": str(value) for name, value in values.items()}
    # A file, not a pipe: a pipe that nobody reads is full after some hundred requests.
    with TemporaryFile() as log:
        code = START.format(target=target, beside=WORKER if worker else ())
        process = WarmPopen(code, env={**os.environ, **environment}, stderr=log)
        server = Server(f"http://127.0.0.1:{values['port']}", process, log)
        try:
            _wait_until_ready(server)
            yield server
        finally:
            if process.poll() is None:
                server.stop()


def _wait_until_ready(server: Server) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.process.poll() is None:
        try:
            if httpx.get(f"{server.url}/readyz").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"the server did not become ready: {server.logged()[-2000:]}")


@contextmanager
def serving(app: Flask, port: int = 0) -> Iterator[str]:
    """Serve an application from threads of this process; give its address.

    Whatever is still asked for at the end is answered first. A house that is closed while a
    thread reads leaves the thread's connection open.
    """
    server = ThreadedWSGIServer("127.0.0.1", port, _telling_who_has_gone(app))
    server.daemon_threads = False  # those nobody would wait for
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        site_of(app).stop()
        server.shutdown()
        thread.join()
        server.server_close()


def _telling_who_has_gone(app: Flask) -> WSGIApplication:
    """Let requests be told apart whose client has gone, as behind the real server."""

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        environ[IS_GONE] = partial(_is_closed, environ["werkzeug.socket"])
        return app(environ, start)

    return answer


def _is_closed(connection: socket) -> bool:
    try:
        return connection.recv(1, MSG_PEEK | MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
