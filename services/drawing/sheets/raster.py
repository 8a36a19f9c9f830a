"""SVG to PNG, with the font that comes along: a machine without fonts gives the same bytes."""

from __future__ import annotations

import struct
from functools import cache
from importlib.resources import files
from zlib import crc32

from resvg_py import svg_to_bytes

FAMILY = "DejaVu Sans"
ZOOM = 2.0
"""Pixels for each unit of the SVG, so that a picture stays sharp on fine screens."""

_SIGNATURE_AND_HEADER = 8 + 25
"""A PNG's signature and its first chunk, behind which a text may stand."""


def rasterised(svg: str, facts: str) -> bytes:
    """Return a PNG of an SVG document; ``facts`` (ASCII) go into its comment.

    Raises ``ValueError`` for what is no SVG.
    """
    png = svg_to_bytes(
        svg_string=svg,
        zoom=ZOOM,
        skip_system_fonts=True,
        font_files=_font_files(),
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    at = _SIGNATURE_AND_HEADER
    return png[:at] + _comment(facts) + png[at:]


@cache
def _font_files() -> list[str]:
    folder = files("services.drawing") / "fonts"
    return [str(folder / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


def _comment(text: str) -> bytes:
    """Return a tEXt chunk (PNG, third edition, 11.3.3.2): length, type, keyword, text, CRC."""
    data = b"tEXt" + b"Comment\0" + text.encode("ascii")
    return struct.pack(">I", len(data) - 4) + data + struct.pack(">I", crc32(data))
