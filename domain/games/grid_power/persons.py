"""Sentences about seats, as they are said to the players of these seats."""

from __future__ import annotations

from domain.i18n import N_, OTHERS, Persons

PERSONS: Persons = {
    "The cell {cell} is taken by unit {unit} of P{owner}.": {
        "owner": N_("The cell {cell} is taken by your unit {unit}."),
    },
    "P{seat} places {unit} on ({row},{column}): power +{gain}, now {total}.": {
        "seat": N_("You place {unit} on ({row},{column}): power +{gain}, now {total}."),
    },
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
    "P{seat}'s unit {unit}, power {power}": {
        "seat": N_("your unit {unit}, power {power}"),
    },
    "P{seat}'s unit {unit}": {
        "seat": N_("your unit {unit}"),
    },
    "P{seat}'s unused units": {
        "seat": N_("Your unused units"),
    },
}
"""What is said to the players of the seats that a sentence names."""
