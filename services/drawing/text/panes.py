"""Lines of text beside each other, each pane in a width of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.text import Text


def fitted(line: Text, width: int, *, pad: bool = False) -> Text:
    """Return a line of at most ``width`` cells; what is cut off shows as an ellipsis."""
    cut = line.copy()
    cut.truncate(max(1, width), overflow="ellipsis", pad=pad)
    return cut


def beside(left: Sequence[Text], right: Sequence[Text], width: int, gap: str) -> Iterator[Text]:
    """Yield lines that have ``left``, ``width`` cells wide, the gap, and ``right``."""
    for one, other in zip_longest(left, right, fillvalue=Text()):
        line = fitted(one, width, pad=True).append(gap, "dim").append_text(other)
        line.rstrip()
        yield line
