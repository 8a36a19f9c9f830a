"""Painting a picture: every element gets the attributes that a page's style sheet would give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from services.drawing.sheets.palette import DAY, NIGHT, own
from services.drawing.sheets.rules import RULES, Rule

_SEATS = ("seat-1", "seat-2", "seat-none")


class _Place(NamedTuple):
    """Where in a picture an element stands: the classes around it, and whose it is."""

    around: frozenset[str]
    colours: Mapping[str, str]


def _by_target() -> dict[str, list[tuple[int, str, Rule]]]:
    """Return the rules by the class or tag that they are about, each with its place."""
    found: dict[str, list[tuple[int, str, Rule]]] = {}
    for at, rule in enumerate(RULES):
        around, _, target = rule[0].rpartition(" ")
        found.setdefault(target, []).append((at, around.removeprefix("."), rule))
    return found


_RULES = _by_target()


def paint(picture: Element, *, night: bool) -> None:
    """Paint a picture, in place; its classes are used up."""
    palette = NIGHT if night else DAY
    colours = {**palette, "own-ink": palette["ink"], "own": palette["neutral"]}
    colours |= {"own-stripe": palette["neutral"], "own-tint": palette["place"]}
    _paint(picture, _Place(frozenset(), colours), palette)


def _paint(element: Element, place: _Place, palette: Mapping[str, str]) -> None:
    classes = element.attrib.pop("class", "").split()
    seat = next((one for one in classes if one in _SEATS), None)
    around = place.around | set(classes)
    if seat is not None:
        place = place._replace(colours={**place.colours, **own(seat, palette)})
        around = (around - {"owned"}) | ({"owned"} if "space" in classes and _held(seat) else set())
    if any(child.get("class") == "core" for child in element):
        around |= {"glowing"}
    place = place._replace(around=frozenset(around))
    tag = element.tag.rpartition("}")[2]
    kept_fill = element.get("fill") if "body" in classes else None
    for name, value in _attributes([f".{one}" for one in classes], tag, place):
        element.set(name, value)
    if "body" in classes:
        element.set("fill", kept_fill or place.colours["own"])
    for child in element:
        _paint(child, place, palette)


def _held(seat: str) -> bool:
    return seat != "seat-none"


def _attributes(classes: list[str], tag: str, place: _Place) -> Iterator[tuple[str, str]]:
    rules = [rule for target in (tag, *classes) for rule in _RULES.get(target, ())]
    for _, around, (_, attributes) in sorted(rules, key=lambda rule: rule[0]):
        if around and around not in place.around:
            continue
        for name, value in attributes.items():
            yield name, place.colours[value[1:]] if value.startswith("$") else value
