"""Events as lines: the canonical JSON of what the one door shows (``views.show_event``).

An export writes millions of them. An event that seals nothing is the same to every viewer, and
its stored bytes are canonical already, so there its hash is put in where the order of names has
it; only an event with seals is taken apart. A test holds these lines to the one door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import orjson

from domain.log.chain import canonical

Stored: TypeAlias = tuple[bytes, str, bytes | None]
"""An event as it is kept: the bytes that its hash covers, the hash, and its openings.

Openings are JSON: for each seal ``[salt, value]``, or null.
"""

_BEHIND_DATA = ',"kind":"'
# It cannot lie inside a string, where its quotation marks would have to be escaped. And behind the
# last kind, which is the event's own, nothing is nested but what is sealed.

_SEALED, _BEHIND_SEALED = b',"sealed":', b',"version":'

_UTF_8, _AS_IT_IS = "utf-8", "surrogateescape"
"""Bytes that are no text, which only somebody else can have stored, go out as they lie."""


def lines(stored: Iterable[Stored], sealed: Callable[[Stored], bytes]) -> bytes:
    """Return the lines of events, each with its end; ``sealed`` writes those with seals."""
    written: list[str] = []
    add = written.append
    for event in stored:
        body, hashed, openings = event
        before, kind, behind = body.decode(_UTF_8, _AS_IT_IS).rpartition(_BEHIND_DATA)
        if openings is None and kind:
            add(f'{before},"hash":"{hashed}"{kind}{behind}\n')
        else:
            add(f"{sealed(event).decode(_UTF_8, _AS_IT_IS)}\n")
    return "".join(written).encode(_UTF_8, _AS_IT_IS)


def opened(stored: Stored, viewer: str | None = None) -> bytes:
    """Return the line of an event with the seals opened that are for ``viewer``; None: all."""
    body, hashed, openings = stored
    before, _, behind = body.rpartition(_BEHIND_DATA.encode())
    start, end = behind.index(_SEALED) + len(_SEALED), behind.rindex(_BEHIND_SEALED)
    seals = orjson.loads(behind[start:end])
    pairs = orjson.loads(openings) if openings is not None else [None] * len(seals)
    for seal, pair in zip(seals, pairs, strict=True):
        if pair is not None and (viewer is None or viewer in seal["for"]):
            seal["salt"], seal["value"] = pair
    said = f',"hash":"{hashed}"{_BEHIND_DATA}'.encode()
    return b"".join((before, said, behind[:start], canonical(seals), behind[end:]))


def open_body(line: bytes, hashed: str) -> bytes:
    """Return the bytes that the hash covers, of the line of an event that seals nothing."""
    return line.replace(b',"hash":"%b"' % hashed.encode(), b"", 1)
