"""Checking the form of a move: its members, no more, no fewer, of the right types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from domain.errors import MalformedMove
from domain.i18n import say
from domain.json_types import Json, JsonObject

Members: TypeAlias = Mapping[str, type]
"""Member names and their Python types, as JSON gives them: int, str, list, dict."""

_WORDS = {
    int: say("a whole number"),
    str: say("a text"),
    list: say("a list"),
    dict: say("an object"),
}


def members(move: Json, wanted: Members) -> JsonObject:
    """Return ``move`` if it is an object of exactly the ``wanted`` members.

    Raises ``MalformedMove`` otherwise. A boolean is no integer.
    """
    if type(move) is not dict:
        raise MalformedMove(say("A move is a JSON object."), pointer="")
    if len(move) == len(wanted):
        # Most are as they should be, and those of a long match are looked at in every fold.
        get = move.get
        for name, kind in wanted.items():
            if type(get(name)) is not kind:
                break
        else:
            return move
    for name, kind in wanted.items():
        if name not in move:
            raise MalformedMove(say("The move lacks {name!r}.", name=name), pointer=f"/{name}")
        if type(move[name]) is not kind:
            raise MalformedMove(
                say("{name!r} must be {kind}.", name=name, kind=_WORDS[kind]), pointer=f"/{name}"
            )
    if len(move) > len(wanted):
        unknown = next(name for name in move if name not in wanted)
        raise MalformedMove(
            say("A move of this kind has no {unknown!r}.", unknown=unknown),
            pointer="/" + unknown.replace("~", "~0").replace("/", "~1"),
        )
    return move


def action(move: Json, actions: Mapping[str, Members]) -> str:
    """Return the ``action`` of ``move`` after checking that its members fit it.

    ``actions`` gives the members of each action besides ``action`` itself. Raises
    ``MalformedMove``.
    """
    if type(move) is not dict:
        raise MalformedMove(say("A move is a JSON object."), pointer="")
    name = move.get("action")
    if type(name) is not str or name not in actions:
        known = ", ".join(repr(one) for one in actions)
        raise MalformedMove(say("'action' must be one of {known}.", known=known), pointer="/action")
    members(move, {"action": str, **actions[name]})
    return name
