"""The colours of pictures outside of a page: those of the site's light design.

A test holds them to the site's own style sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

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


def own(seat: str, palette: Mapping[str, str]) -> dict[str, str]:
    """Return the colours of what belongs to a seat (``seat-1``, ``seat-2``, ``seat-none``)."""
    if seat == "seat-none":
        base, ink = palette["neutral"], palette["neutral-ink"]
        return {"own": base, "own-stripe": base, "own-ink": ink, "own-tint": palette["place"]}
    ends = {"own": "", "own-stripe": "-stripe", "own-ink": "-ink", "own-tint": "-tint"}
    return {name: palette[f"{seat}{end}"] for name, end in ends.items()}
