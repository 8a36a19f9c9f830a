"""Steps of matches as they are typed and printed: ``MATCH@12``, ``MATCH@10..17``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from cli.terminal.exits import NOT_FOUND, Failure

if TYPE_CHECKING:
    from services.replays.replay import Frame

_PLACE = re.compile(r"(?P<match>[^@]+)(?:@(?P<first>[0-9]{1,9})(?:\.\.(?P<last>[0-9]{1,9}))?)?")


def read_place(text: str) -> tuple[str, int | None, int | None]:
    """Return a match and the versions that a place names, None where it does not.

    >>> read_place("7m2kq9x4tbw0ed5r@10..17")
    ('7m2kq9x4tbw0ed5r', 10, 17)
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        raise click.UsageError(f"{text[:60]!r} is none of MATCH, MATCH@12 and MATCH@10..17.")
    first, last = (None if found[name] is None else int(found[name]) for name in ("first", "last"))
    return found["match"], first, last


def frame_at(frames: list[Frame], version: int) -> int:
    """Return the index of the frame at a version; before the first, the first."""
    from cli.replay.source import at_version

    place = at_version(frames, version)
    if place is None:
        raise Failure(f"This match has events 1 to {frames[-1].version} only.", NOT_FOUND)
    return place
