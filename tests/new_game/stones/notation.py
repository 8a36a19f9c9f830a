"""Moves of Stones as text: ``2`` takes two stones."""

from __future__ import annotations

from domain.game.game import numbers_as_text
from domain.i18n import say

NOTATION = numbers_as_text(
    say("Type how many stones to take: 1, 2 or 3."),
    {None: ("{number}", r"\s*(?P<number>[0-9]{1,3})\s*")},
)
