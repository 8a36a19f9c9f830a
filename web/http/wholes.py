"""Whole numbers of any size, as somebody writes them."""

from __future__ import annotations

BEYOND = 10**20
"""Stands for any number that is larger: nothing takes it, and reading all digits takes long."""

_DIGITS = 20


def whole(written: str) -> int:
    """Return the number that decimal digits, perhaps behind a minus, stand for.

    >>> whole("007"), whole("-3"), whole("9" * 5000) == BEYOND, whole("-" + "9" * 21) == -BEYOND
    (7, -3, True, True)
    """
    digits = written.lstrip("-").lstrip("0")
    if len(digits) > _DIGITS:
        return -BEYOND if written.startswith("-") else BEYOND
    return int(written)
