"""Moves of Energy Capture as text: ``2,1`` steps onto row 2, column 1."""

from __future__ import annotations

import re

from domain.errors import MalformedMove
from domain.game.game import Notation
from domain.i18n import say
from domain.json_types import JsonObject

HELP = say("Type the row and the column to step onto: 2,1 (also 2 1 or (2,1)).")

_MOVE = re.compile(r"\s*(?:\(\s*)?([0-9]{1,3})(?:\s*,\s*|\s+)([0-9]{1,3})\s*(?:\)\s*)?")


def write(move: JsonObject) -> str:
    """Write a move."""
    return f"{move['row']},{move['column']}"


def read(text: str) -> JsonObject:
    """Read a move."""
    found = _MOVE.fullmatch(text)
    if found is None:
        raise MalformedMove(HELP)
    return {"row": int(found[1]), "column": int(found[2])}


NOTATION = Notation(write, read, HELP)
