"""Moves as text: ``9@2,0 -1,4`` plays a 9 on 2,0 and pays with a 1 and a 4."""

from __future__ import annotations

import re

from domain.errors import MalformedMove
from domain.game.game import Notation
from domain.i18n import say
from domain.json_types import JsonObject

HELP = say(
    "Type draw, shuffle, decline, dominate 5,0, discard 4,0, place 7@1,0 (face down), or a "
    "play: 4@2,0; with cards of the hand to pay 9@2,0 -1,4; with a card in play 3@2,0 x1,0."
)

_NUMBER = r"-?[0-9]{1,4}"
_SPOT = rf"(?P<x>{_NUMBER}),(?P<y>{_NUMBER})"
_CARD = rf"(?P<card>[0-9]{{1,2}})@{_SPOT}"
_PAID = r"( -(?P<discard>[0-9]{1,2}(,[0-9]{1,2})*))?"
_GIVEN = rf"( x(?P<sx>{_NUMBER}),(?P<sy>{_NUMBER}))?"
_FORMS = tuple(
    re.compile(form, re.ASCII)
    for form in (
        r"(?P<action>draw|shuffle|decline)",
        rf"(?P<action>dominate|discard) {_SPOT}",
        rf"(?P<action>place) {_CARD}",
        rf"{_CARD}{_PAID}{_GIVEN}",
    )
)


def write(move: JsonObject) -> str:
    """Write a move; a card that is hidden is a question mark."""
    action = move["action"]
    if "x" not in move:
        return str(action)
    spot = _spot(move)
    if action == "place":
        return f"place {move.get('card', '?')}@{spot}"
    if action != "play":
        return f"{action} {spot}"
    text = f"{move['card']}@{spot}"
    if "discard" in move:
        text += f" -{','.join(map(str, move['discard']))}"
    return f"{text} x{_spot(move['sacrifice'])}" if "sacrifice" in move else text


def read(text: str) -> JsonObject:
    """Read a move."""
    plain = " ".join(text.lower().split())
    for form in _FORMS:
        found = form.fullmatch(plain)
        if found is not None:
            return _read(found.groupdict())
    raise MalformedMove(HELP)


def _read(parts: dict[str, str | None]) -> JsonObject:
    move: JsonObject = {"action": parts.get("action") or "play"}
    for name in ("card", "x", "y"):
        number = parts.get(name)
        if number is not None:
            move[name] = int(number)
    discard, x, y = parts.get("discard"), parts.get("sx"), parts.get("sy")
    if discard is not None:
        move["discard"] = [int(card) for card in discard.split(",")]
    if x is not None and y is not None:
        move["sacrifice"] = {"x": int(x), "y": int(y)}
    return move


def _spot(place: JsonObject) -> str:
    return f"{place['x']},{place['y']}"


NOTATION = Notation(write, read, HELP)
