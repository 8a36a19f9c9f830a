"""Which paint which class of a picture gets: what board.css says to pages, element by element.

A rule is a selector of one or two parts (the class or tag itself, before it the class of
something around it) and attributes, whose values name a colour of the palette by ``$``. Later
rules go before earlier ones, and all before what an element brings along.
"""

from __future__ import annotations

from typing import TypeAlias

Rule: TypeAlias = tuple[str, dict[str, str]]

_ROUND = {"stroke-linecap": "round", "stroke-linejoin": "round"}


def _line(colour: str, width: float, **more: str) -> dict[str, str]:
    extra = {name.replace("_", "-"): value for name, value in more.items()}
    return {"fill": "none", "stroke": colour, "stroke-width": str(width), **extra}


_PLACE = {"fill": "$place", "stroke": "$place-edge", "stroke-width": "1.5"}

RULES: tuple[Rule, ...] = (
    ("text", {"text-anchor": "middle", "font-weight": "700"}),
    (
        ".axis",
        {"fill": "$axis", "font-size": "15", "stroke": "$board", "stroke-width": "4"}
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
    (".bare", _line("$edge", 2)),
    (".ground-line", _line("$place-edge", 3)),
    (".shape-field .place", {"fill": "none", "stroke-dasharray": "3 5"}),
    (".last", {**_line("$mark", 3.5), **_ROUND}),
    (".left", _line("$mark", 3, stroke_linecap="round")),
    (".ray", _line("$burst", 4, stroke_linecap="round")),
    (".reach", _line("$reach", 2.5)),
    (".loose", _line("$burst", 2.5)),
    (".torn", _line("$burst", 2.5)),
    (".hop .arc", _line("$mark", 3, stroke_dasharray="7 5")),
    (".hop .tip", {"fill": "$mark"}),
    (".lattice", {**_line("$own", 2.25), **_ROUND}),
    (".span .lit", _line("$own", 9, stroke_opacity="0.55")),
    (".span .halo", _line("$own", 10, stroke_opacity="0.25", stroke_linecap="round")),
    (".span .wire", _line("$own", 3)),
    (".trail .way", {**_line("$own", 5), **_ROUND}),
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
    (".bond .casing", _line("$board", 12)),
    (".shape-field .bar", {"stroke-width": "6"}),
    (".sign-line", {**_line("$own-ink", 1.75), **_ROUND}),
    (".effect .sign-line", {"stroke": "$card-ink"}),
    (".total .badge", {"stroke": "$own-ink", "stroke-width": "1"}),
    (".count .text", {"fill": "$ink"}),
)
