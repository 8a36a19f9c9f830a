"""Drawings are pure: the same piece on the same place is the same markup, and drawn once.

From step to step of a replay most of a picture stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

_MOST = 4096


def kept(draw: Callable[P, T]) -> Callable[P, T]:
    """Decorate a drawing function of hashable values, so that it keeps what it drew last."""
    return cast("Callable[P, T]", lru_cache(maxsize=_MOST)(draw))
