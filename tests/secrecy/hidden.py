"""What a viewer must not get to see while a match runs, as texts to look for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from domain.game.game import Viewer
from domain.json_types import Json
from domain.log.event_format import write_canonical
from domain.match.events import Event

ENOUGH = 40
"""A value whose JSON is shorter may rightly stand somewhere: a move is legal to others as well."""

_OPENED = re.compile(r'"for":\[([^\]]*)\],"commitment":"[0-9a-f]{64}",("salt"|"value")')


def hidden_from(viewer: Viewer, events: Sequence[Event]) -> set[str]:
    """Return the salts and, where they are long enough, the values sealed against ``viewer``.

    A value that is the viewer's own as well, such as the suggested deck, is none of them.
    """
    own: set[str] = set()
    others: set[str] = set()
    for seal in (seal for event in events for seal in event.sealed):
        texts = own if viewer.value in seal.audience else others
        texts |= {str(seal.salt), _text(seal.value)}
    return {text for text in others - own if len(text) >= ENOUGH}


def opened_by(events: Sequence[Event]) -> set[str]:
    """Return the values that lie open once a match is finished."""
    return {_text(seal.value) for event in events for seal in event.sealed}


def _text(value: Json) -> str:
    if type(value) is dict and "secret" in value:
        return str(value["secret"])
    return write_canonical(value).decode()


def opened_in(text: str) -> set[str]:
    """Return the audiences of the opened seals anywhere in a text."""
    audiences = [found[1].replace('"', "").split(",") for found in _OPENED.finditer(text)]
    # What is for both seats is rightly open to either.
    return {names[0] for names in audiences if len(names) == 1}
