"""Moves of Power Line as text: ``3=4`` places power 4 on position 3, ``3+`` upgrades it."""

from __future__ import annotations

from domain.game.game import numbers_as_text
from domain.i18n import say

NOTATION = numbers_as_text(
    say("Type 3=4 to place a node of power 4 on position 3, or 3+ to upgrade the node there."),
    {
        "place": (
            "{position}={power}",
            r"\s*(?P<position>[0-9]{1,3})\s*=\s*(?P<power>[0-9]{1,3})\s*",
        ),
        "upgrade": ("{position}+", r"\s*(?P<position>[0-9]{1,3})\s*\+\s*"),
    },
)
