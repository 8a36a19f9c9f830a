"""The program that paints pictures for ``services.drawing.sheets.raster``, in a process of its own.

On standard input it takes, and on standard output it gives, one thing after another, each behind
its length; a zoom stands before each picture. An answer of no length says that the picture is
none. It ends with its input.
"""

from __future__ import annotations

import struct
import sys
from importlib.resources import files
from typing import BinaryIO

from resvg_py import svg_to_bytes

FAMILY = "DejaVu Sans"
ASKED = struct.Struct(">dI")
"""The zoom, and the length of the picture that follows."""
GIVEN = struct.Struct(">I")


def run(given: BinaryIO, made: BinaryIO) -> None:
    """Paint whatever comes in."""
    folder = files("services.drawing") / "fonts"
    fonts = [str(folder / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
    while len(head := given.read(ASKED.size)) == ASKED.size:
        zoom, length = ASKED.unpack(head)
        png = _painted(given.read(length).decode(), zoom, fonts)
        made.write(GIVEN.pack(len(png)) + png)
        made.flush()


def _painted(svg: str, zoom: float, fonts: list[str]) -> bytes:
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
