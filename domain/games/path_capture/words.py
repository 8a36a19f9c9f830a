"""Moves of Path Capture as text: ``+2`` is two nodes forward.

And sentences about seats, as they are said to the players of these seats.
"""

from __future__ import annotations

from domain.game.game import make_notation
from domain.i18n import N_, Persons, say

NOTATION = make_notation(
    say("Type how far to go: 1, 2 or 3 (also +2)."),
    {None: ("+{steps}", r"\s*(?:\+\s*)?(?P<steps>[0-9]{1,3})\s*")},
)

PERSONS: Persons = {
    "P{seat} goes {number} node forward to node {node} and captures P{other}.": {
        "seat": N_("You go {number} node forward to node {node} and capture P{other}."),
        "other": N_("P{seat} goes {number} node forward to node {node} and captures you."),
    },
    "P{seat} goes {number} node forward to node {node}, past P{other}.": {
        "seat": N_("You go {number} node forward to node {node}, past P{other}."),
        "other": N_("P{seat} goes {number} node forward to node {node}, past you."),
    },
    "P{seat} goes {number} node forward to node {node}.": N_(
        "You go {number} node forward to node {node}."
    ),
    "P{seat} goes {number} nodes forward to node {node} and captures P{other}.": {
        "seat": N_("You go {number} nodes forward to node {node} and capture P{other}."),
        "other": N_("P{seat} goes {number} nodes forward to node {node} and captures you."),
    },
    "P{seat} goes {number} nodes forward to node {node}, past P{other}.": {
        "seat": N_("You go {number} nodes forward to node {node}, past P{other}."),
        "other": N_("P{seat} goes {number} nodes forward to node {node}, past you."),
    },
    "P{seat} goes {number} nodes forward to node {node}.": N_(
        "You go {number} nodes forward to node {node}."
    ),
    "P{seat}'s piece": N_("your piece"),
}
"""What is said to the players of the seats that a sentence names."""
