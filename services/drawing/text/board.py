"""A whole scene as text: board, other zones, meters, notes, and what the marks mean.

Each shape of a zone is drawn in its own manner. A line has its nodes in a row,
``[    ][ A3 ][    ]``, with their numbers below; long rows are cut. Boards of two dimensions are
grids with lines around every cell, and fields without edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

from rich.text import Text

from domain.game.scene import BOARDS, LETTERS, Meter, Scene, Shape, Space, Zone
from services.drawing.text.cells import (
    OWNER_STYLES,
    QUIET,
    SIGNS,
    Lines,
    Sheet,
    TextCell,
    centre,
    draw_cell,
    format_closure,
    get_axis_name,
    has_letter,
    make_cell,
    marks_of,
    uses_letters,
)

BRACKETS = 2
MARKS = 2


def draw_line(zone: Zone, sheet: Sheet) -> Lines:
    """Draw a line of nodes, in as many rows as the width asks for."""
    spaces = sheet.order(zone.spaces)
    cells = [sheet.make_cell(space) for space in spaces]
    names = [get_axis_name(sheet.scene.columns, space.x, str(space.x)) for space in spaces]
    inner = max([1 + MARKS, *(len(one.content) + MARKS for one in cells), *map(len, names)])
    lines: Lines = []
    for part in _split_rows(len(cells), sheet.width // (inner + BRACKETS)):
        lines.append(_draw_row(cells[part], spaces[part], inner, sheet))
        numbers = "".join(centre(name, inner + BRACKETS) for name in names[part])
        lines.append(Text(numbers.rstrip(), QUIET))
    return lines


def _split_rows(count: int, most: int) -> Iterator[slice]:
    """Cut ``count`` things into rows of about the same length, ``most`` at most."""
    rows = -(-count // max(1, most))
    each = -(-count // max(1, rows))
    return (slice(start, start + each) for start in range(0, count, max(1, each)))


def _draw_row(cells: Sequence[TextCell], spaces: Sequence[Space], inner: int, sheet: Sheet) -> Text:
    """Draw one row; the brackets between two linked nodes become a bar (``[ A3 == A2 ]``)."""
    row = Text()
    for index, one in enumerate(cells):
        text = draw_cell(one, inner)
        if index and sheet.has_link(spaces[index - 1], spaces[index]):
            row = row[:-1]
            row.append("==")
            text = text[1:]
        row.append_text(text)
    return row


LEAST = 4
"""The least width inside a cell of a grid, so that it looks about square."""

NARROWEST = 2
"""The least width inside a space of a field."""


class _Plane:
    """The spaces of a zone by place, and what the widest of them needs."""

    def __init__(self, zone: Zone, sheet: Sheet) -> None:
        self.sheet = sheet
        self.at = {(space.x, space.y): space for space in zone.spaces}
        self.cells = {place: sheet.make_cell(space) for place, space in self.at.items()}
        xs, ys = {x for x, _ in self.at}, {y for _, y in self.at}
        self.left, self.top = min(xs, default=0), min(ys, default=0)
        self.xs = sheet.order(range(self.left, max(xs, default=-1) + 1))
        self.ys = sheet.order(range(self.top, max(ys, default=-1) + 1))
        self.down = -1 if sheet.flipped else 1
        self.widest = max([0, *(len(one.content) for one in self.cells.values())])

    def iter_row(self, y: int, xs: Sequence[int]) -> Iterator[tuple[Space | None, TextCell | None]]:
        """Return the spaces of a row and how they look, None where there is none."""
        return ((self.at.get((x, y)), self.cells.get((x, y))) for x in xs)


def draw_grid(zone: Zone, sheet: Sheet) -> Lines:
    """Draw a grid with its axes; a link between neighbours opens the wall between them."""
    plane = _Plane(zone, sheet)
    inner = max(LEAST, plane.widest + 2)
    names = {y: get_axis_name(sheet.scene.rows, y - plane.top, "") for y in plane.ys}
    margin = max([0, *(len(name) + 1 for name in names.values() if name)])
    columns = [get_axis_name(sheet.scene.columns, x - plane.left, "") for x in plane.xs]
    heads = " ".join(centre(name, inner) for name in columns)
    lines = [Text(f"{' ' * margin} {heads}".rstrip(), QUIET)] if any(columns) else []
    lines.append(Text(" " * margin + "+" + ("-" * inner + "+") * len(plane.xs)))
    for y in plane.ys:
        lines.append(Text(names[y].rjust(margin - 1).ljust(margin) if margin else ""))
        lines[-1].append_text(_draw_grid_row(plane, y, inner))
        lines.append(Text(" " * margin + _draw_wall(plane, y, inner)))
    return lines


def _draw_grid_row(plane: _Plane, y: int, inner: int) -> Text:
    row = Text("|")
    before: Space | None = None
    for space, one in plane.iter_row(y, plane.xs):
        if plane.sheet.has_link(before, space):
            row = row[:-1].append("=")
        row.append_text(draw_cell(one, inner)[1:-1] if one else Text(" " * inner))
        row.append("|")
        before = space
    return row


def _draw_wall(plane: _Plane, y: int, inner: int) -> str:
    wall = "+"
    for x in plane.xs:
        joined = plane.sheet.has_link(plane.at.get((x, y)), plane.at.get((x, y + plane.down)))
        wall += ("||" if joined else "-").center(inner, "-") + "+"
    return wall


def draw_field(zone: Zone, sheet: Sheet) -> Lines:
    """Draw a field: the spaces there are, with coordinates; a wide one in several bands."""
    plane = _Plane(zone, sheet)
    margin = max([2, *(len(str(y)) for y in plane.ys)]) + 2
    lines: Lines = []
    for xs in _split_bands(plane, sheet.width - margin):
        if lines:
            lines.append(Text())
        lines += _draw_band(plane, xs, margin)
    return lines


def _measure_column(plane: _Plane, x: int) -> int:
    """Return the width of a column between its brackets: what the widest thing in it needs."""
    column = (plane.cells.get((x, y)) for y in plane.ys)
    return max([NARROWEST, len(str(x)) - 2, *(len(one.content) for one in column if one)])


def _split_bands(plane: _Plane, width: int) -> Iterator[list[int]]:
    """Cut the columns into bands that fit the width."""
    band: list[int] = []
    used = 0
    for x in plane.xs:
        size = _measure_column(plane, x) + 2
        if band and used + size > width:
            yield band
            band, used = [], 0
        band.append(x)
        used += size
    yield band


def _draw_band(plane: _Plane, xs: Sequence[int], margin: int) -> Lines:
    inner = {x: _measure_column(plane, x) for x in xs}
    heads = "".join(centre(str(x), inner[x] + 2) for x in xs)
    lines = [Text(f"{'y x':<{margin}}{heads}".rstrip(), QUIET)]
    for y in plane.ys:
        line = Text(f"{y:>{margin - 2}}  ", QUIET)
        for x, (_, one) in zip(xs, plane.iter_row(y, xs), strict=True):
            line.append_text(
                draw_cell(one, inner[x], roomy=False) if one else Text(" " * (inner[x] + 2))
            )
        line.rstrip()
        lines.append(line)
    return lines


def flow(start: str, parts: list[Text], width: int, gap: str = " ") -> Lines:
    """Put ``parts`` one behind the other after ``start``, and go on in the next line."""
    lines = [Text(start)]
    for part in parts:
        used = lines[-1].cell_len
        if used > len(start) and used + len(gap) + part.cell_len > width:
            lines.append(Text(" " * len(start)))
        elif used > len(start):
            lines[-1].append(gap)
        lines[-1].append_text(part)
    return lines


def _draw_hand(zone: Zone, sheet: Sheet) -> Lines:
    """Show each thing in brackets; whose hand it is says the title."""
    cells = [
        make_cell(replace(space, tokens=(token,)), lettered=False)
        for space in zone.spaces
        for token in space.tokens
    ]
    parts = [draw_cell(one, len(one.content), roomy=False) for one in cells]
    if zone.hidden_count:
        parts.append(Text(f"{zone.hidden_count} hidden", QUIET))
    return flow(f"{zone.title}: ", parts or [Text("none", QUIET)], sheet.width)


def _draw_pile(zone: Zone, sheet: Sheet) -> Lines:
    """Tell how many cards there are, and those that are seen, the top one first."""
    seen = [token.text for space in zone.spaces for token in space.tokens]
    count = len(seen) + zone.hidden_count
    start = f"{zone.title}: {count or 'empty'}"
    if not seen:
        return [Text(start)]
    return flow(f"{start}, top first: ", [Text(text) for text in reversed(seen)], sheet.width)


def _draw_choices(zone: Zone, sheet: Sheet) -> Lines:
    parts = [Text(space.label) for space in zone.spaces]
    return flow(f"{zone.title}: ", parts, sheet.width, gap=" | ") if parts else []


_DRAWERS: dict[Shape, Callable[[Zone, Sheet], Lines]] = {
    Shape.LINE: draw_line,
    Shape.GRID: draw_grid,
    Shape.FIELD: draw_field,
    Shape.HAND: _draw_hand,
    Shape.PILE: _draw_pile,
    Shape.CHOICES: _draw_choices,
}


WIDTH = 80
"""The width that is drawn for where there is no terminal to ask."""

BAR = 10
SEAT = "P{}   "


def render(scene: Scene, width: int = WIDTH, *, flipped: bool = False) -> Text:
    """Draw a scene in lines of at most ``width`` characters where that can be.

    ``flipped``: the board as who sits on its other side sees it, turned by half a turn.
    """
    board = [space for zone in scene.zones if zone.shape in BOARDS for space in zone.spaces]
    sheet = Sheet(scene, width, lettered=uses_letters(board), flipped=flipped)
    lines: Lines = []
    for zone in scene.zones:
        lines += _DRAWERS[zone.shape](zone, sheet)
        if zone.shape in BOARDS:
            lines.append(Text())
    if lines and lines[-1].plain:
        lines.append(Text())
    lines += _draw_meters(scene, width) + _draw_notes(scene, width) + _draw_legend(board, sheet)
    while lines and not lines[-1].plain:
        lines.pop()
    return Text("\n").join(lines)


def _draw_meters(scene: Scene, width: int) -> Lines:
    """Draw the meters, a row for each seat; without bars where these do not fit."""
    rows = _align_meters(scene, _format_bar)
    if any(len("   ".join(row)) > width - len(SEAT.format(1)) for row in rows.values()):
        rows = _align_meters(scene, _format_numbers)
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


def _align_meters(scene: Scene, write: Callable[[Meter], str]) -> dict[int, list[str]]:
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


def _format_numbers(meter: Meter) -> str:
    if meter.maximum is None:
        return f"{meter.label} {meter.value}"
    return f"{meter.label} {meter.value:>{len(str(meter.maximum))}}/{meter.maximum}"


def _format_bar(meter: Meter) -> str:
    if not meter.maximum:
        return _format_numbers(meter)
    size = min(BAR, meter.maximum)
    filled = max(1, meter.value * size // meter.maximum) if meter.value > 0 else 0
    bar = "=" * min(size, filled) + "-" * (size - min(size, filled))
    return f"{_format_numbers(meter)} {bar}"


def _draw_notes(scene: Scene, width: int) -> Lines:
    lines: Lines = []
    for note in scene.notes:
        style = OWNER_STYLES.get(note.owner or 0, "")
        for index, part in enumerate(wrap(note.tell(), width - 2)):
            lines.append(Text(f"{'  ' if index else '- '}{part}", style))
    return lines


def _draw_legend(board: list[Space], sheet: Sheet) -> Lines:
    """Explain the marks and letters that this very board shows."""
    shown = {mark for space in board for mark in marks_of(space)}
    parts = [
        f"{sign.alone or sign.before + sign.after} {sign.meaning}"
        for mark, sign in SIGNS.items()
        if mark in shown
    ]
    closed = sorted({format_closure(space) for space in board if not space.tokens} - {""})
    parts += [f"{text} closed to {f'P{text[1:]}' if text[1:] else 'both'}" for text in closed]
    tokens = [
        token for zone in sheet.scene.zones for space in zone.spaces for token in space.tokens
    ]
    if sheet.lettered or any(map(has_letter, tokens)):
        parts += [f"{letter} is P{owner}" for owner, letter in LETTERS.items()]
    if any(token.face_down for space in board for token in space.tokens):
        parts.append("a, b face down" if sheet.lettered else "small letters: face down")
    return flow("", [Text(part, QUIET) for part in parts], sheet.width, "   ")
