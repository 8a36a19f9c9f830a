"""Moves of Energy Capture as text: ``2,1`` steps onto row 2, column 1."""

from __future__ import annotations

from domain.game.game import numbers_as_text
from domain.i18n import say

NOTATION = numbers_as_text(
    say("Type the row and the column to step onto: 2,1 (also 2 1 or (2,1))."),
    {
        None: (
            "{row},{column}",
            r"\s*(?:\(\s*)?(?P<row>[0-9]{1,3})(?:\s*,\s*|\s+)(?P<column>[0-9]{1,3})\s*(?:\)\s*)?",
        )
    },
)
