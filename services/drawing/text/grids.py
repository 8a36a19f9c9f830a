"""Boards of two dimensions: grids with lines around every cell, and fields without edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from domain.game.scene import Space, Zone
from services.drawing.text.cells import QUIET, Cell, centred, drawn
from services.drawing.text.sheet import Lines, Sheet, axis_name

LEAST = 4
"""The least width inside a cell of a grid, so that it looks about square."""

NARROWEST = 2
"""The least width inside a space of a field."""


class _Plane:
    """The spaces of a zone by place, and what the widest of them needs."""

    def __init__(self, zone: Zone, sheet: Sheet) -> None:
        self.sheet = sheet
        self.at = {(space.x, space.y): space for space in zone.spaces}
        self.cells = {place: sheet.cell(space) for place, space in self.at.items()}
        xs, ys = {x for x, _ in self.at}, {y for _, y in self.at}
        self.left, self.top = min(xs, default=0), min(ys, default=0)
        self.xs = sheet.ordered(range(self.left, max(xs, default=-1) + 1))
        self.ys = sheet.ordered(range(self.top, max(ys, default=-1) + 1))
        self.down = -1 if sheet.flipped else 1
        self.widest = max([0, *(len(one.content) for one in self.cells.values())])

    def row(self, y: int, xs: Sequence[int]) -> Iterator[tuple[Space | None, Cell | None]]:
        """Return the spaces of a row and how they look, None where there is none."""
        return ((self.at.get((x, y)), self.cells.get((x, y))) for x in xs)


def draw_grid(zone: Zone, sheet: Sheet) -> Lines:
    """Draw a grid with its axes; a link between neighbours opens the wall between them."""
    plane = _Plane(zone, sheet)
    inner = max(LEAST, plane.widest + 2)
    names = {y: axis_name(sheet.scene.rows, y - plane.top, "") for y in plane.ys}
    margin = max([0, *(len(name) + 1 for name in names.values() if name)])
    columns = [axis_name(sheet.scene.columns, x - plane.left, "") for x in plane.xs]
    heads = " ".join(centred(name, inner) for name in columns)
    lines = [Text(f"{' ' * margin} {heads}".rstrip(), QUIET)] if any(columns) else []
    lines.append(Text(" " * margin + "+" + ("-" * inner + "+") * len(plane.xs)))
    for y in plane.ys:
        lines.append(Text(names[y].rjust(margin - 1).ljust(margin) if margin else ""))
        lines[-1].append_text(_grid_row(plane, y, inner))
        lines.append(Text(" " * margin + _wall(plane, y, inner)))
    return lines


def _grid_row(plane: _Plane, y: int, inner: int) -> Text:
    row = Text("|")
    before: Space | None = None
    for space, one in plane.row(y, plane.xs):
        if plane.sheet.linked(before, space):
            row = row[:-1].append("=")
        row.append_text(drawn(one, inner)[1:-1] if one else Text(" " * inner))
        row.append("|")
        before = space
    return row


def _wall(plane: _Plane, y: int, inner: int) -> str:
    wall = "+"
    for x in plane.xs:
        joined = plane.sheet.linked(plane.at.get((x, y)), plane.at.get((x, y + plane.down)))
        wall += ("||" if joined else "-").center(inner, "-") + "+"
    return wall


def draw_field(zone: Zone, sheet: Sheet) -> Lines:
    """Draw a field: the spaces there are, with coordinates; a wide one in several bands."""
    plane = _Plane(zone, sheet)
    margin = max([2, *(len(str(y)) for y in plane.ys)]) + 2
    lines: Lines = []
    for xs in _bands(plane, sheet.width - margin):
        if lines:
            lines.append(Text())
        lines += _band(plane, xs, margin)
    return lines


def _inner(plane: _Plane, x: int) -> int:
    """Return the width of a column between its brackets: what the widest thing in it needs."""
    column = (plane.cells.get((x, y)) for y in plane.ys)
    return max([NARROWEST, len(str(x)) - 2, *(len(one.content) for one in column if one)])


def _bands(plane: _Plane, width: int) -> Iterator[list[int]]:
    """Cut the columns into bands that fit the width."""
    band: list[int] = []
    used = 0
    for x in plane.xs:
        size = _inner(plane, x) + 2
        if band and used + size > width:
            yield band
            band, used = [], 0
        band.append(x)
        used += size
    yield band


def _band(plane: _Plane, xs: Sequence[int], margin: int) -> Lines:
    inner = {x: _inner(plane, x) for x in xs}
    heads = "".join(centred(str(x), inner[x] + 2) for x in xs)
    lines = [Text(f"{'y x':<{margin}}{heads}".rstrip(), QUIET)]
    for y in plane.ys:
        line = Text(f"{y:>{margin - 2}}  ", QUIET)
        for x, (_, one) in zip(xs, plane.row(y, xs), strict=True):
            line.append_text(
                drawn(one, inner[x], roomy=False) if one else Text(" " * (inner[x] + 2))
            )
        line.rstrip()
        lines.append(line)
    return lines
