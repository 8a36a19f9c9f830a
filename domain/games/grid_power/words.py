"""Moves of Grid Power as text: ``5@2,3`` puts unit 5 on row 2, column 3.

And sentences about seats, as they are said to the players of these seats.
"""

from __future__ import annotations

from domain.game.game import make_notation
from domain.i18n import N_, OTHERS, Persons, say

NOTATION = make_notation(
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

PERSONS: Persons = {
    "The cell {cell} is taken by P{owner}'s unit {unit}.": N_(
        "The cell {cell} is taken by your unit {unit}."
    ),
    "P{seat} places {unit} on ({row},{column}): power +{gain}, now {total}.": N_(
        "You place {unit} on ({row},{column}): power +{gain}, now {total}."
    ),
    (
        "P{seat} places {unit} on ({row},{column}), beside its own {friends}: power +{gain}, now "
        "{total}."
    ): {
        OTHERS: N_(
            "P{seat} places {unit} on ({row},{column}), beside {friends}: power +{gain}, now "
            "{total}."
        ),
        "seat": N_(
            "You place {unit} on ({row},{column}), beside your {friends}: power +{gain}, now "
            "{total}."
        ),
    },
    "P{seat}'s unit {unit}, power {power}": N_("your unit {unit}, power {power}"),
    "P{seat}'s unit {unit}": N_("your unit {unit}"),
    "P{seat}'s unused units": N_("Your unused units"),
}
"""What is said to the players of the seats that a sentence names."""
