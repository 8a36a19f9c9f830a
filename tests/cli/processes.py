"""The program as a process of its own: in a pseudo-terminal, or in pipes."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.warm import WarmPopen

ROOT = Path(__file__).parents[2]
CODE = "from cli.main import main; main(prog_name='plybook')"
PROGRAM = (sys.executable, "-c", CODE)
PATIENCE = 60.0

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def environment(database: Path, **more: str) -> dict[str, str]:
    """Return the environment of a process: ours, without what would colour its output."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    }
    return {**kept, "PLYBOOK_DATABASE_URL": str(database), "TERM": "xterm-256color", **more}


def piped(
    words: Sequence[str], env: Mapping[str, str], typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the program in pipes to its end."""
    pipe = subprocess.PIPE
    with WarmPopen(CODE, *words, env=env, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            out, errors = process.communicate(typed, PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, errors)


class Terminal:
    """The program in a pseudo-terminal, of 80 columns and 40 rows unless said otherwise."""

    def __init__(
        self, words: Sequence[str], env: Mapping[str, str], rows: int = 40, columns: int = 80
    ) -> None:
        self._ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self._theirs = theirs
        self.raw = ""
        self._seen = 0
        self.process = WarmPopen(
            CODE, *words, env=env, terminal=True, stdin=theirs, stdout=theirs, stderr=theirs
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        os.close(self._ours)
        os.close(self._theirs)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._ours, keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        """Give the terminal another size, as a person does who drags its window."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, text: str) -> str:
        """Wait for ``text`` among what has come since the last call; return all up to it."""
        deadline = time.monotonic() + PATIENCE
        while (at := self.plain().find(text, self._seen)) < 0:
            self._read(deadline, text)
        start, self._seen = self._seen, at + len(text)
        return self.plain()[start : self._seen]

    def plain(self) -> str:
        """Return all output so far without control sequences."""
        return CONTROL.sub("", self.raw).replace("\r", "")

    def ends(self) -> int:
        """Read to the end and return the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            self._read(deadline, "the end", patience=0.05)
        while self._waiting(0.05):
            self._take()
        return self.process.returncode

    def modes(self) -> list[object]:
        """Return the terminal's modes."""
        modes: list[object] = termios.tcgetattr(self._theirs)
        return modes

    def _read(self, deadline: float, text: str, patience: float = 1.0) -> None:
        assert time.monotonic() < deadline, f"waited in vain for {text!r} in:\n{self.plain()}"
        if self._waiting(patience):
            self._take()

    def _take(self) -> None:
        self.raw += os.read(self._ours, 65536).decode(errors="replace")

    def _waiting(self, patience: float) -> bool:
        return bool(select.select([self._ours], [], [], patience)[0])
