"""A step on one sheet: who plays, the board, what each seat holds, what happened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import NamedTuple
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, SubElement

from domain.game.scene import Meter, Scene, Shape, Zone
from domain.json_types import Json
from services.drawing.sheets.paint import paint
from services.drawing.sheets.palette import DAY, NIGHT
from services.drawing.svg.markup import NAMESPACE, clean, number
from services.drawing.svg.picture import draw_zone, is_night

MARGIN, GAP = 24.0, 20.0
NARROWEST = 560.0
"""A sheet has room for a line of text, however small its board is."""

FONTS = "'DejaVu Sans', Verdana, sans-serif"
_LETTER = 0.62
"""How wide a letter is, at most and on average, of its size."""

ET.register_namespace("", NAMESPACE)


class Caption(NamedTuple):
    """What stands above a picture, and what it tells programs (``facts``, as JSON)."""

    title: str
    lines: tuple[str, ...]
    facts: Mapping[str, Json]


def draw_sheet(scene: Scene | None, caption: Caption) -> str:
    """Return an SVG document of a scene; without a scene it is the caption alone."""
    zones = [] if scene is None else [zone for zone in scene.zones if _is_shown(zone)]
    pictures = [_picture(scene, zone, at) for at, zone in enumerate(zones)] if scene else []
    width = max([NARROWEST, *(float(one.get("width", 0)) for one in pictures)])
    root = Element(f"{{{NAMESPACE}}}svg")
    for name, text in (("title", caption.title), ("desc", "\n".join(caption.lines))):
        _child(root, name).text = str(clean(text).unescape())
    # Escapes of JSON also write what XML has no way to write.
    _child(root, "metadata").text = json.dumps(dict(caption.facts), sort_keys=True)
    ground = _child(root, "rect", fill=DAY["paper"])
    low = _write(root, _texts(caption, scene, width))
    at = _Cursor(0, low, low, None)
    for zone, picture in zip(zones, pictures, strict=True):
        at = _put(root, zone, picture, at, width)
    whole, high = number(width + 2 * MARGIN), number(at.low + MARGIN)
    for element in (root, ground):
        element.set("width", whole)
        element.set("height", high)
    root.set("viewBox", f"0 0 {whole} {high}")
    root.set("font-family", FONTS)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _is_shown(zone: Zone) -> bool:
    return zone.shape is not Shape.CHOICES


def _picture(scene: Scene, zone: Zone, at: int) -> Element:
    night = is_night(zone, scene)
    picture = ET.fromstring(str(draw_zone(zone, scene, f"z{at}", zone.title)))  # noqa: S314 - ours
    paint(picture, night=night)
    for name in ("role", "aria-labelledby"):
        picture.attrib.pop(name, None)
    ground = Element(f"{{{NAMESPACE}}}rect", fill=(NIGHT if night else DAY)["board"])
    box = (picture.get("viewBox") or "").split()
    for name, value in zip(("x", "y", "width", "height"), box, strict=True):
        ground.set(name, value)
    picture.insert(0, ground)
    return picture


class _Cursor(NamedTuple):
    """Where the next picture goes: how far right, the row's top, and how far down it reaches."""

    right: float
    top: float
    low: float
    owner: int | None


def _put(root: Element, zone: Zone, picture: Element, at: _Cursor, width: float) -> _Cursor:
    """Put a picture under its title, beside the one before it if that is the same seat's."""
    wide, high = (float(picture.get(name, 0)) for name in ("width", "height"))
    room = max(wide, len(zone.title) * 15 * _LETTER)
    beside = zone.owner is not None and zone.owner == at.owner and at.right + room <= width
    left, top = (at.right, at.top) if beside else (0.0, at.low + GAP)
    _text(root, zone.title, 15, top, left=left, weight="600", colour=_of_seat(zone.owner))
    middle = (width - wide) / 2 if zone.owner is None else left
    picture.set("x", number(MARGIN + middle))
    picture.set("y", number(top + 10))
    root.append(picture)
    low = top + 10 + high
    return _Cursor(left + room + GAP, top, max(at.low, low) if beside else low, zone.owner)


class _Line(NamedTuple):
    text: str
    size: float
    weight: str = "400"
    colour: str = DAY["ink"]


def _texts(caption: Caption, scene: Scene | None, width: float) -> Iterable[_Line]:
    yield from _wrapped(_Line(caption.title, 20, "700"), width)
    for line in caption.lines:
        yield from _wrapped(_Line(line, 15), width)
    if scene is None:
        return
    for seat in (1, 2):
        told = " · ".join(_told(one) for one in scene.meters if one.owner == seat)
        if told:
            yield from _wrapped(_Line(f"P{seat} · {told}", 15, "600", _of_seat(seat)), width)
    for note in scene.notes:
        start = f"P{note.owner}: " if note.owner and f"P{note.owner}" not in note.text else ""
        yield from _wrapped(_Line(start + note.text, 14, "400", _of_seat(note.owner)), width)


def _wrapped(line: _Line, width: float) -> Iterable[_Line]:
    for part in wrap(line.text, max(20, int(width / (line.size * _LETTER)))):
        yield line._replace(text=part)


def _told(meter: Meter) -> str:
    most = "" if meter.maximum is None else f"/{meter.maximum}"
    return f"{meter.label} {meter.value}{most}"


def _of_seat(seat: int | None) -> str:
    return DAY["soft"] if seat is None else DAY[f"seat-{seat}"]


def _write(root: Element, lines: Iterable[_Line]) -> float:
    low = MARGIN / 2
    for line in lines:
        low += line.size * 1.45
        _text(root, line.text, line.size, low, weight=line.weight, colour=line.colour)
    return low + GAP


def _text(  # noqa: PLR0913 - the attributes of a text
    root: Element, text: str, size: float, y: float, *, left: float = 0, weight: str, colour: str
) -> None:
    written = _child(root, "text", x=number(MARGIN + left), y=number(y), fill=colour)
    written.set("font-size", number(size))
    written.set("font-weight", weight)
    written.text = str(clean(text).unescape())


def _child(parent: Element, name: str, **attributes: str) -> Element:
    return SubElement(parent, f"{{{NAMESPACE}}}{name}", attributes)
