"""SVG to PNG, with the font that comes along: a machine without fonts gives the same bytes.

The library that paints lets nothing else of its process run meanwhile, for up to a second, and
keeps tens of megabytes. So it is in a process of its own, which is started when a picture is
wanted, paints one at a time, and is replaced now and then.
"""

from __future__ import annotations

import atexit
import os
import re
import struct
import subprocess
import sys
from contextlib import suppress
from io import BufferedReader, BufferedWriter
from math import sqrt
from threading import Lock, Timer
from zlib import crc32

ASKED = struct.Struct(">dI")
"""What goes to the process that paints: the zoom, and the length of the picture that follows."""
GIVEN = struct.Struct(">I")
"""What comes back: the length of the PNG that follows, 0 for what is no picture."""

ZOOM = 2.0
"""Pixels for each unit of the SVG, so that a picture stays sharp on fine screens."""
MOST_PIXELS = 2_000_000
"""Of a picture: what it costs grows with them. A large board is drawn with fewer for each unit."""
LONGEST = 15.0
"""Seconds after which a picture is given up."""
PICTURES = 200
"""How many one process paints."""

_SIGNATURE_AND_HEADER = 8 + 25
"""A PNG's signature and its first chunk, behind which a text may stand."""

_SIZE = re.compile(r'<svg[^>]*? width="([0-9.]+)" height="([0-9.]+)"')


def rasterise(svg: str, facts: str) -> bytes:
    """Return a PNG of an SVG document; ``facts`` (ASCII) go into its comment.

    Raises ``ValueError`` for what is no SVG of a size, and ``OSError`` if it cannot be painted now.
    """
    found = _SIZE.search(svg)
    if found is None:
        raise ValueError("an SVG with its size is needed")
    wide, high = map(float, found.groups())
    png = _painter.paint(svg.encode(), min(ZOOM, sqrt(MOST_PIXELS / max(1.0, wide * high))))
    if not png:
        raise ValueError("this is no SVG")
    at = _SIGNATURE_AND_HEADER
    return png[:at] + _make_comment(facts) + png[at:]


class _Painter:
    """The process that paints, if there is one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._painted = 0

    def paint(self, svg: bytes, zoom: float) -> bytes:
        """Return what the process makes of a picture. Raises ``OSError``."""
        with self._lock:
            if self._painted >= PICTURES or (self._process and self._process.poll() is not None):
                self.end()
            process = self._process = self._process or _start_process()
            self._painted += 1
            late = Timer(LONGEST, process.kill)
            late.start()
            try:
                return _ask_process(process, svg, zoom)
            except OSError:
                self.end()
                raise
            finally:
                late.cancel()

    def forget(self) -> None:
        """Leave the process to the one that has started it, of which this one is a fork."""
        process = self._process
        self._lock, self._process, self._painted = Lock(), None, 0
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if isinstance(pipe, BufferedWriter | BufferedReader):
                # Without a flush: what the other one has written in part is for it to finish.
                pipe.raw.close()
        # It is no child of this one, which cannot wait for it.
        process.returncode = 0

    def end(self) -> None:
        """End the process; the next picture starts another."""
        process, self._process, self._painted = self._process, None, 0
        if process is not None:
            process.kill()
            with suppress(OSError):
                process.communicate()


def _start_process() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "services.drawing.rasteriser"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # Ctrl-C at a terminal is for the service, which then ends this one.
        start_new_session=True,
    )


def _ask_process(process: subprocess.Popen[bytes], svg: bytes, zoom: float) -> bytes:
    if process.stdin is None or process.stdout is None:
        raise OSError("the process that paints has no pipes")
    process.stdin.write(ASKED.pack(zoom, len(svg)) + svg)
    process.stdin.flush()
    head = process.stdout.read(GIVEN.size)
    length = GIVEN.unpack(head)[0] if len(head) == GIVEN.size else -1
    png = process.stdout.read(length) if length > 0 else b""
    if len(png) != length:
        raise OSError("the process that paints has ended")
    return png


def _make_comment(text: str) -> bytes:
    """Return a tEXt chunk (PNG, third edition, 11.3.3.2): length, type, keyword, text, CRC."""
    data = b"tEXt" + b"Comment\0" + text.encode("ascii")
    return struct.pack(">I", len(data) - 4) + data + struct.pack(">I", crc32(data))


_painter = _Painter()
atexit.register(_painter.end)
os.register_at_fork(after_in_child=_painter.forget)
