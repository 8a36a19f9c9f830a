"""Hatchings: what tells the seats apart, and closed spaces from open ones, without colour."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from services.drawing.svg.markup import path, tag

GLOW = "glow"


class Patterns(NamedTuple):
    """The patterns of one picture; their ids begin with the picture's own ``prefix``.

    A page shows many pictures, and an id may stand on it once only.
    """

    prefix: str

    def fill(self, name: str) -> str:
        """Return the value of a ``fill`` attribute that paints with a pattern."""
        return f"url(#{self.prefix}-{name})"

    def hatch(self, seat: int | None) -> str | None:
        """Return the fill of a seat's bodies; None: plain, as the style sheet says."""
        return self.fill("seat-2") if seat == 2 else None  # noqa: PLR2004 seats are 1 and 2

    def definitions(self) -> Markup:
        """Return the ``defs`` element of the picture."""
        return _definitions(self)

    def all(self) -> tuple[Markup, ...]:
        """Return every pattern there is."""
        return (
            self._stripes("seat-2", 7, 45),
            self._stripes("closed", 9, 45),
            self._stripes("closed-1", 10, -45),
            self._stripes("closed-2", 10, 45),
            self._checks("back"),
            self._glow(),
        )

    def _stripes(self, name: str, size: float, turn: float) -> Markup:
        return tag(
            "pattern",
            tag("rect", width=size, height=size, class_=f"ground ground-{name}"),
            tag("rect", width=size * 0.4, height=size, class_=f"stripe stripe-{name}"),
            id=f"{self.prefix}-{name}",
            width=size,
            height=size,
            patternUnits="userSpaceOnUse",
            patternTransform=f"rotate({turn})",
        )

    def _checks(self, name: str) -> Markup:
        return tag(
            "pattern",
            tag("rect", width=12, height=12, class_=f"ground ground-{name}"),
            tag("path", d=path("M", 6, 1, "L", 11, 6, 6, 11, 1, 6, "Z"), class_=f"stripe-{name}"),
            id=f"{self.prefix}-{name}",
            width=12,
            height=12,
            patternUnits="userSpaceOnUse",
        )

    def _glow(self) -> Markup:
        stops = ((0, 0.95), (0.35, 0.5), (1, 0))
        return tag(
            "radialGradient",
            *(tag("stop", offset=at, stop_opacity=opacity, class_=GLOW) for at, opacity in stops),
            id=f"{self.prefix}-{GLOW}",
        )


@lru_cache(maxsize=64)
def _definitions(patterns: Patterns) -> Markup:
    """Replays draw hundreds of pictures with the same patterns."""
    return tag("defs", *patterns.all())
