"""Long work in steps, so that many do each step one after the other.

A processor that goes through the same few functions for one match after another has them at hand;
all functions of an audit for each match are more than it can hold.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Generator[None, None, T]
"""Work that yields behind each step but the last, and returns what it came to."""


def finished(steps: Steps[T]) -> T:
    """Do all steps, and return what they came to."""
    return abreast([steps])[0]


def abreast(works: Iterable[Steps[T]]) -> list[T]:
    """Do the first step of all works, then the second, and so on; return what each came to."""
    going = dict(enumerate(works))
    came_to: dict[int, T] = {}
    while going:
        for number, steps in list(going.items()):
            try:
                next(steps)
            except StopIteration as end:
                came_to[number] = end.value
                del going[number]
    return [came_to[number] for number in range(len(came_to))]
