"""Options of a match and settings of a seat: declared once, checked and described.

From one declaration come the defaults, the refusals and the JSON Schema that
``GET /games/{slug}`` shows. The type rules are those of moves: a boolean is no
integer, ``3.0`` and ``"3"`` are none either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from domain.errors import InvalidOptions, InvalidSettings
from domain.i18n import join_texts, say
from domain.json_types import Json, JsonObject, make_pointer

Refusing: TypeAlias = type[InvalidOptions] | type[InvalidSettings]


@dataclass(frozen=True, slots=True)
class Option:
    """A member that may be set. ``check`` says what is wrong with a value, or None.

    ``form`` is the JSON Schema of its values, without default and description. ``words``: of one
    that is chosen, what each of its values is, for people: pages never show the value itself.
    """

    name: str
    default: Json
    form: JsonObject
    meaning: str
    check: Callable[[Json], str | None]
    words: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> str:
        """Return its meaning, with that of each value, for those who write the values."""
        told = "; ".join(f"{value}: {words}" for value, words in self.words.items())
        return f"{self.meaning} {told}." if told else self.meaning

    def build_schema(self) -> JsonObject:
        """Return the JSON Schema of this member."""
        return {**self.form, "default": self.default, "description": self.describe()}


Options: TypeAlias = tuple[Option, ...]


def declare_integer(name: str, default: int, least: int, most: int, meaning: str) -> Option:
    """Return an option that is an integer from ``least`` to ``most``."""

    def check(value: Json) -> str | None:
        if type(value) is not int:
            return say("{name} must be a whole number.", name=name)
        if not least <= value <= most:
            return say("{name} must be from {least} to {most}.", name=name, least=least, most=most)
        return None

    form = {"type": "integer", "minimum": least, "maximum": most}
    return Option(name, default, form, meaning, check)


def declare_choice(name: str, default: str, values: Mapping[str, str], meaning: str) -> Option:
    """Return an option that is one of a few values; ``values`` says of each what it is."""

    def check(value: Json) -> str | None:
        if type(value) is str and value in values:
            return None
        return say("{name} must be one of {values}.", name=name, values=", ".join(values))

    return Option(name, default, {"type": "string", "enum": list(values)}, meaning, check, values)


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
            raise refusal(_tell_unknown(name, known), pointer=make_pointer(name))
    filled: JsonObject = {}
    for option in options:
        filled[option.name] = given.get(option.name, option.default)
        fault = option.check(filled[option.name]) if option.name in given else None
        if fault is not None:
            raise refusal(fault, pointer=f"/{option.name}")
    return filled


def build_schema(options: Options) -> JsonObject:
    """Return the JSON Schema (draft 2020-12) of an object of these options."""
    return {
        "type": "object",
        "properties": {option.name: option.build_schema() for option in options},
        "additionalProperties": False,
    }


def _tell_unknown(name: str, known: Iterable[str]) -> str:
    names = ", ".join(sorted(known))
    there = say("There are: {names}.", names=names) if names else say("There are none here.")
    return join_texts([say("There is nothing called {name!r} to set.", name=name), there])
