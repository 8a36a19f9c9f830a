"""A scene as a page shows it: a picture of each zone, and the same in words."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from domain.scene import Meter, Note, Scene, Shape, Zone
from web.pages.mirror import Table, mirror, told
from web.svg import draw_zone, is_night


class Board(NamedTuple):
    """A zone: its picture, and its spaces in words for those who do not see it."""

    zone: Zone
    picture: Markup
    words: Table
    night: bool


class Boards(NamedTuple):
    """What there is to show of a scene.

    ``main`` is the board itself, ``held`` are hands and piles. ``meters`` are by seat.
    """

    main: list[Board]
    held: list[Board]
    meters: dict[int, list[Meter]]
    notes: tuple[Note, ...]


_BOARDS = frozenset({Shape.LINE, Shape.GRID, Shape.FIELD})
_HOLDINGS = frozenset({Shape.HAND, Shape.PILE})


def draw_boards(scene: Scene) -> Boards:
    """Draw a scene.

    Choices are left out where there is a board: nobody can choose on a replay.
    """
    drawn = [(zone.shape, _board(scene, zone, f"z{at}")) for at, zone in enumerate(scene.zones)]
    main = [board for shape, board in drawn if shape in _BOARDS]
    return Boards(
        main or [board for shape, board in drawn if shape is Shape.CHOICES],
        [board for shape, board in drawn if shape in _HOLDINGS],
        {seat: [meter for meter in scene.meters if meter.owner == seat] for seat in (1, 2)},
        scene.notes,
    )


def _board(scene: Scene, zone: Zone, prefix: str) -> Board:
    picture = draw_zone(zone, scene, prefix, told(zone))
    return Board(zone, picture, mirror(zone, scene), is_night(zone, scene))
