"""What the drawers of shapes return: a picture without its frame."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from markupsafe import Markup

from services.drawing.svg.markup import Point


class Spot(NamedTuple):
    """Where a space lies in a picture: its middle, its size, its turn in degrees."""

    at: Point
    wide: float
    high: float
    turn: float = 0


Spots = Mapping[str, tuple[Spot, ...]]
"""Spaces by id; what lies there more than once (equal cards of a hand) has several spots."""

NO_SPOTS: Spots = MappingProxyType({})


class Drawing(NamedTuple):
    """Markup in a box that begins at ``origin`` and is ``width`` by ``height`` units."""

    width: float
    height: float
    body: Markup
    spots: Spots = NO_SPOTS
    origin: Point = Point(0, 0)
