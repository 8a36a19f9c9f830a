"""The class names by which the style sheet knows seats, kinds and marks."""

from __future__ import annotations

from collections.abc import Iterable

from domain.game.scene import Mark, Space, Token
from services.drawing.svg.markup import word


def seat(owner: int | None) -> str:
    """Return the class of a seat, or of what belongs to nobody."""
    return f"seat-{owner}" if owner in (1, 2) else "seat-none"


def marks(found: Iterable[Mark]) -> str:
    """Return the classes of marks, in a fixed order."""
    return " ".join(f"mark-{mark.value}" for mark in sorted(found))


def of_token(token: Token) -> str:
    """Return all classes of a token."""
    face = "face-down" if token.face_down else ""
    return _join("token", f"kind-{word(token.kind)}", seat(token.owner), face, marks(token.marks))


def of_space(space: Space) -> str:
    """Return all classes of a space."""
    closed = " ".join(f"closed-{one}" for one in sorted(space.closed_to))
    return _join("space", seat(space.owner), closed, marks(space.marks))


def _join(*names: str) -> str:
    return " ".join(name for name in names if name)
