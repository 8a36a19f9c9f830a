"""Sentences about seats, as they are said to the players of these seats."""

from __future__ import annotations

from domain.i18n import N_, Persons

PERSONS: Persons = {
    "P{seat} stands on ({row},{column}).": {
        "seat": N_("You stand on ({row},{column})."),
    },
    "P{seat} captured the Energy Cell of ({row},{column}): it is closed to you.": {
        "seat": N_(
            "You captured the Energy Cell of ({row},{column}): it is closed to the other marker."
        ),
    },
    "P{seat} steps to ({row},{column}).": {
        "seat": N_("You step to ({row},{column})."),
    },
    "P{seat} steps to ({row},{column}) and captures E{value}: score {score}.": {
        "seat": N_("You step to ({row},{column}) and capture E{value}: score {score}."),
    },
    "P{seat}'s marker": {
        "seat": N_("your marker"),
    },
}
"""What is said to the players of the seats that a sentence names."""
