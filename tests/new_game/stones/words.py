"""Moves of Stones as text: ``2`` takes two stones.

And sentences about seats, as they are said to the players of these seats.
"""

from __future__ import annotations

from domain.game.game import make_notation
from domain.i18n import N_, Persons, say

NOTATION = make_notation(
    say("Type how many stones to take: 1, 2 or 3."),
    {None: ("{number}", r"\s*(?P<number>[0-9]{1,3})\s*")},
)

PERSONS: Persons = {
    "P{seat} takes {number} stone; {left} left.": N_("You take {number} stone; {left} left."),
    "P{seat} takes {number} stones; {left} left.": N_("You take {number} stones; {left} left."),
}
"""What is said to the players of the seats that a sentence names."""
