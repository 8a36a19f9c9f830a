"""Fields of forms, made from the JSON Schema of what a game lets one set, and read back.

What is typed is only brought into JSON; whether it fits is for the game to say.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import orjson

from domain.game.options import Options, schema
from domain.json_types import Json, JsonObject
from web.http.wholes import whole
from web.pages.common.forms import text
from web.pages.common.words import option, option_name

_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
_WHOLES = re.compile(r"\s*\[?\s*([0-9]+(?:[\s,;]+[0-9]+)*)\s*\]?\s*", re.ASCII)


class Field(NamedTuple):
    """A field: ``value`` is what stands in it, ``default`` what counts if it is left empty.

    ``kind``: ``number`` (from ``least`` to ``most``), ``choice`` (of ``values``), ``text``.
    """

    name: str
    label: str
    meaning: str
    kind: str
    value: str
    default: str
    least: int | None = None
    most: int | None = None
    values: tuple[str, ...] = ()


def fields(options: Options, prefix: str) -> list[Field]:
    """Return a field for every option, with what the present form has in it."""
    members = schema(options)["properties"]
    return [_field(name, member, f"{prefix}.{name}") for name, member in members.items()]


def given(options: Options, prefix: str) -> JsonObject:
    """Return what the present form says; a field that was left empty says nothing."""
    members = schema(options)["properties"]
    typed = {name: text(f"{prefix}.{name}") for name in members}
    return {name: _read(members[name], value) for name, value in typed.items() if value}


def _field(name: str, member: JsonObject, at: str) -> Field:
    label = option_name(name).capitalize()
    default = member["default"]
    plain = member["type"] == "integer" or "enum" in member
    value = text(at) or (str(default) if plain else "")
    field = Field(at, label, member["description"], "text", value, _shown(default))
    if member["type"] == "integer":
        return field._replace(kind="number", least=member["minimum"], most=member["maximum"])
    if "enum" in member:
        return field._replace(kind="choice", values=tuple(member["enum"]))
    return field


def _shown(default: Json) -> str:
    if isinstance(default, list) and all(isinstance(one, int) for one in default):
        return " ".join(map(str, default))
    return option(default)


def _read(member: JsonObject, typed: str) -> Json:
    """Return typed text as JSON: numbers with anything between them are a list of numbers."""
    if member["type"] == "integer":
        return whole(typed.removeprefix("+")) if _WHOLE.fullmatch(typed) else typed
    if "enum" in member:
        return typed
    wholes = _WHOLES.fullmatch(typed)
    if wholes:
        return [whole(one) for one in re.split(r"[\s,;]+", wholes[1])]
    try:
        return orjson.loads(typed)
    except orjson.JSONDecodeError:
        return typed
