"""Imports all of ours once, and forks a process for whoever asks (``tests.support.warm``)."""

from __future__ import annotations

import fcntl
import gc
import json
import os
import pkgutil
import signal
import sys
import termios
import threading
import time
from contextlib import suppress
from importlib import import_module
from select import select
from socket import recv_fds, socket
from struct import pack, unpack
from types import ModuleType
from typing import Any

from flask import Flask

from tests.support.cheap import CompiledTemplates

ROOMS = ("cli", "domain", "seeds", "services", "web")
STARTING = {"web.wsgi"}
"""To import it is to start the service."""
LATE = ("alembic.command", "granian.server.mp", "psycopg", "rich.live", "rich.table", "rich.text")
"""What is imported only where it is needed."""


def import_all() -> None:
    for room in ROOMS:
        for module in pkgutil.walk_packages(import_module(room).__path__, f"{room}."):
            if module.name not in STARTING:
                import_module(module.name)
    for name in LATE:
        import_module(name)
    # A server's first page would cost a second, nearly all of it for templates.
    Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}
    # A server names the folder before it starts the processes that answer.
    os.register_at_fork(after_in_child=look_where_figures_lie)
    gc.collect()
    gc.freeze()
    assert threading.active_count() == 1


def look_where_figures_lie() -> None:
    """Look again: the library looks when it is imported, and each service has its own folder."""
    from prometheus_client import values

    values.ValueClass = values.get_value_class()  # type: ignore[no-untyped-call]


class Nursery:
    """Starts processes until whoever asks for them is gone."""

    def __init__(self, asked: socket) -> None:
        self._asked = asked
        self._running: dict[int, socket] = {}
        self._ended, self._wakes = os.pipe()
        for end in (self._ended, self._wakes):
            os.set_blocking(end, False)
        # From the keyboard it goes to all; the end of the tests ends this one.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes)

    def run(self) -> str | None:
        """Start what is asked for. Returns, in each new process, the code that it is to run."""
        while True:
            ready, _, _ = select((self._asked.fileno(), self._ended), (), ())
            if self._ended in ready:
                os.read(self._ended, 4096)
                self._tell_ends()
            if self._asked.fileno() in ready:
                head, streams, _, _ = recv_fds(self._asked, 8, 4)
                if not head:
                    return None
                body = json.loads(self._read(unpack("q", head)[0]))
                told = socket(fileno=streams.pop())
                if process := os.fork():
                    told.sendall(pack("i", process))
                    self._running[process] = told
                else:
                    self._let_go(told)
                    become(body, streams)
                    return str(body["code"])
                for stream in streams:
                    os.close(stream)

    def _read(self, size: int) -> bytes:
        content = b""
        while len(content) < size:
            content += self._asked.recv(size - len(content))
        return content

    def _tell_ends(self) -> None:
        while self._running:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            with self._running.pop(process) as told, suppress(OSError):
                told.sendall(pack("i", os.waitstatus_to_exitcode(status)))

    def _let_go(self, told: socket) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for one in (self._asked, told, *self._running.values()):
            one.close()
        os.close(self._ended)
        os.close(self._wakes)


def become(body: dict[str, Any], streams: list[int]) -> None:
    """Make this process what a new one would be."""
    if body["terminal"]:
        os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for stream in streams:
        os.close(stream)
    if body["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(body["environment"])
    time.tzset()
    look_where_figures_lie()
    sys.argv = body["words"]
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        before = getattr(sys, name)
        lines = 1 if number == 2 or os.isatty(number) else -1
        made = open(number, mode, lines, before.encoding, before.errors, closefd=False)  # noqa: SIM115 - it stays open
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)


def main() -> None:
    """Start processes; in each of them, run its code."""
    nursery = Nursery(socket(fileno=int(sys.argv[1])))
    import_all()
    code = nursery.run()
    if code is not None:
        sys.modules["__main__"] = module = ModuleType("__main__")
        exec(code, module.__dict__)


if __name__ == "__main__":
    main()
