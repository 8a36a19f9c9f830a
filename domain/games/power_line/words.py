"""Moves of Power Line as text: ``3=4`` places power 4 on position 3, ``3+`` upgrades it.

And sentences about seats, as they are said to the players of these seats.
"""

from __future__ import annotations

from domain.game.game import make_notation
from domain.i18n import N_, Persons, say

NOTATION = make_notation(
    say("Type 3=4 to place a node of power 4 on position 3, or 3+ to upgrade the node there."),
    {
        "place": (
            "{position}={power}",
            r"\s*(?P<position>[0-9]{1,3})\s*=\s*(?P<power>[0-9]{1,3})\s*",
        ),
        "upgrade": ("{position}+", r"\s*(?P<position>[0-9]{1,3})\s*\+\s*"),
    },
)

PERSONS: Persons = {
    "P{seat} places power {power} on {at} ({energy} energy left).": N_(
        "You place power {power} on {at} ({energy} energy left)."
    ),
    "P{seat} places power {power} on {at}, captures P{other}'s {taken} ({energy} energy left).": {
        "seat": N_(
            "You place power {power} on {at}, capture P{other}'s {taken} ({energy} energy left)."
        ),
        "other": N_(
            "P{seat} places power {power} on {at}, captures your {taken} ({energy} energy left)."
        ),
    },
    (
        "P{seat} places power {power} on {at}, and loses it to P{other}'s {captor} on {place} "
        "({energy} energy left)."
    ): {
        "seat": N_(
            "You place power {power} on {at}, and lose it to P{other}'s {captor} on {place} "
            "({energy} energy left)."
        ),
        "other": N_(
            "P{seat} places power {power} on {at}, and loses it to your {captor} on {place} "
            "({energy} energy left)."
        ),
    },
    (
        "P{seat} places power {power} on {at}, captures P{other}'s {taken}, and loses it to "
        "P{other}'s {captor} on {place} ({energy} energy left)."
    ): {
        "seat": N_(
            "You place power {power} on {at}, capture P{other}'s {taken}, and lose it to "
            "P{other}'s {captor} on {place} ({energy} energy left)."
        ),
        "other": N_(
            "P{seat} places power {power} on {at}, captures your {taken}, and loses it to your "
            "{captor} on {place} ({energy} energy left)."
        ),
    },
    "P{seat} upgrades the node on {at} to power {power} ({energy} energy left).": N_(
        "You upgrade the node on {at} to power {power} ({energy} energy left)."
    ),
    (
        "P{seat} upgrades the node on {at} to power {power}, captures P{other}'s {taken} "
        "({energy} energy left)."
    ): {
        "seat": N_(
            "You upgrade the node on {at} to power {power}, capture P{other}'s {taken} ({energy} "
            "energy left)."
        ),
        "other": N_(
            "P{seat} upgrades the node on {at} to power {power}, captures your {taken} ({energy} "
            "energy left)."
        ),
    },
    (
        "P{seat} upgrades the node on {at} to power {power}, and loses it to P{other}'s {captor} "
        "on {place} ({energy} energy left)."
    ): {
        "seat": N_(
            "You upgrade the node on {at} to power {power}, and lose it to P{other}'s {captor} on"
            " {place} ({energy} energy left)."
        ),
        "other": N_(
            "P{seat} upgrades the node on {at} to power {power}, and loses it to your {captor} on"
            " {place} ({energy} energy left)."
        ),
    },
    (
        "P{seat} upgrades the node on {at} to power {power}, captures P{other}'s {taken}, and "
        "loses it to P{other}'s {captor} on {place} ({energy} energy left)."
    ): {
        "seat": N_(
            "You upgrade the node on {at} to power {power}, capture P{other}'s {taken}, and lose "
            "it to P{other}'s {captor} on {place} ({energy} energy left)."
        ),
        "other": N_(
            "P{seat} upgrades the node on {at} to power {power}, captures your {taken}, and loses"
            " it to your {captor} on {place} ({energy} energy left)."
        ),
    },
    "Position {position} is taken by P{owner}'s node.": N_(
        "Position {position} is taken by your node."
    ),
    "P{seat}'s node of power {power}": N_("your node of power {power}"),
}
"""What is said to the players of the seats that a sentence names."""
