"""Sentences for people: English, and what somebody needs who says the same in another language.

A ``Said`` is a text like any other, so whoever knows English only (the API, the terminal, files)
shows it as it stands. It remembers the whole sentence with its placeholders, and the values that
stand in them: ``tell_in`` looks that sentence up in a catalogue and puts the values in again, those
first that are sentences themselves. Nothing is glued from words, since languages order them
differently. ``join_texts`` puts together what follows each other, and members of a list.

Seats stand in sentences as ``P{seat}``, P1 and P2. Whoever knows the ``People`` on them tells their
names instead, and says "you" to the one who reads: sentences have ``Persons`` for that, whole ones
again, since more than a name differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from domain.json_types import Json

T = TypeVar("T")


class Catalogue(Protocol):
    """Texts of a language, as ``gettext`` has them: given back as they are if they are unknown."""

    def gettext(self, message: str, /) -> str:
        """Return a text."""

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """Return the text for so many things."""


Persons: TypeAlias = Mapping[str, str | Mapping[str, str]]
"""What is said in the place of a sentence where players have names: by a placeholder, to the player
whose seat it names; by ``OTHERS``, to everybody else, if that differs. A text alone is for the
player of the only seat that the sentence names."""

OTHERS = ""

_SEAT = re.compile(r"P(?:\{(\w+)\}|([12])\b)")


def find_forms(persons: Persons, template: str) -> Mapping[str, str]:
    """Return what is said instead of a sentence, by the placeholder of whom it is said to."""
    forms = persons.get(template, {})
    if not isinstance(forms, str):
        return forms
    [seat] = {name or number for name, number in _SEAT.findall(template)}
    return {seat: forms}


class People(NamedTuple):
    """Who sits where, by seat, and the seat of the one who reads, if they have one.

    ``persons``: what the sentences about them are, by their text. ``words``: the names are words,
    and begin a sentence with a capital.
    """

    names: Mapping[int, str]
    you: int | None
    persons: Persons
    me: str = "you"
    words: bool = False

    def choose_form(self, template: str, values: Mapping[str, object]) -> str:
        """Return the sentence that is said to the reader; its placeholders stay."""
        forms = find_forms(self.persons, template)
        you = (self.you, str(self.you)) if self.you else ()
        mine = (one for one in forms if one and values.get(one, one) in you)
        return forms.get(next(mine, OTHERS)) or template

    def insert_names(self, template: str, values: Mapping[str, object]) -> str:
        """Return a sentence with names in the place of seats."""

        def name(found: re.Match[str]) -> str:
            seat = values.get(found[1]) if found[1] else int(found[2])
            if not isinstance(seat, int) or seat not in self.names:
                return found[0]
            told = self.me if seat == self.you else self.names[seat]
            told = told[0].upper() + told[1:] if self.words and not found.start() else told
            return told.replace("{", "{{").replace("}", "}}")

        return _SEAT.sub(name, template)


class _Sentence(NamedTuple):
    """A sentence; ``many`` is its form for other numbers than one, None if it has no number."""

    template: str
    values: Mapping[str, object]
    many: str | None = None
    number: int = 0


class _Joined(NamedTuple):
    """Texts with the same thing between each."""

    parts: tuple[str, ...]
    between: str


class Said(str):
    """A text that knows what it was made of."""

    __slots__ = ("made",)
    made: _Sentence | _Joined

    def tell_in(self, catalogue: Catalogue, people: People | None = None) -> str:
        """Return the text in the language of a catalogue, with names where they are known.

        A translation whose placeholders are other ones than the sentence has is left aside.
        """
        made = self.made
        if isinstance(made, _Joined):
            return made.between.join(tell_in(part, catalogue, people) for part in made.parts)
        template, values, many, number = made
        if people is not None:
            template = people.choose_form(template, values)
            many = None if many is None else people.choose_form(many, values)
        if many is None:
            found = catalogue.gettext(template)
        else:
            found = catalogue.ngettext(template, many, number)
        if people is not None:
            found = people.insert_names(found, values)
        if not values:
            return found
        try:
            all_ = {name: tell_in(value, catalogue, people) for name, value in values.items()}
            return found.format(**all_)
        except (LookupError, ValueError, AttributeError):
            return str(self)


def N_(text: str) -> str:  # noqa: N802 - gettext's name for it
    """Mark a text that is kept in a table, to be said, or looked up, by whoever shows it."""
    return text


def say(template: str, /, **values: object) -> Said:
    """Say a sentence.

    ``template`` stands in the catalogues, so it is written out where this is called, or in a table
    as ``N_``; without values it is taken as it is.

    >>> say("{player} goes to {place}.", player="P1", place=4)
    'P1 goes to 4.'
    """
    said = Said(template.format(**values) if values else template)
    said.made = _Sentence(template, values)
    return said


def say_many(one: str, many: str, number: int, /, **values: object) -> Said:
    """Say a sentence about a number of things, which stands in it as ``{number}``.

    >>> [say_many("{number} move", "{number} moves", number) for number in (1, 2)]
    ['1 move', '2 moves']
    """
    values["number"] = number
    said = Said((one if number == 1 else many).format(**values))
    said.made = _Sentence(one, values, many, number)
    return said


def join_texts(parts: Iterable[str], between: str = " ") -> Said:
    """Put texts one after the other, sentences unless ``between`` says otherwise.

    >>> join_texts([say("It is over."), say("P1 wins.")])
    'It is over. P1 wins.'
    """
    all_ = tuple(parts)
    said = Said(between.join(all_))
    said.made = _Joined(all_, between)
    return said


def join_with_and(things: Iterable[str]) -> str:
    """Name things one after the other, the last one with an "and"; there is at least one.

    >>> join_with_and(["1", "2", "3"]), join_with_and(["1"])
    ('1, 2 and 3', '1')
    """
    *rest, last = things
    return say("{others} and {last}", others=join_texts(rest, ", "), last=last) if rest else last


def dump_said(value: object) -> Json:
    """Return what a sentence was made of as JSON, for a place where it stands for long."""
    if not isinstance(value, Said):
        return value
    if isinstance(value.made, _Joined):
        return {
            "parts": [dump_said(part) for part in value.made.parts],
            "between": value.made.between,
        }
    template, values, many, number = value.made
    of_many = {} if many is None else {"many": many, "number": number}
    values = {name: dump_said(one) for name, one in values.items()}
    return {"template": template, "values": values, **of_many}


def load_said(json: Json) -> Any:  # noqa: ANN401 - whatever was kept
    """Return what ``dump_said`` wrote."""
    if type(json) is not dict:
        return json
    if "parts" in json:
        return join_texts((load_said(part) for part in json["parts"]), json["between"])
    values = {name: load_said(one) for name, one in json["values"].items()}
    if "many" in json:
        return say_many(json["template"], json["many"], values.pop("number"), **values)
    return say(json["template"], **values)


def tell_in(value: T, catalogue: Catalogue, people: People | None = None) -> T | str:
    """Return a sentence in the language of a catalogue, and anything else as it is."""
    return value.tell_in(catalogue, people) if isinstance(value, Said) else value
