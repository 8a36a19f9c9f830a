"""Programs of ours as processes that start in a moment: forked from one that has imported all.

    with WarmPopen(code, "serve", env=environment, stderr=PIPE) as process:

is ``Popen([sys.executable, "-c", code, "serve"], ...)`` without the second of processor time that
imports take. Streams, terminal, environment, signals and end are the process's own. That programs
start cold, and what they import, is held by ``tests/cli/test_main.py`` and by the pages' examples,
which call ``plybook`` itself.
"""

from __future__ import annotations

import atexit
import json
import select
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from inspect import signature
from pathlib import Path
from socket import send_fds, socket, socketpair
from struct import pack, unpack
from threading import Lock
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
STREAMS = ("p2cread", "c2pwrite", "errwrite")
PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")


class WarmPopen(subprocess.Popen[str]):
    """A process that runs ``code`` with words behind it, in our root; its streams are text.

    ``terminal``: its standard input is a terminal, which is to be its own.
    """

    def __init__(  # noqa: PLR0913 - those of Popen
        self,
        code: str,
        *words: str,
        env: Mapping[str, str],
        terminal: bool = False,
        stdin: int | IO[Any] | None = None,
        stdout: int | IO[Any] | None = None,
        stderr: int | IO[Any] | None = None,
    ) -> None:
        self._code = code
        self._terminal = terminal
        self._told: socket | None = None
        super().__init__(
            ["-c", *words], env=env, stdin=stdin, stdout=stdout, stderr=stderr, text=True
        )

    def _execute_child(self, *given: object) -> None:
        start = subprocess.Popen._execute_child  # type: ignore[attr-defined]  # noqa: SLF001 - the one part of Popen that is not as we need it
        asked = signature(start).bind(self, *given).arguments
        streams = [asked[name] if asked[name] != -1 else at for at, name in enumerate(STREAMS)]
        body = {
            "code": self._code,
            "words": asked["args"],
            "environment": {**asked["env"]},
            "terminal": self._terminal,
        }
        self._told = _nursery().begin(body, streams)
        self.pid = _number(self._told)
        self._child_created = True
        self._close_pipe_fds(*(asked[name] for name in PIPES))  # type: ignore[attr-defined]

    def _internal_poll(self, *_: object, **__: object) -> int | None:
        return self._ended(0.0)

    def _wait(self, timeout: float | None) -> int:
        ended = self._ended(timeout)
        if ended is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return ended

    def _ended(self, timeout: float | None) -> int | None:
        """Wait for the end of the process; return what it has ended with, as ``Popen`` gives it."""
        if self._told is not None and select.select([self._told], [], [], timeout)[0]:
            with self._told:
                self.returncode = _number(self._told)
            self._told = None
        return self.returncode


def _number(told: socket) -> int:
    content = told.recv(4)
    if not content:
        raise RuntimeError("the process that starts others is gone")
    number: int = unpack("i", content)[0]
    return number


class _Nursery:
    """The process that has imported all: ``tests.support.nursery``."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._ours, theirs = socketpair()
        with theirs:
            command = [sys.executable, "-m", "tests.support.nursery", str(theirs.fileno())]
            self._process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()])
        atexit.register(self._end)

    def begin(self, body: dict[str, object], streams: list[int]) -> socket:
        """Start a process; return where its id is told, and what it ends with."""
        ours, theirs = socketpair()
        content = json.dumps(body).encode()
        with theirs, self._lock:
            send_fds(self._ours, [pack("q", len(content))], [*streams, theirs.fileno()])
            self._ours.sendall(content)
        return ours

    def _end(self) -> None:
        self._ours.close()
        self._process.wait()


@cache
def _nursery() -> _Nursery:
    return _Nursery()
