"""Boards in words: each space with what lies there and why it stands out."""

from __future__ import annotations

from typing import NamedTuple

from domain.game.scene import Mark, Scene, Shape, Space, Token, Zone
from services.drawing.svg.picture import NOWHERE, Ways
from web.texts import N_, _

_MARKS = {
    Mark.LAST: N_("the last move went here"),
    Mark.LEFT: N_("the last move came from here"),
    Mark.CAPTURED: N_("something was captured here"),
    Mark.CLOSED: N_("closed"),
    Mark.REACH: N_("in reach"),
    Mark.LOOSE: N_("cut off from its base"),
}


class Cell(NamedTuple):
    """What a space holds, in words; ``space`` is its id, None where there is none."""

    text: str
    space: str | None = None


class Table(NamedTuple):
    """Rows of cells below ``columns``; each row begins with its name.

    A zone that is no grid has no columns and one cell in each row. ``walked``: a keyboard can
    go over it.
    """

    columns: tuple[str, ...]
    rows: list[tuple[str, list[Cell]]]
    walked: bool = False


def mirror(zone: Zone, scene: Scene, ways: Ways = NOWHERE) -> Table:
    """Return a zone in words, with what can be chosen in it and what has been."""
    if zone.shape is Shape.GRID and scene.columns and scene.rows:
        return _grid(zone, scene, ways)
    spaces = [
        space
        for space in zone.spaces
        if zone.shape is not Shape.FIELD or _busy(space) or space.id in ways.open
    ]
    rows = [(space.label, [_cell(space, ways)]) for space in spaces]
    walked = ways.placed and bool(rows)
    if zone.hidden_count:
        rows.append(
            (
                _("hidden"),
                [
                    Cell(
                        _("%(number)d that only their owner may see")
                        % {"number": zone.hidden_count}
                    )
                ],
            )
        )
    return Table((), rows, walked)


def told(zone: Zone) -> str:
    """Return in a sentence what lies in a zone."""
    lying = [
        _("%(place)s: %(things)s") % {"place": space.label, "things": _tokens(space)}
        for space in zone.spaces
        if space.tokens
    ]
    if zone.hidden_count:
        lying.append(_("%(number)d hidden") % {"number": zone.hidden_count})
    return "; ".join(lying) + "." if lying else _("Nothing lies here.")


def contents(space: Space) -> str:
    """Return what lies on a space and why it stands out.

    >>> contents(Space("cell:1,1", 0, 0, "cell 1,1", marks=frozenset({Mark.REACH})))
    'empty; in reach'
    """
    parts = [_tokens(space) or _("empty")]
    if space.owner is not None:
        parts.append(_("P%(seat)d's") % {"seat": space.owner})
    parts += [_("closed to P%(seat)d") % {"seat": seat} for seat in space.closed_to]
    marks = sorted(space.marks - ({Mark.CLOSED} if space.closed_to else set()))
    return "; ".join([*parts, *(_(_MARKS[mark]) for mark in marks)])


def _tokens(space: Space) -> str:
    return ", ".join(_token(token) for token in space.tokens)


def _token(token: Token) -> str:
    if not token.marks:
        return token.label
    marks = ", ".join(_(_MARKS[mark]) for mark in sorted(token.marks))
    return _("%(thing)s (%(marks)s)") % {"thing": token.label, "marks": marks}


def _choice(space: Space, ways: Ways) -> str:
    chosen = _("; chosen") if space.id in ways.chosen else ""
    return chosen + _("; can be chosen") if space.id in ways.open else chosen


def _cell(space: Space, ways: Ways) -> Cell:
    return Cell(contents(space) + _choice(space, ways), space.id)


def _grid(zone: Zone, scene: Scene, ways: Ways) -> Table:
    cells = {(one.x, one.y): _cell(one, ways) for one in zone.spaces}
    rows = [
        (name, [cells.get((x, y), Cell("")) for x in range(len(scene.columns))])
        for y, name in enumerate(scene.rows)
    ]
    return Table(scene.columns, rows, ways.placed)


def _busy(space: Space) -> bool:
    return bool(space.tokens or space.marks - {Mark.REACH})
