"""Sentences about seats, as they are said to the players of these seats."""

from __future__ import annotations

from domain.i18n import N_, Persons

PERSONS: Persons = {
    "P{seat} takes {number} stone; {left} left.": {
        "seat": N_("You take {number} stone; {left} left."),
    },
    "P{seat} takes {number} stones; {left} left.": {
        "seat": N_("You take {number} stones; {left} left."),
    },
}
"""What is said to the players of the seats that a sentence names."""
