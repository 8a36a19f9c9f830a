"""Where output goes: colours on a terminal, plain text in pipes and with ``NO_COLOR``.

Markdown is formatted on a terminal, and as written where it is piped. Progress of long work is
shown on a terminal only, and on standard error.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from select import select
from textwrap import wrap
from typing import ParamSpec, TypeVar

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.status import Status
from rich.text import Text
from typing_extensions import override

from cli.terminal.keys import read_line

MOMENT = 0.2
"""Seconds in which an input that has ended shows that it has."""

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Wipe the screen and what has scrolled off it: hands of cards may stand there."""

_STEERING = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")


def tame(text: str) -> str:
    r"""Escape what would steer a terminal: a text may quote what a stranger's file says.

    >>> tame("holds\x1b[2K")
    'holds\\x1b[2K'
    """
    return _STEERING.sub(lambda found: ascii(found[0])[1:-1], text)


class Output(Console):
    """Standard output, printed as given: nothing is highlighted or taken for markup."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False, emoji=False)

    @override
    def on_broken_pipe(self) -> None:
        """Leave a reader that has gone away to the one place that knows what to do."""
        raise BrokenPipeError

    def say(self, *parts: RenderableType) -> None:
        """Print lines as they are: a terminal wraps what a pipe must not."""
        for part in parts or (Text(),):
            self.print(part, soft_wrap=True)

    def tell(self, text: str, style: str = "") -> None:
        """Print a sentence or more, broken between words."""
        self.say(*(Text(line, style) for line in wrap(tame(text), self.width)))

    def ask(self, prompt: str, style: str = "") -> str:
        """Print a question and read the line that answers it. Errors: EOFError at the end."""
        self.print(Text(prompt, style), end="")
        return read_line()

    def print_entry(self, line: Text, indent: int) -> None:
        """Print an entry of a list; what is too long for a terminal goes on below, further in."""
        if not self.is_terminal or max(map(cell_len, line.plain.split("\n"))) <= self.width:
            self.say(line)
            return
        parts = line.wrap(self, max(indent, self.width - indent))
        for number, part in enumerate(parts):
            part.rstrip()
            self.say(Text(" " * indent).append_text(part) if number else part)

    def wipe(self) -> None:
        """Clear a terminal; do nothing where output is kept anyway."""
        if self.is_terminal:
            self.file.write(CLEAR)
            self.file.flush()


def is_interactive() -> bool:
    """Say whether a person sits at both ends: keys come in, and pictures go out."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not Output().is_dumb_terminal


def has_nothing_to_read() -> bool:
    """Say whether the input has ended before it began, as with ``</dev/null``.

    A pipe whose writer only waits to be asked is no such input; it is given a moment.
    """
    buffer = getattr(sys.stdin, "buffer", None)
    if sys.stdin.isatty() or not isinstance(buffer, BufferedReader):
        return False
    return bool(select([buffer], [], [], MOMENT)[0]) and not buffer.peek(1)


READABLE = 88
"""Lines of prose longer than this are hard to read, however wide the terminal is."""


def show_markdown(text: str, console: Console) -> None:
    """Print Markdown. What is piped stays Markdown, so that other tools can have it."""
    if console.is_terminal:
        console.print(Markdown(text), width=min(READABLE, console.width))
    else:
        console.out(text.rstrip("\n"), highlight=False)


Item = TypeVar("Item")
P = ParamSpec("P")


class ShownCount:
    """A count that is shown while it grows. ``what``: of what, in the plural."""

    def __init__(self, what: str, status: Status | None) -> None:
        self._what = what
        self._status = status

    def show_count(self, count: int) -> None:
        """Show a new count in the place of the one before."""
        if self._status is not None:
            self._status.update(f"{count:,} {self._what}")

    def count_each(self, items: Iterator[Item]) -> Iterator[Item]:
        """Pass items on, and count them."""
        for number, item in enumerate(items, 1):
            self.show_count(number)
            yield item

    def run_aside(self, work: Callable[P, None], *args: P.args, **more: P.kwargs) -> None:
        """Do what prints, out of the way of the count."""
        if self._status is not None:
            self._status.stop()
        work(*args, **more)
        if self._status is not None:
            self._status.start()


@contextmanager
def counting(what: str) -> Iterator[ShownCount]:
    """Show a count while the block runs, if somebody can see it; nothing of it stays."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal or console.is_dumb_terminal:
        yield ShownCount(what, None)
        return
    status = console.status(f"0 {what}")
    status.start()
    try:
        yield ShownCount(what, status)
    finally:
        # Ctrl-C may have come in the middle of a start, which then has left nothing to stop.
        with suppress(IndexError):
            status.stop()
        console.show_cursor()
