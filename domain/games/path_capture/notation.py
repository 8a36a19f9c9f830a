"""Moves of Path Capture as text: ``+2`` is two nodes forward."""

from __future__ import annotations

from domain.game.game import numbers_as_text
from domain.i18n import say

NOTATION = numbers_as_text(
    say("Type how far to go: 1, 2 or 3 (also +2)."),
    {None: ("+{steps}", r"\s*(?:\+\s*)?(?P<steps>[0-9]{1,3})\s*")},
)
