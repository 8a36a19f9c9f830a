"""Moves of Power Line as text: ``3=4`` places power 4 on position 3, ``3+`` upgrades it."""

from __future__ import annotations

import re

from domain.errors import MalformedMove
from domain.game.game import Notation
from domain.i18n import say
from domain.json_types import JsonObject

HELP = say("Type 3=4 to place a node of power 4 on position 3, or 3+ to upgrade the node there.")

_PLACE = re.compile(r"\s*([0-9]{1,3})\s*=\s*([0-9]{1,3})\s*")
_UPGRADE = re.compile(r"\s*([0-9]{1,3})\s*\+\s*")


def write(move: JsonObject) -> str:
    """Write a move."""
    if move["action"] == "place":
        return f"{move['position']}={move['power']}"
    return f"{move['position']}+"


def read(text: str) -> JsonObject:
    """Read a move."""
    place = _PLACE.fullmatch(text)
    if place is not None:
        return {"action": "place", "position": int(place[1]), "power": int(place[2])}
    upgrade = _UPGRADE.fullmatch(text)
    if upgrade is not None:
        return {"action": "upgrade", "position": int(upgrade[1])}
    raise MalformedMove(HELP)


NOTATION = Notation(write, read, HELP)
