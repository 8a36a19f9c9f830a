"""A scene as a page shows it: a picture of each zone, and the same in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from domain.game.scene import Meter, Note, Scene, Shape, Zone
from services.drawing.svg.cards import draw_readable
from services.drawing.svg.picture import NOWHERE, Ways, draw_zone, is_night
from web.pages.boards.mirror import Table, mirror, told
from web.pages.boards.scenes import in_language


class Board(NamedTuple):
    """A zone: its picture, and its spaces in words for those who do not see it.

    ``opened`` is what a pile holds, its top first; empty for anything else. ``told`` are the
    cards of a hand that say what they do, each once, drawn large enough to be read.
    """

    zone: Zone
    picture: Markup
    words: Table
    opened: list[str]
    night: bool
    told: list[Markup]


class Boards(NamedTuple):
    """What there is to show of a scene.

    ``main`` is the board itself. ``held`` are hands and piles by owner (None: nobody's),
    ``meters`` are by seat.
    """

    main: list[Board]
    held: dict[int | None, list[Board]]
    meters: dict[int, list[Meter]]
    notes: tuple[Note, ...]


_BOARDS = frozenset({Shape.LINE, Shape.GRID, Shape.FIELD})
_HOLDINGS = frozenset({Shape.HAND, Shape.PILE})


def draw_boards(scene: Scene, ways: Ways = NOWHERE, prefix: str = "z") -> Boards:
    """Draw a scene; ``ways`` are the spaces that a move being entered can go on with.

    Ids of the pictures begin with ``prefix``, which differs from scene to scene on a page.

    Choices are left out where there is a board: whoever may choose has them as a list.
    """
    scene = in_language(scene)
    drawn = [
        (zone.shape, _board(scene, zone, f"{prefix}{at}", ways))
        for at, zone in enumerate(scene.zones)
    ]
    main = [board for shape, board in drawn if shape in _BOARDS]
    return Boards(
        main or [board for shape, board in drawn if shape is Shape.CHOICES],
        _by_owner(board for shape, board in drawn if shape in _HOLDINGS),
        {seat: [meter for meter in scene.meters if meter.owner == seat] for seat in (1, 2)},
        scene.notes,
    )


def _by_owner(boards: Iterable[Board]) -> dict[int | None, list[Board]]:
    held: dict[int | None, list[Board]] = {}
    for board in boards:
        held.setdefault(board.zone.owner, []).append(board)
    return held


def _board(scene: Scene, zone: Zone, prefix: str, ways: Ways) -> Board:
    picture = draw_zone(zone, scene, prefix, told(zone), ways)
    tokens = [token.label for space in zone.spaces for token in space.tokens]
    opened = tokens[::-1] if zone.shape is Shape.PILE else []
    held = {
        (token.text, token.told): token
        for space in zone.spaces
        for token in space.tokens
        if token.told
    }
    sayings = [draw_readable(card, prefix) for card in held.values()]
    night = is_night(zone, scene)
    return Board(zone, picture, mirror(zone, scene, ways), opened, night, sayings)
