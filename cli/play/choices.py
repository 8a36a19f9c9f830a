"""Steps of a move as numbered choices: what they are called, how they are listed and found.

A choice whose name is a number keeps that number (a card of 9 is chosen by 9, the node 5
by 5); the others are counted from above these, so that no number means two things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from textwrap import wrap
from typing import NamedTuple

from rich.text import Text

from domain.game.scene import Scene, Shape, Space, Zone
from services.drawing.text.sheet import Lines

GAP = 3
COLUMNS_FROM = 2
"""Choices are set in columns where at least so many fit."""

PLAIN = "Moves"
"""The title over choices that are whole moves, and over steps that the scene does not show."""


class Choice(NamedTuple):
    """Something to choose. ``name`` is short; ``label`` says in words what it is."""

    id: str
    number: int
    name: str
    label: str
    title: str


def choices(ids: Iterable[str], scene: Scene) -> list[Choice]:
    """Name and number the steps ``ids``, zone by zone in the order of the scene."""
    places = _places(scene)
    wanted = sorted(ids, key=lambda one: places[one][0] if one in places else len(places))
    names = Counter(map(short, wanted))
    own = {one: int(short(one)) for one in wanted if _is_number(short(one)) and _once(names, one)}
    free = count(max(own.values(), default=0) + 1)
    return [
        Choice(one, own[one] if one in own else next(free), short(one), *_words(one, places))
        for one in wanted
    ]


def short(step: str) -> str:
    """Return the name of an id inside its kind.

    >>> short("cell:2,0")
    '2,0'
    """
    return step.rpartition(":")[2]


def find(offered: Sequence[Choice], typed: str) -> list[Choice]:
    """Return what was meant: by number, name, id or label. Several: it is not clear which."""
    meant = "".join(typed.casefold().split()).strip("()#.")
    for called in (_number, _id, _name, _label):
        found = [one for one in offered if called(one) == meant]
        if found:
            return found
    return []


def listed(offered: Sequence[Choice], width: int) -> Lines:
    """List choices under the titles of their zones, short ones in columns."""
    lines: Lines = []
    digits = max((len(str(one.number)) for one in offered), default=1)
    for title in dict.fromkeys(one.title for one in offered):
        lines.append(Text(title, "bold"))
        group = [one for one in offered if one.title == title]
        lines += _columns(group, digits, width)
    return lines


def described(step: str, scene: Scene) -> str:
    """Say in words what a step is, with the zone that it lies in; of equal cards, one."""
    places = _places(scene)
    label, title = _words(step, places)
    if step in places:
        _, zone, space = places[step]
        if zone.shape is Shape.HAND and len(space.tokens) > 1:
            label = space.tokens[-1].label
    return label if title == PLAIN else f"{title}: {label}"


def _columns(group: Sequence[Choice], digits: int, width: int) -> Iterator[Text]:
    entries = [f"{one.number:>{digits + 1}}  {one.label}" for one in group]
    widest = max(map(len, entries)) + GAP
    each = (width + GAP) // widest
    if each < COLUMNS_FROM:
        for entry in entries:
            yield from map(Text, wrap(entry, width, subsequent_indent=" " * (digits + 3)))
        return
    for start in range(0, len(entries), each):
        row = "".join(entry.ljust(widest) for entry in entries[start : start + each])
        yield Text(row.rstrip())


def _places(scene: Scene) -> dict[str, tuple[int, Zone, Space]]:
    """Return where every id of a scene is, in the order in which it is drawn."""
    places = [(zone, space) for zone in scene.zones for space in zone.spaces]
    return {space.id: (at, zone, space) for at, (zone, space) in enumerate(places)}


def _words(step: str, places: dict[str, tuple[int, Zone, Space]]) -> tuple[str, str]:
    """Return label and title of a step; of one that the scene lacks, what its id says."""
    if step not in places:
        return step.replace(":", " "), PLAIN
    _, zone, space = places[step]
    if not space.tokens or zone.shape is Shape.HAND:
        return space.label, zone.title
    return f"{space.label}: {', '.join(token.label for token in space.tokens)}", zone.title


def _once(names: Counter[str], step: str) -> bool:
    return names[short(step)] == 1


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal() and str(int(name)) == name


def _number(one: Choice) -> str:
    return str(one.number)


def _id(one: Choice) -> str:
    return one.id.casefold()


def _name(one: Choice) -> str:
    return one.name.casefold()


def _label(one: Choice) -> str:
    return "".join(one.label.casefold().split()).strip("()#.")
