"""A step on one sheet, whose SVG brings its own colours: who plays, the board, what happened.

On a page a style sheet paints what ``services.drawing.svg`` draws. Here the paint is written into
each element, so that a picture is the same in any viewer, and in the rasteriser, which knows
neither variables nor most selectors. The colours are those of the site's light design, to which a
test holds them.

A rule is a selector of one or two parts (the class or tag itself, before it the class of
something around it) and attributes, whose values name a colour of the palette by ``$``. Later
rules go before earlier ones, and all before what an element brings along.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from types import MappingProxyType
from typing import NamedTuple
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, SubElement

from domain.game.scene import Meter, Scene, Shape, Zone
from domain.json_types import Json
from services.drawing.svg.markup import NAMESPACE, clean, format_number
from services.drawing.svg.picture import draw_zone, is_night

DAY: Mapping[str, str] = MappingProxyType(
    {
        "paper": "#f5f2ea",
        "sunk": "#ece7db",
        "ink": "#1c2230",
        "soft": "#51596a",
        "edge": "#8a8271",
        "seat-1": "#1f57c3",
        "seat-1-stripe": "#3f74da",
        "seat-1-ink": "#ffffff",
        "seat-1-tint": "#dfe8fa",
        "seat-2": "#a8430a",
        "seat-2-stripe": "#e8a16f",
        "seat-2-ink": "#ffffff",
        "seat-2-tint": "#fae4d5",
        "neutral": "#5b6474",
        "neutral-ink": "#ffffff",
        "board": "#fbf8f1",
        "place": "#efe9dc",
        "place-edge": "#b3a88f",
        "place-depth": "#cfc5ae",
        "axis": "#5c5546",
        "mark": "#7a2d8c",
        "reach": "#1f6b3a",
        "burst": "#b3261e",
        "shut": "#9a917d",
        "card": "#fffefb",
        "card-ink": "#1c2230",
        "card-edge": "#6d675b",
        "glow": "#f2b400",
        "glow-core": "#ffd34d",
        "glow-ink": "#3a2600",
    }
)

NIGHT: Mapping[str, str] = MappingProxyType(
    {
        **DAY,
        "seat-1": "#82b4ff",
        "seat-1-stripe": "#5a94ea",
        "seat-1-ink": "#071633",
        "seat-1-tint": "#1c2f52",
        "seat-2": "#ffb27a",
        "seat-2-stripe": "#b8601f",
        "seat-2-ink": "#2b1200",
        "seat-2-tint": "#46291a",
        "neutral": "#b9c3d6",
        "neutral-ink": "#10151f",
        "board": "#0c1120",
        "place": "#161f35",
        "place-edge": "#3c4b70",
        "axis": "#b4bfd6",
        "mark": "#f0b8ff",
        "reach": "#8fe3ab",
        "burst": "#ff9d94",
        "shut": "#5f6f95",
    }
)
"""Of a board that is a dark ground, whatever is around it."""


def get_colours(seat: str, palette: Mapping[str, str]) -> dict[str, str]:
    """Return the colours of what belongs to a seat (``seat-1``, ``seat-2``, ``seat-none``)."""
    if seat == "seat-none":
        base, ink = palette["neutral"], palette["neutral-ink"]
        return {"own": base, "own-stripe": base, "own-ink": ink, "own-tint": palette["place"]}
    ends = {"own": "", "own-stripe": "-stripe", "own-ink": "-ink", "own-tint": "-tint"}
    return {name: palette[f"{seat}{end}"] for name, end in ends.items()}


_ROUND = {"stroke-linecap": "round", "stroke-linejoin": "round"}


def _make_stroke(colour: str, width: float, **more: str) -> dict[str, str]:
    extra = {name.replace("_", "-"): value for name, value in more.items()}
    return {"fill": "none", "stroke": colour, "stroke-width": str(width), **extra}


_PLACE = {"fill": "$place", "stroke": "$place-edge", "stroke-width": "1.5"}

RULES: tuple[tuple[str, dict[str, str]], ...] = (
    ("text", {"text-anchor": "middle", "font-weight": "700"}),
    (
        ".axis",
        {"fill": "$axis", "stroke": "$board", "stroke-width": "4"}
        | {"paint-order": "stroke", "font-weight": "600"},
    ),
    (".body", {"stroke": "$own", "stroke-width": "1.5"}),
    (".plate", {"fill": "$own", "stroke": "$own-stripe", "stroke-width": "1.5"}),
    (".text", {"fill": "$own-ink"}),
    (".shape-choices .text", {"fill": "$ink"}),
    (".ground-seat-2", {"fill": "$seat-2"}),
    (".stripe-seat-2", {"fill": "$seat-2-stripe"}),
    (".ground-closed", {"fill": "none"}),
    (".ground-closed-1", {"fill": "none"}),
    (".ground-closed-2", {"fill": "none"}),
    (".stripe-closed", {"fill": "$shut"}),
    (".stripe-closed-1", {"fill": "$seat-1", "fill-opacity": "0.42"}),
    (".stripe-closed-2", {"fill": "$seat-2", "fill-opacity": "0.42"}),
    (".ground-back", {"fill": "$sunk"}),
    (".stripe-back", {"fill": "$edge", "fill-opacity": "0.55"}),
    (".glow", {"stop-color": "$glow"}),
    (".place", _PLACE),
    (".owned .place", {"fill": "$own-tint"}),
    (".depth", {**_PLACE, "fill": "$place-depth"}),
    (".bare", _make_stroke("$edge", 2)),
    (".ground-line", _make_stroke("$place-edge", 3)),
    (".shape-field .place", {"fill": "none", "stroke-dasharray": "3 5"}),
    (".last", {**_make_stroke("$mark", 3.5), **_ROUND}),
    (".left", _make_stroke("$mark", 3, stroke_linecap="round")),
    (".ray", _make_stroke("$burst", 4, stroke_linecap="round")),
    (".reach", _make_stroke("$reach", 2.5)),
    (".loose", _make_stroke("$burst", 2.5)),
    (".torn", _make_stroke("$burst", 2.5)),
    (".hop .arc", _make_stroke("$mark", 3, stroke_dasharray="7 5")),
    (".hop .tip", {"fill": "$mark"}),
    (".lattice", {**_make_stroke("$own", 2.25), **_ROUND}),
    (".span .lit", _make_stroke("$own", 9, stroke_opacity="0.55")),
    (".span .halo", _make_stroke("$own", 10, stroke_opacity="0.25", stroke_linecap="round")),
    (".span .wire", _make_stroke("$own", 3)),
    (".trail .way", {**_make_stroke("$own", 5), **_ROUND}),
    (".trail .stop", {"fill": "$own"}),
    (".core", {"fill": "$glow-core", "stroke": "$glow", "stroke-width": "2"}),
    (".glowing .text", {"fill": "$glow-ink"}),
    (".bond .bar", {"stroke": "$own", "stroke-width": "12", "fill": "none"}),
    (".bond .knot", {"fill": "$board", "stroke": "$own", "stroke-width": "4"}),
    (".sheet", {"fill": "$card", "stroke": "$own", "stroke-width": "2"}),
    (".print", {"fill": "$card-ink"}),
    (".badge", {"fill": "$own"}),
    (".keep .wall", {"fill": "$own"}),
    (".mark-loose .sheet", {"stroke-dasharray": "5 4"}),
    (".bond .casing", _make_stroke("$board", 12)),
    (".shape-field .bar", {"stroke-width": "6"}),
    (".sign-line", {**_make_stroke("$own-ink", 1.75), **_ROUND}),
    (".effect .sign-line", {"stroke": "$card-ink"}),
    (".total .badge", {"stroke": "$own-ink", "stroke-width": "1"}),
    (".count .text", {"fill": "$ink"}),
)


_SPLIT_RULES = [(selector.rpartition(" "), attributes) for selector, attributes in RULES]

_SEATS = ("seat-1", "seat-2", "seat-none")


def paint(picture: Element, *, night: bool) -> None:
    """Paint a picture, in place; its classes are used up."""
    palette = NIGHT if night else DAY
    colours = {**palette, "own-ink": palette["ink"], "own": palette["neutral"]}
    colours |= {"own-stripe": palette["neutral"], "own-tint": palette["place"]}
    _paint(picture, frozenset(), colours, palette)


def _paint(
    element: Element,
    around: frozenset[str],
    colours: Mapping[str, str],
    palette: Mapping[str, str],
) -> None:
    """Paint an element and all within; ``around``: the classes of what it stands in, with dots."""
    classes = element.attrib.pop("class", "").split()
    seat = next((one for one in classes if one in _SEATS), None)
    selectors = {f".{one}" for one in classes}
    around |= selectors
    if seat is not None:
        colours = {**colours, **get_colours(seat, palette)}
        owned = "space" in classes and seat != "seat-none"
        around = around | {".owned"} if owned else around - {".owned"}
    if any(child.get("class") == "core" for child in element):
        around |= {".glowing"}
    kept_fill = element.get("fill") if "body" in classes else None
    selectors.add(element.tag.rpartition("}")[2])
    for name, value in _iter_attributes(selectors, around):
        element.set(name, colours[value[1:]] if value.startswith("$") else value)
    if "body" in classes:
        element.set("fill", kept_fill or colours["own"])
    for child in element:
        _paint(child, around, colours, palette)


def _iter_attributes(selectors: set[str], around: frozenset[str]) -> Iterator[tuple[str, str]]:
    for (outer, _, target), attributes in _SPLIT_RULES:
        if target in selectors and (not outer or outer in around):
            yield from attributes.items()


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
    zones = [] if scene is None else [one for one in scene.zones if one.shape != Shape.CHOICES]
    pictures = [_draw_picture(scene, zone, at) for at, zone in enumerate(zones)] if scene else []
    width = max([NARROWEST, *(float(one.get("width", 0)) for one in pictures)])
    root = Element(f"{{{NAMESPACE}}}svg")
    for name, text in (("title", caption.title), ("desc", "\n".join(caption.lines))):
        _add_child(root, name).text = str(clean(text).unescape())
    # Escapes of JSON also write what XML has no way to write.
    _add_child(root, "metadata").text = json.dumps(dict(caption.facts), sort_keys=True)
    ground = _add_child(root, "rect", fill=DAY["paper"])
    low = _write(root, _iter_texts(caption, scene), width)
    at = _Cursor(0, low, low, None)
    for zone, picture in zip(zones, pictures, strict=True):
        at = _put(root, zone, picture, at, width)
    whole, high = format_number(width + 2 * MARGIN), format_number(at.low + MARGIN)
    for element in (root, ground):
        element.set("width", whole)
        element.set("height", high)
    root.set("viewBox", f"0 0 {whole} {high}")
    root.set("font-family", FONTS)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _draw_picture(scene: Scene, zone: Zone, at: int) -> Element:
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
    _write_text(
        root, zone.title, 15, top, left=left, weight="600", colour=_choose_colour(zone.owner)
    )
    middle = (width - wide) / 2 if zone.owner is None else left
    picture.set("x", format_number(MARGIN + middle))
    picture.set("y", format_number(top + 10))
    root.append(picture)
    low = top + 10 + high
    return _Cursor(left + room + GAP, top, max(at.low, low) if beside else low, zone.owner)


class _TextLine(NamedTuple):
    text: str
    size: float
    weight: str = "400"
    colour: str = DAY["ink"]


def _iter_texts(caption: Caption, scene: Scene | None) -> Iterable[_TextLine]:
    yield _TextLine(caption.title, 20, "700")
    for line in caption.lines:
        yield _TextLine(line, 15)
    if scene is None:
        return
    for seat in (1, 2):
        told = " · ".join(_describe_meter(one) for one in scene.meters if one.owner == seat)
        if told:
            yield _TextLine(f"P{seat} · {told}", 15, "600", _choose_colour(seat))
    for note in scene.notes:
        yield _TextLine(note.tell(), 14, "400", _choose_colour(note.owner))


def _describe_meter(meter: Meter) -> str:
    most = "" if meter.maximum is None else f"/{meter.maximum}"
    return f"{meter.label} {meter.value}{most}"


def _choose_colour(seat: int | None) -> str:
    return DAY["soft"] if seat is None else DAY[f"seat-{seat}"]


def _write(root: Element, lines: Iterable[_TextLine], width: float) -> float:
    low = MARGIN / 2
    for line in lines:
        for part in wrap(line.text, max(20, int(width / (line.size * _LETTER)))):
            low += line.size * 1.45
            _write_text(root, part, line.size, low, weight=line.weight, colour=line.colour)
    return low + GAP


def _write_text(  # noqa: PLR0913 - the attributes of a text
    root: Element, text: str, size: float, y: float, *, left: float = 0, weight: str, colour: str
) -> None:
    written = _add_child(
        root, "text", x=format_number(MARGIN + left), y=format_number(y), fill=colour
    )
    written.set("font-size", format_number(size))
    written.set("font-weight", weight)
    written.text = str(clean(text).unescape())


def _add_child(parent: Element, name: str, **attributes: str) -> Element:
    return SubElement(parent, f"{{{NAMESPACE}}}{name}", attributes)
