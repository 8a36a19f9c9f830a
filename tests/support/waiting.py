"""Waiting for what other threads and processes bring about."""

from collections.abc import Callable
from time import monotonic, sleep

PATIENCE = 60.0


def wait_until(true: Callable[[], object]) -> None:
    """Wait until something is true; fail where a busy machine would have got there."""
    ends = monotonic() + PATIENCE
    while not true():
        assert monotonic() < ends, "it does not come about"
        sleep(0.02)
