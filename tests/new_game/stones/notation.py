"""Moves of Stones as text: ``2`` takes two stones."""

from __future__ import annotations

import re

from domain.errors import MalformedMove
from domain.game.game import Notation
from domain.i18n import say
from domain.json_types import JsonObject

HELP = say("Type how many stones to take: 1, 2 or 3.")

_MOVE = re.compile(r"\s*([0-9]{1,3})\s*")


def write(move: JsonObject) -> str:
    """Write a move."""
    return f"{move['number']}"


def read(text: str) -> JsonObject:
    """Read a move."""
    found = _MOVE.fullmatch(text)
    if found is None:
        raise MalformedMove(HELP)
    return {"number": int(found[1])}


NOTATION = Notation(write, read, HELP)
