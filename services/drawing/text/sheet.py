"""What a zone is drawn on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from rich.text import Text

from domain.game.scene import Scene, Space
from services.drawing.text.cells import Cell, cell

Lines = list[Text]
Ordered = TypeVar("Ordered")


class Sheet(NamedTuple):
    """The scene that a zone belongs to, the width there is, and how owners show.

    ``lettered``: tokens whose own text does not tell their owner get a letter. ``flipped``: the
    board is seen from its other side.
    """

    scene: Scene
    width: int
    lettered: bool
    flipped: bool = False

    def cell(self, space: Space) -> Cell:
        """Return a space as text."""
        return cell(space, lettered=self.lettered)

    def ordered(self, places: Sequence[Ordered]) -> Sequence[Ordered]:
        """Return places in the order in which they are drawn."""
        return places[::-1] if self.flipped else places

    def linked(self, one: Space | None, other: Space | None) -> bool:
        """Say whether a link joins two spaces."""
        if one is None or other is None:
            return False
        pair = {one.id, other.id}
        return any({link.source, link.target} == pair for link in self.scene.links)


def axis_name(names: tuple[str, ...], index: int, otherwise: str) -> str:
    """Return the name of a column or row; ``otherwise`` where the scene names none."""
    return names[index] if index < len(names) else otherwise
