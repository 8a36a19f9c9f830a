"""Moves of Grid Power as text: ``5@2,3`` puts unit 5 on row 2, column 3."""

from __future__ import annotations

import re

from domain.errors import MalformedMove
from domain.game.game import Notation
from domain.i18n import say
from domain.json_types import JsonObject

HELP = say("Type 5@2,3 to put unit 5 on row 2, column 3 (also: 5 2 3).")

_MOVE = re.compile(
    r"\s*([0-9]{1,3})(?:\s*@\s*|\s+)(?:\(\s*)?"
    r"([0-9]{1,3})(?:\s*,\s*|\s+)([0-9]{1,3})\s*(?:\)\s*)?"
)


def write(move: JsonObject) -> str:
    """Write a move."""
    return f"{move['unit']}@{move['row']},{move['column']}"


def read(text: str) -> JsonObject:
    """Read a move."""
    found = _MOVE.fullmatch(text)
    if found is None:
        raise MalformedMove(HELP)
    return {"unit": int(found[1]), "row": int(found[2]), "column": int(found[3])}


NOTATION = Notation(write, read, HELP)
