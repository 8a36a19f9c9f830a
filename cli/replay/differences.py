"""What differs between two steps of a replay, in words and with both boards."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from rich.text import Text

from domain.json_types import Json
from domain.log.event_format import canonical
from domain.match.move_count import told_count
from services.drawing.text.cells import QUIET
from services.drawing.text.frames import Names, beside, board
from services.replays.replay import (
    ADDED,
    REMOVED,
    Difference,
    Frame,
    Replay,
    between,
    state_changes,
    written,
)

NARROWEST = 36
"""The least width in which one of two boards side by side is any use."""

GAP = " | "


def differences(found: Replay, earlier: int, later: int, width: int) -> Iterator[Text]:
    """Yield the lines that tell what differs between the frames ``earlier`` and ``later``."""
    one, other = found.frames[earlier], found.frames[later]
    for line in wrap(f"{_place(one)} -> {_place(other)}", width):
        yield Text(line, "bold")
    for frame in between(found.frames, earlier, later):
        told = Names(found.shown.names).tell(frame.view, frame.text)
        yield from _hanging(f"{frame.place.move or '':>4}  ", told, width)
    yield Text()
    yield from _boards(found, (earlier, later), width)
    yield Text()
    lines = [told_change(change) for change in state_changes(one, other)]
    yield Text("What differs" if lines else "Nothing differs in what this viewer sees.", "bold")
    for line in lines:
        yield from _hanging("  ", line, width)


def _place(frame: Frame) -> str:
    return f"{told_count(frame.place)} (@{frame.version})"


def _boards(found: Replay, chosen: tuple[int, int], width: int) -> Iterator[Text]:
    frames = [found.frames[index] for index in chosen]
    half = (width - len(GAP)) // 2
    sides = half >= NARROWEST
    names = Names(found.shown.names)
    drawings = [board(frame.view, half if sides else width, names).split() for frame in frames]
    titles = [Text(_place(frame), QUIET) for frame in frames]
    fits = max(line.cell_len for drawing in drawings for line in drawing) <= half
    if sides and fits:
        left, right = ([title, *drawing] for title, drawing in zip(titles, drawings, strict=True))
        yield from beside(left, right, half, GAP)
        return
    for title, frame in zip(titles, frames, strict=True):
        yield title
        yield from board(frame.view, width, names).split()


def _hanging(start: str, text: str, width: int) -> Iterator[Text]:
    lines = wrap(text, max(10, width - len(start))) or [""]
    for number, line in enumerate(lines):
        yield Text((" " * len(start) if number else start) + line)


def told_change(change: Difference) -> str:
    """Tell a change in a line.

    >>> told_change(Difference(("players", 0, "node"), "changed", 0, 3))
    'players.0.node: 0 -> 3'
    """
    place = written(change.path) or "the whole"
    if change.change == ADDED:
        return f"{place}: {_json(change.after)} is new"
    if change.change == REMOVED:
        return f"{place}: {_json(change.before)} is gone"
    return f"{place}: {_json(change.before)} -> {_json(change.after)}"


def _json(value: Json) -> str:
    return canonical(value).decode()
