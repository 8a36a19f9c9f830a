"""Options of a match and settings of a seat: declared once, checked and described.

From one declaration come the defaults, the refusals and the JSON Schema that
``GET /games/{slug}`` shows. The type rules are those of moves: a boolean is no
integer, ``3.0`` and ``"3"`` are none either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from domain.errors import InvalidOptions, InvalidSettings
from domain.i18n import joined, say
from domain.json_types import Json, JsonObject

Refusing: TypeAlias = type[InvalidOptions] | type[InvalidSettings]


@dataclass(frozen=True, slots=True)
class IntegerOption:
    """An integer from ``least`` to ``most``."""

    name: str
    default: int
    least: int
    most: int
    meaning: str

    def fault(self, value: Json) -> str | None:
        """Say what is wrong with ``value``, or None."""
        if type(value) is not int:
            return say("{name} must be a whole number.", name=self.name)
        if not self.least <= value <= self.most:
            return say(
                "{name} must be from {least} to {most}.",
                name=self.name,
                least=self.least,
                most=self.most,
            )
        return None

    def schema(self) -> JsonObject:
        """Return the JSON Schema of this member."""
        return {
            "type": "integer",
            "minimum": self.least,
            "maximum": self.most,
            "default": self.default,
            "description": self.meaning,
        }


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """One of a few words."""

    name: str
    default: str
    values: tuple[str, ...]
    meaning: str

    def fault(self, value: Json) -> str | None:
        """Say what is wrong with ``value``, or None."""
        if type(value) is not str or value not in self.values:
            return say(
                "{name} must be one of {values}.", name=self.name, values=", ".join(self.values)
            )
        return None

    def schema(self) -> JsonObject:
        """Return the JSON Schema of this member."""
        return {
            "type": "string",
            "enum": list(self.values),
            "default": self.default,
            "description": self.meaning,
        }


@dataclass(frozen=True, slots=True)
class Special:
    """A value with a check of its own: ``check`` says what is wrong, or None."""

    name: str
    default: Json
    form: JsonObject
    meaning: str
    check: Callable[[Json], str | None]

    def fault(self, value: Json) -> str | None:
        """Say what is wrong with ``value``, or None."""
        return self.check(value)

    def schema(self) -> JsonObject:
        """Return the JSON Schema of this member."""
        return {**self.form, "default": self.default, "description": self.meaning}


Option: TypeAlias = IntegerOption | ChoiceOption | Special
Options: TypeAlias = tuple[Option, ...]


def fill(options: Options, given: Json, refusal: Refusing = InvalidOptions) -> JsonObject:
    """Return every option, with its default where ``given`` has none.

    Raises ``refusal`` for what is no object, an unknown member or a value that does not fit;
    its pointer is relative to ``given``.
    """
    if type(given) is not dict:
        raise refusal(say("This must be a JSON object."), pointer="")
    known = {option.name for option in options}
    for name in given:
        if name not in known:
            raise refusal(_unknown(name, known), pointer=f"/{_escape(name)}")
    filled: JsonObject = {}
    for option in options:
        filled[option.name] = given.get(option.name, option.default)
        fault = option.fault(filled[option.name]) if option.name in given else None
        if fault is not None:
            raise refusal(fault, pointer=f"/{option.name}")
    return filled


def schema(options: Options) -> JsonObject:
    """Return the JSON Schema (draft 2020-12) of an object of these options."""
    return {
        "type": "object",
        "properties": {option.name: option.schema() for option in options},
        "additionalProperties": False,
    }


def _unknown(name: str, known: Iterable[str]) -> str:
    names = ", ".join(sorted(known))
    there = say("There are: {names}.", names=names) if names else say("There are none here.")
    return joined([say("There is nothing called {name!r} to set.", name=name), there])


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
