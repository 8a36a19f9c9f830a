"""What the drawers of shapes return: a picture without its frame."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup


class Drawing(NamedTuple):
    """Markup in a box that begins at the origin and is ``width`` by ``height`` units."""

    width: float
    height: float
    body: Markup
