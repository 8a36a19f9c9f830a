"""Moves of Grid Power as text: ``5@2,3`` puts unit 5 on row 2, column 3."""

from __future__ import annotations

from domain.game.game import numbers_as_text
from domain.i18n import say

NOTATION = numbers_as_text(
    say("Type 5@2,3 to put unit 5 on row 2, column 3 (also: 5 2 3)."),
    {
        None: (
            "{unit}@{row},{column}",
            (
                r"\s*(?P<unit>[0-9]{1,3})(?:\s*@\s*|\s+)(?:\(\s*)?"
                r"(?P<row>[0-9]{1,3})(?:\s*,\s*|\s+)(?P<column>[0-9]{1,3})\s*(?:\)\s*)?"
            ),
        )
    },
)
