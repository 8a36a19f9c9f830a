"""A whole scene as text: board, other zones, meters, notes, and what the marks mean."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap

from rich.text import Text

from domain.game.scene import Meter, Scene, Shape, Space
from services.drawing.text.cells import (
    LETTERS,
    OWNER_STYLES,
    QUIET,
    SIGNS,
    Sign,
    closure,
    has_letter,
    marks_of,
    uses_letters,
)
from services.drawing.text.sheet import Lines, Sheet
from services.drawing.text.zones import draw_zone, flow

WIDTH = 80
"""The width that is drawn for where there is no terminal to ask."""

BAR = 10
SEAT = "P{}   "
_BOARDS = (Shape.LINE, Shape.GRID, Shape.FIELD)


def render(scene: Scene, width: int = WIDTH, *, flipped: bool = False) -> Text:
    """Draw a scene in lines of at most ``width`` characters where that can be.

    ``flipped``: the board as who sits on its other side sees it, turned by half a turn.
    ``str`` of the answer's ``plain`` says all that the colours say.
    """
    board = [space for zone in scene.zones if zone.shape in _BOARDS for space in zone.spaces]
    sheet = Sheet(scene, width, lettered=uses_letters(board), flipped=flipped)
    lines: Lines = []
    for zone in scene.zones:
        if zone.shape in _BOARDS:
            lines += [*draw_zone(zone, sheet), Text()]
        else:
            lines += draw_zone(zone, sheet)
    if lines and lines[-1].plain:
        lines.append(Text())
    lines += _meters(scene, width) + _notes(scene, width) + _legend(board, sheet)
    while lines and not lines[-1].plain:
        lines.pop()
    return Text("\n").join(lines)


def _meters(scene: Scene, width: int) -> Lines:
    """Draw the meters, a row for each seat; without bars where these do not fit."""
    rows = _meter_rows(scene, _with_bar)
    if any(len("   ".join(row)) > width - len(SEAT) for row in rows.values()):
        rows = _meter_rows(scene, _numbers)
    lines: Lines = []
    for owner, row in rows.items():
        while row and not row[-1].strip():
            row.pop()
        row_lines = flow(SEAT.format(owner), [Text(part) for part in row], width, "   ")
        row_lines[0].stylize(OWNER_STYLES[owner], 0, 2)
        lines += row_lines
    for line in lines:
        line.rstrip()
    return lines


def _meter_rows(scene: Scene, write: Callable[[Meter], str]) -> dict[int, list[str]]:
    """Return each seat's meters, the same labels of both equally wide."""
    labels = list(dict.fromkeys(meter.label for meter in scene.meters))
    texts = {(one.owner, one.label): write(one) for one in scene.meters}
    widest = {
        label: max(len(text) for (_, other), text in texts.items() if other == label)
        for label in labels
    }
    return {
        owner: [texts.get((owner, label), "").ljust(widest[label]) for label in labels]
        for owner in sorted({owner for owner, _ in texts})
    }


def _numbers(meter: Meter) -> str:
    if meter.maximum is None:
        return f"{meter.label} {meter.value}"
    return f"{meter.label} {meter.value:>{len(str(meter.maximum))}}/{meter.maximum}"


def _with_bar(meter: Meter) -> str:
    if not meter.maximum:
        return _numbers(meter)
    size = min(BAR, meter.maximum)
    filled = max(1, meter.value * size // meter.maximum) if meter.value > 0 else 0
    bar = "=" * min(size, filled) + "-" * (size - min(size, filled))
    return f"{_numbers(meter)} {bar}"


def _notes(scene: Scene, width: int) -> Lines:
    lines: Lines = []
    for note in scene.notes:
        untold = note.owner is not None and f"P{note.owner}" not in note.text
        start = f"P{note.owner}: " if untold else ""
        style = OWNER_STYLES.get(note.owner or 0, "")
        for index, part in enumerate(wrap(start + note.text, width - 2)):
            lines.append(Text(f"{'  ' if index else '- '}{part}", style))
    return lines


def _legend(board: list[Space], sheet: Sheet) -> Lines:
    """Explain the marks and letters that this very board shows."""
    shown = {mark for space in board for mark in marks_of(space)}
    parts = [_explained(sign) for mark, sign in SIGNS.items() if mark in shown]
    closed = sorted({closure(space) for space in board if not space.tokens} - {""})
    parts += [f"{text} closed to {f'P{text[1:]}' if text[1:] else 'both'}" for text in closed]
    tokens = [
        token for zone in sheet.scene.zones for space in zone.spaces for token in space.tokens
    ]
    if sheet.lettered or any(map(has_letter, tokens)):
        parts += [f"{letter} is P{owner}" for owner, letter in LETTERS.items()]
    if any(token.face_down for space in board for token in space.tokens):
        parts.append("a, b face down" if sheet.lettered else "small letters: face down")
    return flow("", [Text(part, QUIET) for part in parts], sheet.width, "   ")


def _explained(sign: Sign) -> str:
    return f"{sign.alone or sign.before + sign.after} {sign.meaning}"
