"""What differs between two steps of a replay, in words and with both boards."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from rich.text import Text

from domain.json_types import Json
from domain.log.event_format import write_canonical
from domain.match.move_count import tell_count
from services.drawing.text.cells import QUIET
from services.drawing.text.frames import Names, draw_board, join_beside
from services.replays.replay import (
    ADDED,
    REMOVED,
    Difference,
    Frame,
    Replay,
    compare_states,
    list_between,
    write_path,
)

NARROWEST = 36
"""The least width in which one of two boards side by side is any use."""

GAP = " | "


def describe_differences(found: Replay, earlier: int, later: int, width: int) -> Iterator[Text]:
    """Yield the lines that tell what differs between the frames ``earlier`` and ``later``."""
    one, other = found.frames[earlier], found.frames[later]
    for line in wrap(f"{_describe_place(one)} -> {_describe_place(other)}", width):
        yield Text(line, "bold")
    for frame in list_between(found.frames, earlier, later):
        told = Names(found.shown.names).tell(frame.view, frame.text)
        yield from _wrap_hanging(f"{frame.place.move or '':>4}  ", told, width)
    yield Text()
    yield from _draw_boards(found, (earlier, later), width)
    yield Text()
    lines = [describe_change(change) for change in compare_states(one, other)]
    yield Text("What differs" if lines else "Nothing differs in what this viewer sees.", "bold")
    for line in lines:
        yield from _wrap_hanging("  ", line, width)


def _describe_place(frame: Frame) -> str:
    return f"{tell_count(frame.place)} (@{frame.version})"


def _draw_boards(found: Replay, chosen: tuple[int, int], width: int) -> Iterator[Text]:
    frames = [found.frames[index] for index in chosen]
    half = (width - len(GAP)) // 2
    sides = half >= NARROWEST
    names = Names(found.shown.names)
    drawings = [draw_board(frame.view, half if sides else width, names).split() for frame in frames]
    titles = [Text(_describe_place(frame), QUIET) for frame in frames]
    fits = max(line.cell_len for drawing in drawings for line in drawing) <= half
    if sides and fits:
        left, right = ([title, *drawing] for title, drawing in zip(titles, drawings, strict=True))
        yield from join_beside(left, right, half, GAP)
        return
    for title, frame in zip(titles, frames, strict=True):
        yield title
        yield from draw_board(frame.view, width, names).split()


def _wrap_hanging(start: str, text: str, width: int) -> Iterator[Text]:
    lines = wrap(text, max(10, width - len(start))) or [""]
    for number, line in enumerate(lines):
        yield Text((" " * len(start) if number else start) + line)


def describe_change(change: Difference) -> str:
    """Tell a change in a line.

    >>> describe_change(Difference(("players", 0, "node"), "changed", 0, 3))
    'players.0.node: 0 -> 3'
    """
    place = write_path(change.path) or "the whole"
    if change.change == ADDED:
        return f"{place}: {_dump_json(change.after)} is new"
    if change.change == REMOVED:
        return f"{place}: {_dump_json(change.before)} is gone"
    return f"{place}: {_dump_json(change.before)} -> {_dump_json(change.after)}"


def _dump_json(value: Json) -> str:
    return write_canonical(value).decode()
