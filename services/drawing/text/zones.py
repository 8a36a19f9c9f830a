"""The zones of a scene as lines of text, each shape in its own manner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rich.text import Text

from domain.game.scene import Shape, Zone
from services.drawing.text.cells import QUIET, cell, drawn
from services.drawing.text.grids import draw_field, draw_grid
from services.drawing.text.lines import draw_line
from services.drawing.text.sheet import Lines, Sheet


def draw_zone(zone: Zone, sheet: Sheet) -> Lines:
    """Draw one zone, no line wider than the sheet where that can be."""
    return _DRAWERS[zone.shape](zone, sheet)


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


def _hand(zone: Zone, sheet: Sheet) -> Lines:
    """Show each thing in brackets; whose hand it is says the title."""
    parts = [
        drawn(one, len(one.content), roomy=False)
        for space in zone.spaces
        for token in space.tokens
        for one in (cell(replace(space, tokens=(token,)), lettered=False),)
    ]
    if zone.hidden_count:
        parts.append(Text(f"{zone.hidden_count} hidden", QUIET))
    return flow(f"{zone.title}: ", parts or [Text("none", QUIET)], sheet.width)


def _pile(zone: Zone, sheet: Sheet) -> Lines:
    """Tell how many cards there are, and those that are seen, the top one first."""
    seen = [token.text for space in zone.spaces for token in space.tokens]
    count = len(seen) + zone.hidden_count
    start = f"{zone.title}: {count or 'empty'}"
    if not seen:
        return [Text(start)]
    return flow(f"{start}, top first: ", [Text(text) for text in reversed(seen)], sheet.width)


def _choices(zone: Zone, sheet: Sheet) -> Lines:
    parts = [Text(space.label) for space in zone.spaces]
    return flow(f"{zone.title}: ", parts, sheet.width, gap=" | ") if parts else []


_DRAWERS: dict[Shape, Callable[[Zone, Sheet], Lines]] = {
    Shape.LINE: draw_line,
    Shape.GRID: draw_grid,
    Shape.FIELD: draw_field,
    Shape.HAND: _hand,
    Shape.PILE: _pile,
    Shape.CHOICES: _choices,
}
