"""How far long work has come: on a terminal only, and on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.status import Status

Item = TypeVar("Item")


class Counted:
    """A count that is shown while it grows. ``what``: of what, in the plural."""

    def __init__(self, what: str, status: Status | None) -> None:
        self._what = what
        self._status = status

    def told(self, count: int) -> None:
        """Show another count."""
        if self._status is not None:
            self._status.update(f"{count:,} {self._what}")

    def each(self, items: Iterator[Item]) -> Iterator[Item]:
        """Pass items on, and count them."""
        for number, item in enumerate(items, 1):
            self.told(number)
            yield item

    def aside(self, work: Callable[[], None]) -> None:
        """Do what prints, out of the way of the count."""
        if self._status is None:
            work()
            return
        self._status.stop()
        work()
        self._status.start()


@contextmanager
def counting(what: str) -> Iterator[Counted]:
    """Show a count while the block runs, if somebody can see it; nothing of it stays."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal or console.is_dumb_terminal:
        yield Counted(what, None)
        return
    with console.status(f"0 {what}") as status:
        yield Counted(what, status)
