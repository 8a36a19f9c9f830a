"""Nodes in a row, ``[    ][ A3 ][    ]``, with their numbers below; long rows are cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from domain.game.scene import Space, Zone
from services.drawing.text.cells import QUIET, Cell, centred, drawn
from services.drawing.text.sheet import Lines, Sheet, axis_name

BRACKETS = 2
MARKS = 2


def draw_line(zone: Zone, sheet: Sheet) -> Lines:
    """Draw a line of nodes, in as many rows as the width asks for."""
    spaces = sheet.ordered(zone.spaces)
    cells = [sheet.cell(space) for space in spaces]
    names = [axis_name(sheet.scene.columns, space.x, str(space.x)) for space in spaces]
    inner = max([1 + MARKS, *(len(one.content) + MARKS for one in cells), *map(len, names)])
    lines: Lines = []
    for part in _rows(len(cells), sheet.width // (inner + BRACKETS)):
        lines.append(_row(cells[part], spaces[part], inner, sheet))
        numbers = "".join(centred(name, inner + BRACKETS) for name in names[part])
        lines.append(Text(numbers.rstrip(), QUIET))
    return lines


def _rows(count: int, most: int) -> Iterator[slice]:
    """Cut ``count`` things into rows of about the same length, ``most`` at most."""
    rows = -(-count // max(1, most))
    each = -(-count // max(1, rows))
    return (slice(start, start + each) for start in range(0, count, max(1, each)))


def _row(cells: Sequence[Cell], spaces: Sequence[Space], inner: int, sheet: Sheet) -> Text:
    """Draw one row; the brackets between two linked nodes become a bar (``[ A3 == A2 ]``)."""
    row = Text()
    for index, one in enumerate(cells):
        text = drawn(one, inner)
        if index and sheet.linked(spaces[index - 1], spaces[index]):
            row = row[:-1]
            row.append("==")
            text = text[1:]
        row.append_text(text)
    return row
