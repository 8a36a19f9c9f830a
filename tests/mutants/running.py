"""Run the tests that concern a mutant, in a copy of the tree."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic
from typing import NamedTuple

from tests.mutants.choice import Stage
from tests.mutants.drawing import Mutant

PATIENCE = 30.0
"""Seconds that tests may take beyond ``TIMES`` of what they took with nothing changed."""
TIMES = 4
AT_FIRST = 900.0
"""Seconds that tests may take with nothing changed."""
_PYTEST = ("-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider")
_UNSET = {"PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS"}


class NothingLearnedError(Exception):
    """The tests fail with nothing changed, so nothing can be learned from them."""


class Outcome(NamedTuple):
    """What became of a mutant. ``seconds``: how long its tests took."""

    mutant: Mutant
    killed: bool
    seconds: float


@dataclass
class Copy:
    """A copy of the tree, in which one mutant at a time is tested."""

    root: Path
    original: Path
    _instant: int = field(default=1_000_000_000, init=False)
    _tests: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def write(self, path: str, content: bytes) -> None:
        """Write a module, at an instant of its own: what was compiled before counts no more.

        Python goes by the second and the size, and a change may have neither of its own.
        """
        place = self.root / path
        place.write_bytes(content)
        self._instant += 1
        os.utime(place, (self._instant, self._instant))

    def passes(self, stage: Stage, patience: float) -> bool | None:
        """Run tests to the first that fails; None: they took longer than ``patience``."""
        command = [sys.executable, *_PYTEST, *stage]
        # What is compiled is kept, or each start takes seconds longer.
        kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
        # In a session of its own, with which all that the tests have started can be ended.
        self._tests = tests = subprocess.Popen(
            command,
            cwd=self.root,
            env={**kept, "PYTHONPATH": str(self.root)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return tests.wait(patience) == 0
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.stop()

    def stop(self) -> None:
        """End the tests that run here, if any do; they get a moment to end what they started."""
        tests, self._tests = self._tests, None
        if tests is None:
            return
        for number, seconds in ((signal.SIGINT, 10.0), (signal.SIGKILL, None)):
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(tests.pid, number)
                tests.wait(seconds)


class Runner:
    """Tests mutants, as many at once as there are copies."""

    def __init__(self, copies: list[Copy], stages: Callable[[str], Iterable[Stage]]) -> None:
        self._stages = stages
        self._copies = copies
        self._patience: dict[Stage, float] = {}
        self._lock = Lock()
        self._turns: defaultdict[Stage, Lock] = defaultdict(Lock)
        self._free: SimpleQueue[Copy] = SimpleQueue()
        self._pool = ThreadPoolExecutor(len(copies))
        for copy in copies:
            self._free.put(copy)

    @contextmanager
    def _one_copy(self) -> Iterator[Copy]:
        copy = self._free.get()
        try:
            yield copy
        finally:
            self._free.put(copy)

    def outcomes(self, mutants: Iterable[Mutant]) -> Iterator[Outcome]:
        """Yield what becomes of each mutant, as soon as it is known.

        Raises ``NothingLearnedError`` if their tests fail with nothing changed.
        """
        running = [self._pool.submit(self._outcome, mutant) for mutant in mutants]
        try:
            for done in as_completed(running):
                yield done.result()
        finally:
            for future in running:
                future.cancel()
            for copy in self._copies:
                copy.stop()
            self._pool.shutdown()

    def _outcome(self, mutant: Mutant) -> Outcome:
        begun = monotonic()
        with self._one_copy() as copy:
            whole = (copy.original / mutant.path).read_bytes()
            changed = mutant.made(copy.original)
            try:
                killed = not all(
                    self._passes(copy, mutant.path, stage, changed, whole)
                    for stage in self._stages(mutant.path)
                )
            finally:
                copy.write(mutant.path, whole)
        return Outcome(mutant, killed, monotonic() - begun)

    def _passes(self, copy: Copy, path: str, stage: Stage, changed: bytes, whole: bytes) -> bool:
        """Say whether tests pass with a module changed, once they have passed with it whole."""
        with self._lock:
            turn = self._turns[stage]
        with turn:
            if stage not in self._patience:
                copy.write(path, whole)
                self._patience[stage] = PATIENCE + TIMES * _seconds(copy, stage)
        copy.write(path, changed)
        return copy.passes(stage, self._patience[stage]) is True


def _seconds(copy: Copy, stage: Stage) -> float:
    """Return what tests take with nothing changed. Raises ``NothingLearnedError``."""
    begun = monotonic()
    if not copy.passes(stage, AT_FIRST):
        raise NothingLearnedError(" ".join(stage))
    return monotonic() - begun


@contextmanager
def copies(root: Path, number: int) -> Iterator[list[Copy]]:
    """Make copies of a tree, without what is hidden and what is compiled."""
    with ExitStack() as stack:
        made: list[Copy] = []
        for _ in range(number):
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="mutants-"))) / "tree"
            shutil.copytree(root, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            made.append(Copy(folder, root))
        yield made
