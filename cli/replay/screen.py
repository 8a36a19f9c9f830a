"""The whole screen of a replay: where it stands, the board, the moves, a line for the viewer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich.text import Text

from cli.replay.differences import describe_differences
from cli.replay.navigation import BOARD, DIFFERENCES, EVENT, HELP, PROMPTS, Navigation
from services.drawing.text.cells import QUIET
from services.drawing.text.frames import (
    Names,
    describe_standing,
    draw_board,
    draw_heading,
    draw_rule,
    fit_line,
    inspect_events,
    join_beside,
)
from services.replays.keyboard import KeyBinding, list_terminal_keys
from services.replays.replay import Replay, tell_frame

SHORT_HELP = "<- -> step   space play   ? help   q quit"
GAP = " | "
WIDE, TALL = 72, 16
"""From which size on the moves stand beside the board, and its head stays where it is."""

HASH = 73
"""Columns in which an event's hash stands in one line."""

STRIP = 4
"""Lines of moves below a board that is too narrow to have them beside it."""


def draw_page(
    found: Replay, player: Navigation, width: int, height: int, *, sight: str = ""
) -> Text:
    """Compose the screen: exactly ``height`` lines, none wider than ``width``.

    ``sight`` says through whose eyes, where that is worth a word. Sets ``player.top`` back to
    where the end of what can be scrolled shows.
    """
    width, height = max(1, width), max(3, height)
    head = [] if player.panel == HELP else _draw_head(found, player, width, sight)
    fixed = head if height >= max(TALL, 2 * len(head)) else []
    room = height - len(fixed) - 2
    narrow = player.panel == BOARD and width < WIDE and room >= TALL
    strip = STRIP if narrow else 0
    lines, side = _draw_main(found, player, width, height)
    scrolled = lines if fixed else [*head, *lines]
    rows = room - (strip + 1 if strip else 0)
    player.top = min(player.top, max(0, len(scrolled) - rows))
    shown = scrolled[player.top : player.top + rows]
    shown += [Text()] * (rows - len(shown))
    if side:
        moves = draw_moves(found, player, rows, side)
        shown = list(join_beside(shown, moves, width - side - len(GAP), GAP))
    if strip:
        moves = draw_moves(found, player, strip, width)
        shown += [draw_rule(), *moves, *[Text()] * (strip - len(moves))]
    version = found.frames[player.index].version
    footer = _draw_footer(player, version, width, scrolls=len(scrolled) > rows)
    whole = [*fixed, *shown, Text(), footer]
    return Text("\n").join(fit_line(line, width) for line in whole)


def _draw_head(found: Replay, player: Navigation, width: int, sight: str) -> list[Text]:
    frame = found.frames[player.index]
    names = Names(found.shown.names)
    when = "" if frame.event is None else f"  {frame.event['at'][:19].replace('T', ' ')} UTC"
    eyes = f"  {sight}" if sight else ""
    told = names.tell(frame.view, tell_frame(frame, found.shown.view.ply))
    state = describe_standing(frame.view, names)
    if state.cell_len + len(when) + len(eyes) <= width:
        state.append(when, QUIET).append(eyes, QUIET)
    return [
        *draw_heading(found.shown.view, names, width).split(),
        Text(),
        *map(Text, wrap(told, width)),
        state,
        Text(),
    ]


def _draw_main(
    found: Replay, player: Navigation, width: int, height: int
) -> tuple[list[Text], int]:
    """Return the lines of the main part, and how wide the moves beside it are (0: none)."""
    frame = found.frames[player.index]
    if player.panel == HELP:
        return list(draw_help(width)), 0
    if player.panel == DIFFERENCES:
        before = player.mark if player.mark is not None else max(0, player.index - 1)
        return list(describe_differences(found, before, player.index, width)), 0
    side = min(44, width * 3 // 8) if width >= WIDE and height >= TALL else 0
    left = width - side - len(GAP) if side else width
    if player.panel == EVENT:
        if left < HASH:
            left, side = width, 0
        return list(inspect_events(frame.recorded, left)), side
    names = Names(found.shown.names)
    return list(draw_board(frame.view, left, names, flipped=player.flipped).split()), side


def draw_moves(found: Replay, player: Navigation, rows: int, width: int) -> list[Text]:
    """List the steps around the present one, which is marked by more than its colour.

    ``>`` is the present one, ``*`` the marked one, ``/`` what a search has found.
    """
    first = max(0, min(player.index - rows // 2, len(found.frames) - rows))
    return [_draw_move(found, player, index, width) for index in range(first, len(found.frames))][
        :rows
    ]


def _draw_move(found: Replay, player: Navigation, index: int, width: int) -> Text:
    frame = found.frames[index]
    here = ">" if index == player.index else " "
    sign = "*" if index == player.mark else "/" if index in player.found else " "
    style = "reverse" if index == player.index else QUIET if frame.event is None else ""
    number, room = frame.place.move or "", len(str(len(found.frames)))
    told = Names(found.shown.names).tell(frame.view, frame.text)
    return fit_line(Text(f"{here}{sign}{number:>{room}}  {told}", style), width)


def draw_help(width: int) -> Iterator[Text]:
    """Yield the help: what each key of the table does, in two columns where there is room."""
    columns = 2 if width >= WIDE else 1
    each = (width - len(GAP)) // 2 if columns > 1 else width
    keys = list_terminal_keys()
    half = -(-len(keys) // columns)
    left, right = (list(_draw_keys(keys[start : start + half], each)) for start in (0, half))
    yield from join_beside(left, right, each, GAP) if columns > 1 else left
    yield Text()
    yield Text("Press any key to go on.")


def _draw_keys(keys: Sequence[KeyBinding], width: int) -> Iterator[Text]:
    labels = [" ".join(key.list_labels(everything=True)) for key in keys]
    room = 2 + max(map(len, labels), default=0)
    for key, label in zip(keys, labels, strict=True):
        for number, line in enumerate(wrap(key.meaning, max(8, width - room))):
            yield Text(f"{'' if number else label:<{room}}{line}")


def _draw_footer(player: Navigation, version: int, width: int, *, scrolls: bool) -> Text:
    if player.prompt is not None:
        start = PROMPTS[player.prompt]
        return Text(f"{start}{player.typed[-max(1, width - len(start) - 1) :]}_")
    if player.message:
        return Text(player.message, "bold")
    state = f"playing at {player.speed:.2g}/s" if player.playing else "paused"
    news = f"   {player.news} new {'step' if player.news == 1 else 'steps'}" if player.news else ""
    more = "   up/down scroll" if scrolls else ""
    return Text(f"@{version} {state}{news}   {SHORT_HELP}{more}", QUIET)
