"""Moves of Energy Capture as text: ``2,1`` steps onto row 2, column 1.

And sentences about seats, as they are said to the players of these seats.
"""

from __future__ import annotations

from domain.game.game import make_notation
from domain.i18n import N_, Persons, say

NOTATION = make_notation(
    say("Type the row and the column to step onto: 2,1 (also 2 1 or (2,1))."),
    {
        None: (
            "{row},{column}",
            r"\s*(?:\(\s*)?(?P<row>[0-9]{1,3})(?:\s*,\s*|\s+)(?P<column>[0-9]{1,3})\s*(?:\)\s*)?",
        )
    },
)

PERSONS: Persons = {
    "P{seat} stands on ({row},{column}).": N_("You stand on ({row},{column})."),
    "P{seat} captured the Energy Cell of ({row},{column}): it is closed to you.": N_(
        "You captured the Energy Cell of ({row},{column}): it is closed to the other marker."
    ),
    "P{seat} steps to ({row},{column}).": N_("You step to ({row},{column})."),
    "P{seat} steps to ({row},{column}) and captures E{value}: score {score}.": N_(
        "You step to ({row},{column}) and capture E{value}: score {score}."
    ),
    "P{seat}'s marker": N_("your marker"),
}
"""What is said to the players of the seats that a sentence names."""
