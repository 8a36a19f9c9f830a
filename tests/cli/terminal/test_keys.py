"""A signal that comes right before the system call that waits is noticed all the same."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from cli.terminal import keys


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Give the keyboard of a terminal: what is written to it is read from standard input."""
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield ours
    os.close(ours)


def test_a_signal_right_before_the_wait_ends_it(
    keyboard: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed: list[bool] = []

    def late(
        reading: list[int], writing: list[int], failing: list[int], _: float | None
    ) -> tuple[list[int], list[int], list[int]]:
        if not noticed:
            os.kill(os.getpid(), signal.SIGUSR1)
        ready = select.select(reading, writing, failing, 5)
        noticed.append(bool(ready[0]))
        os.write(keyboard, b"a move\n")
        return ready

    monkeypatch.setattr(keys, "select", late)
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        assert keys.wait_for_keys()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert noticed == [True, True]


def test_a_signal_that_ends_nothing_does_not_end_the_wait_for_a_key(keyboard: int) -> None:
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    main = threading.main_thread().ident
    assert main is not None
    resized = threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGUSR1))
    typed = threading.Timer(0.4, os.write, (keyboard, b"q\n"))
    try:
        resized.start()
        typed.start()
        assert keys.wait_for_keys(30)
        assert keys.read_line() == "q"
    finally:
        typed.join()
        resized.join()
        signal.signal(signal.SIGUSR1, before)


def test_when_no_key_comes_the_wait_is_over_in_time(keyboard: int) -> None:
    assert keyboard
    assert not keys.wait_for_keys(0.01)
    assert signal.set_wakeup_fd(-1) == -1
