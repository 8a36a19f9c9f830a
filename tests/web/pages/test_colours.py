"""What is written can be read on what it is written on: WCAG 2.2 AA, in every scheme."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from services.drawing.sheet import DAY, NIGHT

SEEN_BY_NIGHT = (
    *(f"seat-{seat}{end}" for seat in (1, 2) for end in ("", "-stripe", "-ink", "-tint")),
    *("neutral", "board", "place", "place-edge", "axis", "mark", "reach", "burst", "shut"),
)
"""What a board by night has of its own."""

TOKENS = Path(__file__).parents[3] / "web" / "static" / "common" / "tokens.css"

TEXTS = [
    *((ink, ground) for ink in ("ink", "soft", "link", "good") for ground in ("paper", "sheet")),
    ("ink", "now"),
    ("ink", "sunk"),
    ("seat-1-ink", "seat-1"),
    ("seat-2-ink", "seat-2"),
    ("neutral-ink", "neutral"),
    ("axis", "board"),
    ("ink", "board"),
    ("card-ink", "card"),
    ("glow-ink", "glow-core"),
    ("paper", "good"),
]
"""Inks and the grounds that texts of this colour stand on."""

SHAPES = [
    *((mark, "board") for mark in ("mark", "reach", "burst", "seat-1", "seat-2", "edge")),
    ("seat-1", "place"),
    ("seat-2", "place"),
    ("seat-1", "sheet"),
    ("seat-2", "sheet"),
    ("focus", "paper"),
    ("now-edge", "now"),
    ("card-edge", "card"),
]
"""Shapes that mean something, and what they are drawn on."""


SCHEMES = ("light", "dark", "night", "contrast-light", "contrast-dark")


def rules() -> dict[str, dict[str, str]]:
    """Return the tokens of each scheme: light, dark, the night of a single board, contrast."""
    text = re.sub(r"/\*.*?\*/", "", TOKENS.read_text(encoding="utf-8"), flags=re.DOTALL)
    root, night = (_tokens(text, start) for start in (":root {", ".night {"))
    contrast = _tokens(text, ':root[data-look="contrast"] {')
    assert contrast == _tokens(text, ':root:not([data-look="light"], [data-look="dark"]) {')
    light, dark = (_side(root, side) for side in (0, 1))
    return {
        "light": light,
        "dark": dark,
        "night": {**light, **dark, **night},
        "contrast-light": {**light, **_side(contrast, 0)},
        "contrast-dark": {**dark, **_side(contrast, 1)},
    }


def _tokens(text: str, start: str) -> dict[str, str]:
    body = text[text.index(start) + len(start) :].partition("}")[0]
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", body))


def _side(tokens: dict[str, str], side: int) -> dict[str, str]:
    """Return the tokens by day (0) or in the dark (1)."""
    pairs = {name: re.fullmatch(r"light-dark\((.+), (.+)\)", text) for name, text in tokens.items()}
    return {name: pair[side + 1] if pair else tokens[name] for name, pair in pairs.items()}


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _resolved(tokens: dict[str, str], name: str) -> str:
    value = tokens[name]
    while found := re.fullmatch(r"var\(--([\w-]+)\)", value):
        value = tokens[found[1]]
    return value


def contrast(scheme: str, one: str, other: str) -> float:
    tokens = rules()[scheme]
    values = [luminance(_resolved(tokens, name)) for name in (one, other)]
    return (max(values) + 0.05) / (min(values) + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_texts_can_be_read(scheme: str) -> None:
    low = {pair: contrast(scheme, *pair) for pair in TEXTS if contrast(scheme, *pair) < 4.5}
    assert not low


@pytest.mark.parametrize("scheme", SCHEMES)
def test_shapes_can_be_seen(scheme: str) -> None:
    low = {pair: contrast(scheme, *pair) for pair in SHAPES if contrast(scheme, *pair) < 3}
    assert not low


@pytest.mark.parametrize(("palette", "scheme"), [(DAY, "light"), (NIGHT, "night")])
def test_pictures_outside_of_pages_have_the_colours_of_pages(
    palette: Mapping[str, str], scheme: str
) -> None:
    tokens = rules()[scheme]
    names = palette if scheme == "light" else SEEN_BY_NIGHT
    assert {name: palette[name] for name in names} == {
        name: _resolved(tokens, name) for name in names
    }
