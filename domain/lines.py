"""Events as lines: the canonical JSON of what the one door shows (``views.show_event``).

An export writes millions of them. An event that seals nothing is the same to every viewer, and
its stored bytes are canonical already, so there its hash is put in where the order of names has
it; only an event with seals is taken apart. A test holds these lines to the one door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import orjson

from domain.chain import canonical

Stored: TypeAlias = tuple[bytes, str, bytes | None]
"""An event as it is kept: the bytes that its hash covers, the hash, and its openings.

Openings are JSON: for each seal ``[salt, value]``, or null.
"""

_BEHIND_DATA = ',"kind":"'
_NOTHING_SEALED = '"sealed":[],"version":'
# Neither can lie inside a string, where its quotation marks would have to be escaped. And behind
# the last kind, which is the event's own, nothing is nested but what is sealed.

_AS_IT_IS = "surrogateescape"
"""Bytes that are no text, which only somebody else can have stored, go out as they lie."""


def lines(stored: Iterable[Stored], sealed: Callable[[Stored], bytes]) -> bytes:
    """Return the lines of events, each with its end; ``sealed`` writes those with seals."""
    written: list[str] = []
    for event in stored:
        body, hashed, _ = event
        before, _, behind = body.decode(errors=_AS_IT_IS).rpartition(_BEHIND_DATA)
        if before and _NOTHING_SEALED in behind:
            written.append(f'{before},"hash":"{hashed}"{_BEHIND_DATA}{behind}\n')
        else:
            written.append(f"{sealed(event).decode(errors=_AS_IT_IS)}\n")
    return "".join(written).encode(errors=_AS_IT_IS)


def opened(stored: Stored, viewer: str | None = None) -> bytes:
    """Return the line of an event with the seals opened that are for ``viewer``; None: all."""
    body, hashed, openings = stored
    shown = orjson.loads(body)
    shown["hash"] = hashed
    pairs = orjson.loads(openings) if openings is not None else [None] * len(shown["sealed"])
    for seal, pair in zip(shown["sealed"], pairs, strict=True):
        if pair is not None and (viewer is None or viewer in seal["for"]):
            seal["salt"], seal["value"] = pair
    return canonical(shown)


def open_body(line: bytes, hashed: str) -> bytes:
    """Return the bytes that the hash covers, of the line of an event that seals nothing."""
    return line.replace(b',"hash":"%b"' % hashed.encode(), b"", 1)
