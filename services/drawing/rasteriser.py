"""The program that paints for ``services.drawing.raster``: pictures come in, PNGs go out."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import BinaryIO

from resvg_py import svg_to_bytes

from services.drawing.raster import ASKED, GIVEN

FAMILY = "DejaVu Sans"


def run(given: BinaryIO, made: BinaryIO) -> None:
    """Paint whatever comes in."""
    folder = files("services.drawing") / "fonts"
    fonts = [str(folder / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
    while len(head := given.read(ASKED.size)) == ASKED.size:
        zoom, length = ASKED.unpack(head)
        png = _paint(given.read(length).decode(), zoom, fonts)
        made.write(GIVEN.pack(len(png)) + png)
        made.flush()


def _paint(svg: str, zoom: float, fonts: list[str]) -> bytes:
    try:
        return svg_to_bytes(
            svg_string=svg,
            zoom=zoom,
            skip_system_fonts=True,
            font_files=fonts,
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    except ValueError:
        return b""


if __name__ == "__main__":
    run(sys.stdin.buffer, sys.stdout.buffer)
